"""Gemini CLI: what its title says, and how it is launched."""

from __future__ import annotations

import pytest

from orca_tui.agents.gemini import Gemini
from orca_tui.agents.launching import LaunchContext
from orca_tui.status.events import Says, StateSaid
from orca_tui.status.record import Source

CONTEXT = LaunchContext(version="2.0.0", session_id="NEW", folder="", hook="post")


@pytest.mark.parametrize(
    ("title", "says"),
    [
        ("◇  Ready (gemini)            ", Says.IDLE),
        ("✦  Working… (gemini)", Says.WORKING),
        ("⏲  Working… (gemini)", Says.WORKING),
        ("✋  Action Required (gemini)", Says.WAITING),
        ("Working in ~/gemini", Says.NOTHING),
    ],
)
def test_its_title_says_what_it_does(title: str, says: Says) -> None:
    (event,) = Gemini().title_said(title, 3.0)

    assert isinstance(event, StateSaid)
    assert (event.at, event.source, event.says) == (3.0, Source.TITLE, says)


def test_it_is_launched_as_it_was_given() -> None:
    assert Gemini().launch(["gemini", "-x", "y"], CONTEXT).argv == ("gemini", "-x", "y")


def test_nothing_is_proven_by_its_first_rest() -> None:
    assert Gemini().profile.first_rest_proves_nothing
