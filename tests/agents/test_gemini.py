"""Gemini CLI: how it is launched."""

from __future__ import annotations

from dataclasses import replace

import pytest

from orca_tui.agents.gemini import Gemini
from orca_tui.agents.launching import LaunchContext

CONTEXT = LaunchContext(version="0.61.0", session_id="NEW", folder="", hook="post")


@pytest.mark.parametrize(
    ("command", "launched", "session"),
    [
        ("gemini", "gemini --session-id NEW", "NEW"),
        ("gemini -m pro fix", "gemini --session-id NEW -m pro fix", "NEW"),
        ("gemini -i fix", "gemini --session-id NEW -i fix", "NEW"),
        ("npx @google/gemini-cli", "npx @google/gemini-cli --session-id NEW", "NEW"),
        ("gemini --resume latest", "gemini --resume latest", None),
        ("gemini -r 5", "gemini -r 5", None),
        ("gemini --session-id X", "gemini --session-id X", None),
        ("gemini -p fix", "gemini -p fix", None),
        ("gemini --acp", "gemini --acp", None),
        ("gemini mcp list", "gemini mcp list", None),
        ("gemini --list-sessions", "gemini --list-sessions", None),
    ],
)
def test_an_interactive_start_begins_a_session_of_a_known_id(
    command: str, launched: str, session: str | None
) -> None:
    found = Gemini().launch(command.split(), CONTEXT)

    assert (found.argv, found.session_id) == (tuple(launched.split()), session)


def test_a_version_that_may_not_know_the_option_does_not_get_it() -> None:
    assert Gemini().launch(["gemini"], replace(CONTEXT, version="0.40.0")).argv == ("gemini",)


def test_a_session_is_resumed_by_its_id() -> None:
    assert Gemini().resume("s1") == ("gemini", "--resume", "s1")


def test_nothing_is_proven_by_its_first_rest() -> None:
    assert Gemini().profile.first_rest_proves_nothing
