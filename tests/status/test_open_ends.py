"""Ends that the strongest source leaves open, or tells wrong, and who tells how it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from orca_tui.status.board import Board
from orca_tui.status.events import Watched
from orca_tui.status.profile import BlindSpot, Missed, Profile
from orca_tui.status.record import Kind, Status
from orca_tui.status.settling import BRIEF_S
from tests.status.told import (
    HOOK,
    PROFILES,
    SCREEN,
    end,
    esc,
    file,
    program,
    said,
    screen,
    start,
)

MakePane = Callable[..., Any]


@pytest.fixture
def claude(timeline: MakePane) -> Any:
    return timeline("claude", board=Board(PROFILES))


@pytest.fixture
def gemini(timeline: MakePane) -> Any:
    return timeline("gemini", board=Board(PROFILES))


def test_a_failure_that_the_title_calls_a_good_end_rings_once_and_as_an_error(gemini: Any) -> None:
    gemini.observe(said(1, "working"), said(5, "idle"), screen(5.3, "failed", kind=Kind.API, text="500"))
    gemini.run_until(20)

    record = gemini.record
    assert (record.status, record.kind, record.message) == (Status.ERROR, Kind.API, "500")
    assert (gemini.rings, gemini.statuses()) == ([Status.ERROR], [Status.WORKING, Status.ERROR])
    assert gemini.shown[-1].at - 5 <= 1


def test_a_failure_that_is_seen_late_corrects_the_end_and_keeps_it_unread(gemini: Any) -> None:
    gemini.observe(said(1, "working"), said(5, "idle"), screen(6.5, "failed", kind=Kind.API))

    assert gemini.statuses() == [Status.WORKING, Status.DONE, Status.ERROR]
    assert (gemini.rings, gemini.record.unread, gemini.record.turns) == ([Status.DONE], True, 1)


def test_a_failure_of_the_turn_before_is_none_of_this_one(gemini: Any) -> None:
    gemini.observe(screen(0.5, "failed"), said(1, "working"), said(5, "idle"))
    gemini.run_until(20)

    assert (gemini.record.status, gemini.rings) == (Status.DONE, [Status.DONE])


def test_hooks_are_given_a_moment_where_a_failure_may_follow(timeline: MakePane) -> None:
    spot = BlindSpot(source=HOOK, misses=Missed.FAILURE, shown_by=(SCREEN,), after_s=2.0)
    board = Board({"gemini": Profile(blind_spots=(spot,))})
    pane = timeline("gemini", board=board)

    pane.observe(start(1, "t1"), end(5, "t1"))
    assert (pane.record.status, pane.rings) == (Status.WORKING, [])
    pane.observe(screen(5.3, "failed", text="500"))

    assert (pane.record.status, pane.rings, pane.record.message) == (Status.ERROR, [Status.ERROR], "500")


def test_a_held_back_end_is_told_after_all(timeline: MakePane) -> None:
    spot = BlindSpot(source=HOOK, misses=Missed.FAILURE, shown_by=(SCREEN,), after_s=2.0)
    pane = timeline("gemini", board=Board({"gemini": Profile(blind_spots=(spot,))}))

    pane.observe(start(1, "t1"), end(5, "t1"))
    pane.run_until(6)

    assert (pane.statuses(), pane.rings) == ([Status.WORKING, Status.DONE], [Status.DONE])
    assert pane.shown[-1].at - 5 <= 1


def test_ready_says_nothing_while_the_trust_dialog_waits(gemini: Any) -> None:
    gemini.observe(said(1, "idle"))
    assert gemini.record.status is Status.UNKNOWN

    gemini.observe(screen(1.3, "waiting", kind=Kind.PERMISSION, text="trust this folder?"))
    assert (gemini.record.status, gemini.record.message) == (Status.WAITING, "trust this folder?")
    gemini.observe(screen(9, "idle"))

    assert (gemini.record.status, gemini.record.turns) == (Status.IDLE, 0)


def test_a_screen_that_is_first_looked_at_after_the_turn_tells_how_it_ended(claude: Any) -> None:
    claude.observe(said(1, "working"), said(9, "at_rest"))
    assert claude.record.status is Status.UNKNOWN

    claude.observe(screen(9.3, "idle"))

    assert (claude.record.status, claude.record.turns, claude.rings) == (Status.DONE, 1, [Status.DONE])


def test_a_screen_that_said_so_before_the_turn_must_say_so_again(claude: Any) -> None:
    claude.observe(screen(0.5, "idle"), said(1, "working"), said(9, "at_rest"))
    assert claude.record.status is Status.UNKNOWN

    claude.observe(screen(9.3, "idle"))

    assert (claude.record.status, claude.rings) == (Status.DONE, [Status.DONE])


def test_work_that_nobody_told_of_and_was_over_at_once_was_no_turn(claude: Any) -> None:
    claude.observe(said(1, "working"), said(1 + BRIEF_S / 2, "at_rest"), screen(1.6, "idle"))

    assert (claude.record.status, claude.rings, claude.record.turns) == (Status.IDLE, [], 0)


@pytest.mark.parametrize("source", ["screen", "hook"])
def test_an_end_that_the_session_file_leaves_open_is_told_by_the_others(claude: Any, source: str) -> None:
    told = {"screen": screen(9.2, "failed", text="500"), "hook": end(9.2, "t1")}
    claude.observe(file(1, "working"), start(1.1, "t1"))

    claude.observe(file(9, "ended"), told[source])
    claude.run_until(20)

    assert claude.rings == [Status.ERROR if source == "screen" else Status.DONE]
    assert claude.shown[-1].at - 9 <= 1


def test_what_runs_below_a_source_that_says_the_turn_is_over_is_not_believed_for_long(
    timeline: MakePane,
) -> None:
    pane = timeline("aider", board=Board({}))

    pane.observe(start(1, "t1"), file(2, "working"), file(9, "ended"))
    pane.run_until(20)

    assert (pane.record.status, pane.rings) == (Status.UNKNOWN, [])


def test_esc_at_the_session_files_end_needs_no_other_word(claude: Any) -> None:
    claude.observe(file(1, "working"), esc(8.9), file(9, "ended"))

    assert (claude.record.status, claude.record.interrupted, claude.rings) == (Status.IDLE, True, [])


def test_an_ask_that_hooks_do_not_tell_of_is_seen_and_goes_when_it_is_gone(claude: Any) -> None:
    claude.observe(start(1, "t1"), screen(2, "working"), screen(5, "waiting", kind=Kind.PERMISSION))
    claude.run_until(5.9)
    assert (claude.record.status, claude.record.kind) == (Status.WAITING, Kind.PERMISSION)

    claude.observe(screen(8, "working"))

    assert (claude.record.status, claude.rings) == (Status.WORKING, [Status.WAITING])


def test_a_pane_that_is_looked_at_is_never_unread(claude: Any) -> None:
    claude.observe(Watched(at=1, watched=True), start(2, "t1"), end(3, "t1"))

    assert (claude.record.unread, claude.rings) == (False, [])


def test_an_end_that_is_told_only_afterwards_was_the_users_own_if_a_key_was_pressed(claude: Any) -> None:
    claude.observe(said(1, "working"), esc(8.8), said(9, "at_rest"), screen(9.3, "idle"))

    assert (claude.record.status, claude.record.interrupted, claude.rings) == (Status.IDLE, True, [])


def test_an_end_that_is_told_only_afterwards_was_the_users_own_after_a_dialog(claude: Any) -> None:
    claude.observe(file(1, "working"), file(5, "waiting"), file(9, "ended"), screen(9.3, "idle"))
    claude.run_until(20)

    assert (claude.record.status, claude.record.interrupted) == (Status.IDLE, True)
    assert claude.rings == [Status.WAITING]


def test_a_log_that_is_read_after_a_hook_told_of_the_end_begins_nothing(claude: Any) -> None:
    claude.observe(start(1, "t1"), end(1.4, "t1"), file(1.1, "working"), file(1.3, "idle"))
    claude.run_until(5)

    assert claude.statuses() == [Status.WORKING, Status.DONE]
    assert claude.rings == [Status.DONE]


def test_a_first_rest_that_the_screen_has_shown_stays_while_the_screen_is_drawn_anew(gemini: Any) -> None:
    gemini.observe(said(1, "idle"))
    assert gemini.record.status is Status.UNKNOWN

    gemini.observe(screen(2, "idle"), screen(2.5, "nothing"))

    assert gemini.record.status is Status.IDLE


def test_a_key_that_stopped_the_turn_before_excuses_no_failure_of_the_next(gemini: Any) -> None:
    gemini.observe(said(1, "working"), screen(1.2, "working"), esc(5), said(5.01, "idle"))
    gemini.observe(screen(5.25, "idle"), esc(5.25), said(5.4, "working"), screen(5.4, "nothing"))

    gemini.observe(said(5.72, "idle"), screen(5.9, "failed", kind=Kind.API))
    gemini.run_until(8)

    assert (gemini.record.status, gemini.rings) == (Status.ERROR, [Status.ERROR])


def test_an_agent_that_takes_its_leave_does_not_work_once_more(timeline: MakePane) -> None:
    """Claude Code's session file is busy while it exits, and its hooks know of the last turn only."""
    pane = timeline("claude", board=Board(PROFILES))
    pane.observe(start(1, "a"), file(1, "working"), program(1.1, "working", "claude"))
    pane.observe(end(5, "a"), program(5.1, "done", "claude"), file(5.2, "ended"))
    pane.run_until(6)
    before = list(pane.shown)

    pane.observe(file(8, "working"), program(8.1, "working", "claude"), program(8.12, "clear", "claude"))
    pane.run_until(12)

    assert pane.record.status in (Status.DONE, Status.IDLE)
    assert Status.WORKING not in [shown.status for shown in pane.shown[len(before) :]]
    assert pane.rings == [Status.DONE]


def test_a_prompt_after_the_leave_is_a_turn_again(timeline: MakePane) -> None:
    pane = timeline("claude", board=Board(PROFILES))
    pane.observe(program(1, "idle", "claude"), program(2, "clear", "claude"), file(3, "working"))
    assert pane.record.status is not Status.WORKING

    pane.observe(start(3.2, "b"))

    assert pane.record.status is Status.WORKING
