"""GitHub Copilot CLI: how it is launched."""

from __future__ import annotations

from dataclasses import replace

import pytest

from orca_tui.agents.adapter import LogKeeper
from orca_tui.agents.copilot import Copilot
from orca_tui.agents.launching import LaunchContext

CONTEXT = LaunchContext(version="1.0.102", session_id="NEW", folder="/f", hook="post")


@pytest.mark.parametrize(
    ("command", "launched", "session"),
    [
        ("copilot", "copilot --plugin-dir /f --session-id NEW", "NEW"),
        ("copilot -i fix", "copilot --plugin-dir /f --session-id NEW -i fix", "NEW"),
        ("npx @github/copilot", "npx @github/copilot --plugin-dir /f --session-id NEW", "NEW"),
        ("copilot --resume=X", "copilot --plugin-dir /f --resume=X", None),
        ("copilot --continue", "copilot --plugin-dir /f --continue", None),
        ("copilot --session-id X", "copilot --plugin-dir /f --session-id X", None),
        ("copilot -p fix", "copilot -p fix", None),
        ("copilot --acp", "copilot --acp", None),
        ("copilot mcp list", "copilot mcp list", None),
        ("copilot --version", "copilot --version", None),
    ],
)
def test_an_interactive_start_gets_our_plugin_and_a_known_session(
    command: str, launched: str, session: str | None
) -> None:
    found = Copilot().launch(command.split(), CONTEXT)

    assert (found.argv, found.session_id) == (tuple(launched.split()), session)


def test_a_version_that_may_not_know_the_options_gets_none() -> None:
    assert Copilot().launch(["copilot"], replace(CONTEXT, version="0.0.400")).argv == ("copilot",)


def test_its_log_is_followed_and_its_sessions_resumed() -> None:
    assert isinstance(Copilot(), LogKeeper)
    assert Copilot().resume("s1") == ("copilot", "--resume", "s1")
