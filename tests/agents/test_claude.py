"""Claude Code: what its title says, and how it is launched."""

from __future__ import annotations

import pytest

from orca_tui.agents.claude import Claude
from orca_tui.status.events import Says, StateSaid
from orca_tui.status.record import Source


@pytest.mark.parametrize(
    ("title", "says"),
    [
        ("◐ Fix the tests", Says.WORKING),
        ("◑ Fix the tests", Says.WORKING),
        ("⠂ Fix the tests", Says.WORKING),
        ("✳ Claude Code", Says.AT_REST),
        ("Claude Code", Says.NOTHING),
        ("notes about ◐ spinners", Says.NOTHING),
        ("", Says.NOTHING),
    ],
)
def test_its_title_says_what_it_does(title: str, says: Says) -> None:
    (event,) = Claude().title_said(title, 3.0)

    assert isinstance(event, StateSaid)
    assert (event.at, event.source, event.says) == (3.0, Source.TITLE, says)


def test_it_is_launched_as_it_was_given() -> None:
    assert Claude().launch(["claude", "-x", "y"], "2.0.0") == ("claude", "-x", "y")


def test_nothing_is_proven_by_its_first_rest() -> None:
    assert Claude().profile.first_rest_proves_nothing
