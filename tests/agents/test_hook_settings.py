"""Settings of agents that switch hooks off."""

from __future__ import annotations

import pytest

from orca_tui.agents.hook_settings import settings_files, switches_hooks_off


def test_claude_reads_the_users_and_the_projects_settings() -> None:
    assert settings_files("claude", {"HOME": "/h"}, "/src/") == (
        "/h/.claude/settings.json",
        "/h/.claude/settings.local.json",
        "/src/.claude/settings.json",
        "/src/.claude/settings.local.json",
    )
    assert (
        settings_files("claude", {"HOME": "/h", "CLAUDE_CONFIG_DIR": "/c"}, "/src")[0] == "/c/settings.json"
    )


def test_copilot_has_a_folder_of_its_own_and_others_no_such_switch() -> None:
    assert settings_files("copilot", {"HOME": "/h"}, "/src")[0] == "/h/.copilot/settings.json"
    assert settings_files("codex", {"HOME": "/h"}, "/src") == ()


@pytest.mark.parametrize(
    ("content", "off"),
    [
        (b'{"disableAllHooks": true}', True),
        (b'{"disableAllHooks": false}', False),
        (b'{"disableAllHooks": "true"}', False),
        (b'{"x": {"disableAllHooks": true}}', False),
        (b"{}", False),
        (b"[]", False),
        (b'{"disableAllHooks": tru', False),
        (b"\xff", False),
        (b"[" * 9999, False),
    ],
)
def test_only_the_switch_itself_counts(content: bytes, off: bool) -> None:
    assert switches_hooks_off(content) is off
