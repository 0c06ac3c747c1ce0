"""Aider: how it is launched, and what its one notification is worth."""

from __future__ import annotations

import json

import pytest

from orca_tui.agents.aider import PROFILE, Aider
from orca_tui.agents.launching import LaunchContext
from orca_tui.status.board import Board
from orca_tui.status.effects import Ring
from orca_tui.status.events import Says, StateSaid, TimePassed
from orca_tui.status.record import Source

CONTEXT = LaunchContext(version="0.86.2", session_id="NEW", folder="", hook="'/a b/post' aider")


class Pane:
    """A pane of Aider, on a clock of the test's."""

    def __init__(self) -> None:
        self.board = Board({"aider": PROFILE})
        self.board.open("p1", agent="aider", at=0.0)
        self.rings: list[str] = []

    def screen(self, at: float, says: Says) -> None:
        self._observe(StateSaid(at=at, source=Source.SCREEN, says=says, detail="a rule"))

    def rings_its_bell(self, at: float) -> None:
        body = json.dumps({"hook_event_name": "waits", "at": at}).encode()
        for event in Aider().report_posted(body, "p1", at):
            self._observe(event)

    def at(self, at: float) -> str:
        self._observe(TimePassed(at=at))
        return str(self.board.record("p1").status)

    def _observe(self, event: object) -> None:
        effects = self.board.observe("p1", event)  # type: ignore[arg-type]
        self.rings += [str(effect.why) for effect in effects if isinstance(effect, Ring)]


def test_it_gets_a_command_that_leaves_the_terminals_input_alone() -> None:
    assert Aider().launch(["aider", "--model", "x"], CONTEXT).argv == (
        "aider",
        "--notifications",
        "--notifications-command",
        "'/a b/post' aider waits </dev/null",
        "--model",
        "x",
    )


@pytest.mark.parametrize(
    "command",
    [
        "aider --notifications",
        "aider --notifications-command=x",
        "aider --no-notifications",
        "aider -m fix",
        "aider --message fix",
        "aider --version",
        "sh -c aider",
    ],
)
def test_a_command_of_the_users_own_and_one_without_a_session_are_left_alone(command: str) -> None:
    assert Aider().launch(command.split(), CONTEXT).argv == tuple(command.split())


def test_an_answer_is_done_once_it_waits_at_its_prompt() -> None:
    pane = Pane()
    pane.screen(1.0, Says.IDLE)
    pane.screen(2.0, Says.WORKING)
    assert pane.at(2.5) == "working"

    pane.rings_its_bell(5.0)
    pane.screen(5.3, Says.IDLE)

    assert pane.at(5.9) == "done"
    assert pane.at(60.0) == "done"
    assert pane.rings == ["done"]


def test_a_question_is_waited_for_and_never_done() -> None:
    pane = Pane()
    pane.screen(1.0, Says.WORKING)

    pane.rings_its_bell(5.0)
    pane.screen(5.3, Says.WAITING)
    assert pane.at(5.3) == "waiting"
    assert pane.at(9.0) == "waiting"
    assert "done" not in pane.rings

    pane.screen(10.0, Says.WORKING)
    assert pane.at(10.5) == "working"
    pane.rings_its_bell(12.0)
    pane.screen(12.3, Says.IDLE)
    assert pane.at(12.9) == "done"
    assert pane.rings == ["waiting", "done"]


def test_the_next_turn_is_seen_on_its_screen() -> None:
    pane = Pane()
    pane.rings_its_bell(5.0)
    assert pane.at(5.6) == "done"

    pane.screen(8.0, Says.WORKING)

    assert pane.at(8.1) == "working"


def test_another_event_says_nothing() -> None:
    assert Aider().report_posted(b'{"hook_event_name": "later", "at": 1.0}', "p1", 1.0) == []
    assert Aider().resume("s1") == ()
