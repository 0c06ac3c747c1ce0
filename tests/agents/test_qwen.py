"""Qwen Code: how it is launched."""

from __future__ import annotations

from dataclasses import replace

import pytest

from orca_tui.agents.launching import LaunchContext
from orca_tui.agents.qwen import Qwen

CONTEXT = LaunchContext(version="0.24.4", session_id="NEW", folder="", hook="post")


@pytest.mark.parametrize(
    ("command", "launched"),
    [
        ("qwen", "qwen --session-id NEW"),
        ("qwen -i fix", "qwen --session-id NEW -i fix"),
        ("npx @qwen-code/qwen-code", "npx @qwen-code/qwen-code --session-id NEW"),
        ("qwen --resume X", "qwen --resume X"),
        ("qwen -c", "qwen -c"),
        ("qwen -p fix", "qwen -p fix"),
        ("qwen mcp list", "qwen mcp list"),
    ],
)
def test_an_interactive_start_begins_a_session_of_a_known_id(command: str, launched: str) -> None:
    found = Qwen().launch(command.split(), CONTEXT)

    assert found.argv == tuple(launched.split())
    assert (found.session_id == "NEW") is ("NEW" in found.argv)


def test_a_version_that_may_not_know_the_option_does_not_get_it() -> None:
    assert Qwen().launch(["qwen"], replace(CONTEXT, version="0.10.0")).argv == ("qwen",)


def test_a_session_is_resumed_by_its_id() -> None:
    assert Qwen().resume("s1") == ("qwen", "--resume", "s1")
