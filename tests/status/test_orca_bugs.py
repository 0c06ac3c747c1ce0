"""What went wrong in Orca, and is right here: the bugs of its status plugin, by what triggers them.

Numbers are those of Orca's issues.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from orca_tui.status.board import Board
from orca_tui.status.record import Kind, Status
from orca_tui.status.session_table import SessionRow
from orca_tui.status.turns import Ask, End, Ending
from tests.status.told import (
    OK,
    PROFILES,
    busy,
    ended,
    polls,
    post,
    said,
)

MakePane = Callable[..., Any]

QUESTION = Ask(id="q", kind=Kind.QUESTION, text="which colour?")


@pytest.fixture
def opencode(timeline: MakePane) -> Any:
    return timeline("opencode")


@pytest.fixture
def claude(timeline: MakePane) -> Any:
    return timeline("claude", board=Board(PROFILES))


def sub(busy: bool, turn: int = 1, **facts: Any) -> SessionRow:
    return SessionRow(id="c", parent="s1", busy=busy, turn=turn, end=None if busy else OK, **facts)


def test_23700_a_reload_of_the_plugin_in_the_middle_of_a_turn_is_no_end(opencode: Any) -> None:
    opencode.observe(post(1, busy()), polls(1), post(3, SessionRow(id="s1"), gone=False))
    assert (opencode.record.status, opencode.rings) == (Status.WORKING, [])

    opencode.observe(post(9, ended()))

    assert opencode.rings == [Status.DONE]


def test_23700_a_turn_that_ended_while_the_plugin_reloaded_is_done_once(opencode: Any) -> None:
    opencode.observe(post(1, busy()), polls(1), post(9, ended()), post(10, ended()))

    assert (opencode.statuses(), opencode.rings) == ([Status.WORKING, Status.DONE], [Status.DONE])


@pytest.mark.parametrize("issue", [14712, 9692, 4511])
def test_a_sub_agent_in_the_background_keeps_the_agent_working(opencode: Any, issue: int) -> None:
    opencode.observe(post(1, busy(), sub(busy=True)), post(2, ended(), sub(busy=True)))
    assert (opencode.record.status, opencode.rings) == (Status.WORKING, [])

    opencode.observe(post(9, ended(), sub(busy=False)))

    assert (opencode.record.status, opencode.rings) == (Status.DONE, [Status.DONE])


def test_22371_the_question_of_a_sub_agent_goes_with_the_end_of_its_root(opencode: Any) -> None:
    opencode.observe(post(1, busy(), sub(busy=True, asks=(QUESTION,))))
    assert opencode.record.status is Status.WAITING

    opencode.observe(post(5, ended(), sub(busy=False, asks=(QUESTION,))))

    assert opencode.record.status is Status.DONE


def test_22371_and_not_with_the_work_of_its_root(opencode: Any) -> None:
    opencode.observe(
        post(1, busy(), sub(busy=True, asks=(QUESTION,))),
        post(5, busy(tool="bash"), sub(True, asks=(QUESTION,))),
    )

    assert opencode.record.status is Status.WAITING


def test_1406_a_question_is_waiting(opencode: Any) -> None:
    opencode.observe(post(1, busy(asks=(QUESTION,))))

    record = opencode.record
    assert (record.status, record.kind, record.message) == (Status.WAITING, Kind.QUESTION, "which colour?")


@pytest.mark.parametrize("says", ["idle", "at_rest", "ended", "nothing"])
def test_527_a_title_that_never_changes_takes_no_work_away(opencode: Any, says: str) -> None:
    opencode.observe(post(1, busy()), polls(1), said(2, says))
    opencode.run_until(60)

    assert opencode.record.status is Status.WORKING


def test_11768_an_agent_that_never_reported_is_unknown_and_not_done(opencode: Any) -> None:
    opencode.run_until(3600)

    assert (opencode.record.status, opencode.rings) == (Status.UNKNOWN, [])


def test_9318_an_error_of_one_session_does_not_end_the_turn_of_another(opencode: Any) -> None:
    failed = End(how=Ending.ERROR, kind=Kind.API)
    other = SessionRow(id="s2", busy=True, turn=1)

    opencode.observe(
        post(1, busy(), other), post(2, busy(), SessionRow(id="c", parent="s1", turn=1, end=failed), other)
    )
    opencode.observe(post(3, ended(), other))
    assert (opencode.record.status, opencode.rings) == (Status.WORKING, [])
    opencode.observe(post(9, ended(), SessionRow(id="s2", turn=1, end=OK)))

    assert (opencode.record.status, opencode.record.turns) == (Status.DONE, 2)


def test_a_start_that_was_lost_is_told_by_the_next_table(opencode: Any) -> None:
    opencode.observe(post(1), post(9, busy(prompt="do")))

    assert (opencode.record.status, opencode.record.prompt) == (Status.WORKING, "do")


def test_a_start_that_comes_after_its_end_resurrects_nothing(opencode: Any) -> None:
    opencode.observe(post(1, busy()), post(2, ended()), post(3, busy()))

    assert (opencode.record.status, opencode.rings) == (Status.DONE, [Status.DONE])


def test_a_preview_that_comes_after_the_end_makes_nothing_work(opencode: Any) -> None:
    opencode.observe(post(1, busy()), post(2, ended()), post(3, ended(last_message="the answer")))

    assert (opencode.record.status, opencode.record.last_message) == (Status.DONE, "the answer")


def test_the_end_of_a_child_is_not_the_end_of_its_root(opencode: Any) -> None:
    opencode.observe(post(1, busy(), sub(busy=True)), post(2, busy(), sub(busy=False)))

    assert (opencode.record.status, opencode.rings) == (Status.WORKING, [])
