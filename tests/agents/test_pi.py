"""Pi: how it is launched."""

from __future__ import annotations

from dataclasses import replace

import pytest

from orca_tui.agents.launching import LaunchContext
from orca_tui.agents.pi import Pi

CONTEXT = LaunchContext(version="1.6.0", session_id="NEW", folder="", hook="post")


@pytest.mark.parametrize(
    ("command", "launched"),
    [
        ("pi", "pi --session-id NEW"),
        ("pi fix", "pi --session-id NEW fix"),
        ("npx @earendil-works/pi-coding-agent", "npx @earendil-works/pi-coding-agent --session-id NEW"),
        ("pi --session X", "pi --session X"),
        ("pi --session-id X", "pi --session-id X"),
        ("pi -c", "pi -c"),
        ("pi --no-session", "pi --no-session"),
        ("pi -p fix", "pi -p fix"),
        ("pi --mode json", "pi --mode json"),
        ("pi install x", "pi install x"),
    ],
)
def test_an_interactive_start_begins_a_session_of_a_known_id(command: str, launched: str) -> None:
    found = Pi().launch(command.split(), CONTEXT)

    assert found.argv == tuple(launched.split())
    assert (found.session_id == "NEW") is ("NEW" in found.argv)


def test_a_version_that_may_not_know_the_option_does_not_get_it() -> None:
    assert Pi().launch(["pi"], replace(CONTEXT, version="0.73.1")).argv == ("pi",)


def test_a_session_is_resumed_by_its_id() -> None:
    assert Pi().resume("s1") == ("pi", "--session", "s1")
