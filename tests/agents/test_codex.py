"""Codex: what its title says, and how it is launched."""

from __future__ import annotations

import pytest

from orca_tui.agents.codex import Codex
from orca_tui.agents.launching import LaunchContext
from orca_tui.status.events import Says, StateSaid
from orca_tui.status.record import Source

CONTEXT = LaunchContext(version="2.0.0", session_id="NEW", folder="", hook="post")


@pytest.mark.parametrize(
    ("title", "says"),
    [
        ("⠋ codex", Says.WORKING),
        ("\u2800 codex", Says.IDLE),
        ("[ ! ] Action Required | codex", Says.WAITING),
        ("[ . ] Action Required | codex", Says.WAITING),
        ("codex", Says.IDLE),
        ("Action Required for ~/codex", Says.IDLE),
        ("", Says.NOTHING),
    ],
)
def test_its_title_says_what_it_does(title: str, says: Says) -> None:
    (event,) = Codex().title_said(title, 3.0)

    assert isinstance(event, StateSaid)
    assert (event.at, event.source, event.says) == (3.0, Source.TITLE, says)


def test_it_is_launched_as_it_was_given() -> None:
    assert Codex().launch(["codex", "-x", "y"], CONTEXT).argv == ("codex", "-x", "y")


def test_nothing_is_proven_by_its_first_rest() -> None:
    assert Codex().profile.first_rest_proves_nothing
