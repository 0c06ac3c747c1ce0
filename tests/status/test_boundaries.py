"""Another session in a pane, and what ends around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from orca_tui.status.board import Board
from orca_tui.status.record import Source, Status
from orca_tui.status.settling import BOUNDARY_S
from tests.status.told import (
    FILE,
    PROFILES,
    end,
    file,
    program,
    said,
    session,
    start,
)

MakePane = Callable[..., Any]


@pytest.fixture
def claude(timeline: MakePane) -> Any:
    return timeline("claude", board=Board(PROFILES))


@pytest.fixture
def gemini(timeline: MakePane) -> Any:
    return timeline("gemini", board=Board(PROFILES))


def test_another_session_takes_the_news_of_the_last_one_away(claude: Any) -> None:
    claude.observe(session(1, "s1"), start(2, "t1"), end(3, "t1"))
    assert claude.record.unread

    claude.observe(session(90, "s2"))

    record = claude.record
    assert (record.status, record.unread, record.interrupted, record.session_id) == (
        Status.IDLE,
        False,
        False,
        "s2",
    )
    assert (claude.rings, record.turns) == ([Status.DONE], 1)


@pytest.mark.parametrize("after_s", [-0.9, -0.2, 0.2, 0.9])
@pytest.mark.parametrize("state", ["idle"])
def test_rest_around_another_session_is_idle_and_rings_for_nothing_after_it(
    claude: Any, state: str, after_s: float
) -> None:
    claude.observe(session(1, "s1"), program(9, "working", "claude"))

    claude.observe(*sorted([program(10 + after_s, state), session(10, "s2")], key=lambda event: event.at))
    claude.run_until(20)

    record = claude.record
    assert (record.status, record.interrupted, record.unread) == (Status.IDLE, False, False)
    assert after_s < 0 or claude.rings == []


def test_rest_long_after_another_session_is_an_end(claude: Any) -> None:
    claude.observe(session(1, "s1"), program(9, "working", "claude"), session(10, "s2"))

    claude.observe(program(10 + BOUNDARY_S + 0.1, "done"))

    assert (claude.record.status, claude.rings) == (Status.DONE, [Status.DONE])


def test_a_turn_that_begins_with_its_session_ends_like_any_other(claude: Any) -> None:
    """Codex names its new session at the next prompt, just after its terminal said that it works."""
    claude.observe(session(1, "s1"))

    claude.observe(program(9.9, "working", "claude"), session(10, "s2"), start(10, "t1", session_id="s2"))
    claude.observe(program(10.4, "done"))

    assert (claude.record.status, claude.rings) == (Status.DONE, [Status.DONE])


def test_the_first_session_that_is_heard_of_is_no_boundary(claude: Any) -> None:
    claude.observe(program(9.9, "working", "claude"), session(10, "s1"), program(10.4, "done"))

    assert (claude.record.status, claude.rings) == (Status.DONE, [Status.DONE])


def test_a_session_that_two_sources_name_is_one_boundary(claude: Any) -> None:
    claude.observe(session(1, "s1"), session(1, "s1", FILE), session(10, "s2"))

    claude.observe(start(10.2, "t1", session_id="s2"), session(10.4, "s2", FILE), end(10.6, "t1"))

    assert (claude.record.status, claude.rings) == (Status.DONE, [Status.DONE])


@pytest.mark.parametrize("source", [Source.TITLE, Source.SCREEN, Source.PROGRAM_STATUS])
def test_what_any_program_can_write_is_no_boundary(claude: Any, source: Source) -> None:
    claude.observe(session(1, "s1"), start(2, "t1"), end(3, "t1"), session(9, "s2", source))

    assert claude.record.status is Status.DONE


def test_the_session_and_prompt_come_from_hooks_while_the_terminal_holds(claude: Any) -> None:
    claude.observe(session(1, "s1"), start(2.1, "t1", session_id="s1", prompt="do"))

    claude.observe(program(2, "working", "claude"), end(5.2, "t1", last_message="did"), program(5, "done"))

    record = claude.record
    assert (record.session_id, record.prompt, record.last_message) == ("s1", "do", "did")
    assert record.evidence.source is Source.PROGRAM_STATUS


def test_another_session_begins_idle_whoever_told_of_the_last_end(claude: Any) -> None:
    claude.observe(session(1, "s1"), program(2, "working", "claude"), program(5, "done", "claude"))
    assert claude.record.unread

    claude.observe(session(90, "s2"))
    claude.run_until(200)

    assert (claude.record.status, claude.record.unread) == (Status.IDLE, False)


def test_another_session_makes_an_open_end_no_question(claude: Any) -> None:
    claude.observe(session(1, "s1", FILE), file(2, "working"), file(5, "ended"))
    claude.run_until(60)
    assert claude.record.status is Status.UNKNOWN

    claude.observe(session(90, "s2", FILE))

    assert claude.record.status is Status.IDLE


@pytest.mark.parametrize(("state", "rung"), [("done", Status.DONE), ("error", Status.ERROR)])
def test_an_end_that_is_told_just_after_another_session_is_one(claude: Any, state: str, rung: Status) -> None:
    """A hook that names the session of a first prompt may come late, and just before the answer."""
    claude.observe(session(1, "s1"), program(9, "working", "claude"), session(10, "s2"), program(10.2, state))

    assert (claude.record.status, claude.rings) == (rung, [rung])


def test_a_boundary_is_over_once_a_turn_has_ended_after_it(claude: Any) -> None:
    claude.observe(session(1, "s1"), start(2, "t1"), end(3, "t1"), session(10, "s2"))
    claude.observe(program(20, "working", "claude"), program(25, "done"))

    claude.observe(program(60, "clear"))  # What the hooks said last was that session.

    assert (claude.record.status, claude.rings) == (Status.DONE, [Status.DONE, Status.DONE])


def test_a_title_that_flickers_at_rest_is_another_session(claude: Any) -> None:
    claude.observe(program(1, "working", "claude"), program(5, "done"), said(5.1, "idle"))
    assert claude.record.status is Status.DONE

    claude.observe(said(60, "working"), said(60.02, "idle"))

    assert (claude.record.status, claude.record.unread, claude.record.interrupted) == (
        Status.IDLE,
        False,
        False,
    )
    assert claude.rings == [Status.DONE]


def test_a_title_that_flickers_in_a_turn_is_none(claude: Any) -> None:
    claude.observe(program(1, "working", "claude"), said(1.1, "idle"), said(2, "working"), said(2.02, "idle"))
    claude.observe(program(5, "done"))

    assert (claude.record.status, claude.rings) == (Status.DONE, [Status.DONE])


def test_what_clearing_a_session_takes_is_not_shown_as_work(claude: Any) -> None:
    """Its session file names the new session; then its terminal says working and idle, as it does under load."""
    claude.observe(session(1, "s1"), program(1, "idle", "claude"), session(10, "s2"))
    changes = len(claude.statuses())

    claude.observe(program(10.02, "working"))
    claude.run_until(10.28)
    claude.observe(program(10.29, "idle"))
    claude.run_until(20)

    assert (claude.record.status, claude.record.interrupted, claude.record.turns) == (Status.IDLE, False, 0)
    assert len(claude.statuses()) == changes


def test_a_session_that_is_cleared_under_load_shows_no_work_before_it_is_named(timeline: MakePane) -> None:
    """Claude Code says working at once; which session it shows is heard of with its rest, and late."""
    pane = timeline("claude")
    pane.observe(session(1, "s1"), program(1.5, "idle"))
    pane.observe(program(5, "working"), start(5.04, "t1"), end(6.2, "t1"), program(6.25, "done"))
    before = len(pane.statuses())

    pane.observe(program(9, "working"))
    pane.run_until(9.4)
    pane.observe(program(9.4, "idle"), file(9.4, "working"), session(9.45, "s2", FILE), session(9.6, "s2"))
    pane.run_until(20)

    assert pane.statuses()[before:] == [Status.IDLE]
    assert (pane.rings, pane.record.turns, pane.record.interrupted) == ([Status.DONE], 1, False)


def test_a_prompt_in_a_pane_with_hooks_is_worked_on_as_soon_as_it_is_heard_of(timeline: MakePane) -> None:
    pane = timeline("claude")
    pane.observe(session(1, "s1"), program(1.5, "idle"), program(5, "working"), start(5.04, "t1"))

    assert pane.record.status is Status.WORKING


def test_a_start_that_says_working_for_a_moment_shows_no_work(timeline: MakePane) -> None:
    """As Codex does, longer under load."""
    pane = timeline("codex")
    pane.observe(
        said(1, "idle", Source.TITLE), said(1.2, "working", Source.TITLE), program(1.3, "working", "codex")
    )
    pane.run_until(1.7)
    pane.observe(said(1.7, "idle", Source.TITLE), program(1.7, "idle"))
    pane.run_until(20)

    assert pane.statuses() == [Status.IDLE]
    assert (pane.rings, pane.record.turns, pane.record.interrupted) == ([], 0, False)


def test_a_start_that_is_busy_for_a_while_rings_for_nothing(timeline: MakePane) -> None:
    """Its session file cannot tell how that ended, and its screen shows a prompt; no hook has told of one."""
    pane = timeline("claude")
    pane.observe(session(1, "s1"), file(1.2, "working"))
    pane.observe(file(2.5, "ended"), said(2.8, "idle", Source.SCREEN))
    pane.run_until(20)

    assert (pane.record.status, pane.rings, pane.record.turns) == (Status.IDLE, [], 0)
