"""The rules of the machine, through a board with a clock that jumps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from orca_tui.status.board import Board
from orca_tui.status.events import (
    AgentRecognised,
    Asked,
    ProcessExited,
    ProgressShown,
    ReporterDied,
    Says,
    Seen,
    TurnEnded,
    TurnStarted,
)
from orca_tui.status.profile import BlindSpot, Missed, Profile
from orca_tui.status.record import Kind, Source, Status
from orca_tui.status.session_table import ProcessKey, SessionRow
from orca_tui.status.settling import LOST_S
from orca_tui.status.turns import Ask, End, Ending
from tests.status.told import OK, SPEAKS_7501, busy, ended, polls, post, program, said

MakePane = Callable[..., Any]


# Turns.


def test_a_pane_without_evidence_is_unknown(timeline: MakePane) -> None:
    pane = timeline("opencode")

    pane.run_until(100)

    assert pane.record.status is Status.UNKNOWN


def test_a_turn_is_working_then_done_and_counted(timeline: MakePane) -> None:
    pane = timeline("opencode")

    pane.observe(post(1), post(2, busy(prompt="do")), post(5, ended(prompt="do", last_message="did")))

    assert pane.statuses() == [Status.IDLE, Status.WORKING, Status.DONE]
    record = pane.record
    assert (record.turns, record.since, record.turn_started_at, record.interrupted) == (1, 5, None, False)
    assert (record.prompt, record.last_message, record.session_id) == ("do", "did", "s1")


def test_a_running_turn_tells_when_it_began(timeline: MakePane) -> None:
    pane = timeline("opencode")

    pane.observe(post(1), post(2, busy()), post(3, busy(tool="bash")))

    assert (pane.record.turn_started_at, pane.record.since, pane.record.tool) == (2, 2, "bash")


def test_an_end_that_is_told_twice_is_one(timeline: MakePane) -> None:
    pane = timeline("opencode")

    pane.observe(post(1, busy()), post(2, ended()), post(3, ended()))

    assert (pane.record.turns, pane.rings) == (1, [Status.DONE])


def test_a_turn_that_ended_between_two_tables_is_done_and_rings(timeline: MakePane) -> None:
    pane = timeline("opencode")

    pane.observe(post(1), post(2, ended(1)), post(3, ended(2)))

    assert pane.statuses() == [Status.IDLE, Status.DONE]
    assert (pane.record.turns, pane.rings, pane.record.since) == (2, [Status.DONE, Status.DONE], 2)


def test_an_interrupted_turn_is_idle_and_counted(timeline: MakePane) -> None:
    pane = timeline("opencode")

    pane.observe(post(1, busy()), post(2, ended(end=End(how=Ending.INTERRUPTED))))

    assert (pane.record.status, pane.record.interrupted, pane.record.turns) == (Status.IDLE, True, 1)
    pane.observe(post(3, busy(2)))
    assert not pane.record.interrupted


def test_an_error_tells_its_kind_and_when_it_is_over(timeline: MakePane) -> None:
    failed = End(how=Ending.ERROR, kind=Kind.RATE_LIMIT, message="limit", resets_at=99.0)
    pane = timeline("opencode")

    pane.observe(post(1, busy()), post(2, ended(end=failed)))

    record = pane.record
    assert (record.status, record.kind, record.message, record.resets_at) == (
        Status.ERROR,
        Kind.RATE_LIMIT,
        "limit",
        99.0,
    )


def test_a_guessed_end_is_corrected_to_a_lesser_one_and_never_to_done(timeline: MakePane) -> None:
    aborted = End(how=Ending.INTERRUPTED)
    down, up = timeline("opencode"), timeline("opencode")

    down.observe(post(1, busy()), post(2, ended()), post(3, ended(end=aborted)))
    up.observe(post(1, busy()), post(2, ended(end=aborted)), post(3, ended()))

    assert (down.record.status, down.record.interrupted, down.record.unread) == (Status.IDLE, True, False)
    assert up.record.status is Status.IDLE
    assert (down.record.turns, up.record.turns) == (1, 1)


def test_a_child_that_outlasts_its_root_keeps_the_pane_working(timeline: MakePane) -> None:
    child = SessionRow(id="c", parent="s1", busy=True, turn=1)
    pane = timeline("opencode")

    pane.observe(post(1, busy(), child), post(2, ended(), child))
    assert (pane.record.status, pane.record.subagents) == (Status.WORKING, 1)
    pane.observe(post(3, ended(), SessionRow(id="c", parent="s1", turn=1, end=OK)))

    assert (pane.record.status, pane.record.turns, pane.rings) == (Status.DONE, 1, [Status.DONE])


def test_a_child_that_fails_does_not_end_the_turn(timeline: MakePane) -> None:
    failed = SessionRow(id="c", parent="s1", turn=1, end=End(how=Ending.ERROR, kind=Kind.API))
    pane = timeline("opencode")

    pane.observe(post(1, busy(), SessionRow(id="c", parent="s1", busy=True, turn=1)), post(2, busy(), failed))

    assert pane.record.status is Status.WORKING


def test_work_at_rest_that_is_no_turn_of_the_root_ends_quietly(timeline: MakePane) -> None:
    lost = SessionRow(id="x", parent="unknown", busy=True, turn=1)
    pane = timeline("opencode")

    pane.observe(post(1), post(2, lost), post(3, SessionRow(id="x", parent="unknown", turn=1, end=OK)))

    assert pane.statuses() == [Status.IDLE, Status.WORKING, Status.IDLE]
    assert (pane.record.turns, pane.rings, pane.record.interrupted) == (0, [], False)


def test_after_work_beside_its_turns_the_pane_rests_as_before_news_included(timeline: MakePane) -> None:
    child = SessionRow(id="c", parent="s1", busy=True, turn=1)
    pane = timeline("opencode")

    pane.observe(post(1, busy()), post(2, ended()), post(3, ended(), child))
    assert (pane.record.status, pane.record.unread, pane.record.turn_started_at) == (
        Status.WORKING,
        False,
        None,
    )
    pane.observe(post(4, ended(), SessionRow(id="c", parent="s1", turn=1, end=OK)))

    assert (pane.record.status, pane.record.unread) == (Status.DONE, True)
    assert (pane.record.turns, pane.rings) == (1, [Status.DONE])


def test_an_end_that_was_seen_is_not_unread_after_work_beside_the_turns(timeline: MakePane) -> None:
    child = SessionRow(id="c", parent="s1", busy=True, turn=1)
    pane = timeline("opencode")

    pane.observe(post(1, busy()), post(2, ended()), Seen(at=2.5), post(3, ended(), child), post(4, ended()))
    pane.observe(post(5, ended(), SessionRow(id="c", parent="s1", turn=1, end=OK)))

    assert (pane.record.status, pane.record.unread) == (Status.DONE, False)


def test_a_turn_that_vanished_is_not_done_by_the_end_of_an_older_one(timeline: MakePane) -> None:
    other = ProcessKey(pid=8, started=2.0)
    pane = timeline(None)

    pane.observe(post(1, busy()), post(2, ended()), polls(2))
    pane.observe(
        post(3, SessionRow(id="s9", busy=True, turn=1), process=other), ReporterDied(at=4, process=other)
    )

    assert (pane.record.status, pane.record.unread) == (Status.IDLE, False)


# Several sources.


def test_a_weaker_source_never_overrides_a_fresh_plugin(timeline: MakePane) -> None:
    pane = timeline("opencode")

    pane.observe(post(1, busy()), polls(1), said(2, Says.WORKING), said(3, Says.IDLE), program(4, "working"))
    pane.observe(program(5, "done"))
    pane.run_until(100)

    assert (pane.statuses(), pane.rings) == ([Status.WORKING], [])


def test_the_end_that_a_weaker_source_saw_meanwhile_is_no_news_later(timeline: MakePane) -> None:
    pane = timeline("opencode")
    pane.observe(said(0.5, Says.WORKING), post(1, busy()), post(2, ended()), said(2.1, Says.IDLE))

    pane.run_until(500)

    assert (pane.record.status, pane.record.turns, pane.rings) == (Status.DONE, 1, [Status.DONE])


def test_an_interrupt_that_hooks_miss_is_seen_in_the_title(timeline: MakePane) -> None:
    spot = BlindSpot(source=Source.HOOK, misses=Missed.INTERRUPT, shown_by=(Source.TITLE,), after_s=1.5)
    pane = timeline("claude", board=Board({"claude": Profile(blind_spots=(spot,))}))

    pane.observe(
        TurnStarted(at=1, source=Source.HOOK, turn="t1"), said(1.1, Says.WORKING), said(4, Says.AT_REST)
    )
    assert pane.record.status is Status.WORKING
    pane.run_until(6)

    record = pane.record
    assert (record.status, record.interrupted, record.since, record.turns) == (Status.IDLE, True, 4, 1)
    pane.observe(TurnEnded(at=7, source=Source.HOOK, turn="t1", end=OK))
    assert (pane.record.turns, pane.rings) == (1, [])
    pane.observe(
        TurnStarted(at=8, source=Source.HOOK, turn="t2"),
        TurnEnded(at=9, source=Source.HOOK, turn="t2", end=OK),
    )
    assert (pane.record.turns, pane.record.status, pane.rings) == (2, Status.DONE, [Status.DONE])


def test_a_source_that_cannot_tell_makes_the_status_unknown(timeline: MakePane) -> None:
    pane = timeline("claude")

    pane.observe(said(1, Says.WORKING), said(2, Says.AT_REST))

    assert (pane.record.status, pane.record.confirmed) == (Status.UNKNOWN, True)


def test_a_program_that_withdraws_its_report_is_unknown_unless_its_turn_has_ended(timeline: MakePane) -> None:
    board = Board(SPEAKS_7501)
    working, done = timeline("claude", board=board), timeline("claude", board=Board(SPEAKS_7501))

    working.observe(program(1, "working"), program(3, "clear"))
    done.observe(program(1, "working"), program(3, "done"), program(4, "clear"))
    done.run_until(500)

    assert working.record.status is Status.UNKNOWN
    assert (done.record.status, done.record.confirmed) == (Status.DONE, False)


def test_idle_without_any_source_becomes_unknown_after_a_while(timeline: MakePane) -> None:
    pane = timeline("claude", board=Board(SPEAKS_7501))

    pane.observe(program(1, "idle"), program(2, "clear"))
    assert pane.record.status is Status.IDLE
    pane.run_until(2 + LOST_S)

    assert pane.record.status is Status.UNKNOWN


def test_progress_of_the_terminal_is_kept_beside_what_a_program_reports(timeline: MakePane) -> None:
    pane = timeline("claude", board=Board(SPEAKS_7501))

    pane.observe(program(1, "working"), ProgressShown(at=2, percent=40), program(3, "working"))
    assert pane.record.progress == 40
    pane.observe(program(4, "working", progress=60))
    assert pane.record.progress == 60
    pane.observe(program(5, "done"), ProgressShown(at=6, percent=None))
    assert pane.record.progress is None


# The end of the process.


def test_an_exit_in_the_middle_of_a_turn_is_not_done_and_does_not_ring(timeline: MakePane) -> None:
    pane = timeline("opencode")

    pane.observe(post(1, busy()), ProcessExited(at=2, exit_code=-9))

    record = pane.record
    assert (record.status, record.exit_code, record.unread, pane.rings) == (Status.EXITED, -9, False, [])
    assert (record.tool, record.turn_started_at) == (None, None)


def test_an_end_that_nobody_saw_stays_unread_after_the_exit(timeline: MakePane) -> None:
    done, asking = timeline("opencode"), timeline("opencode")

    done.observe(post(1, busy()), post(2, ended()), ProcessExited(at=3, exit_code=0))
    asking.observe(post(1, busy(asks=(Ask(id="a", kind=Kind.PERMISSION),))))
    asking.observe(ProcessExited(at=3, exit_code=0))

    assert (done.record.status, done.record.unread) == (Status.EXITED, True)
    assert (asking.record.status, asking.record.unread) == (Status.EXITED, False)


def test_nothing_changes_the_status_of_a_dead_process(timeline: MakePane) -> None:
    pane = timeline("opencode")
    pane.observe(post(1, busy()), ProcessExited(at=2, exit_code=0))

    pane.observe(
        post(3, ended()), program(4, "working"), AgentRecognised(at=5, source=Source.PROCESS, agent="x")
    )
    pane.run_until(500)

    assert pane.statuses() == [Status.WORKING, Status.EXITED]
    assert pane.record.turns == 0


# Before and after the server.


def test_a_pane_that_was_found_running_does_not_ring_for_what_was_before() -> None:
    board = Board({})
    board.open("p1", agent="opencode", at=0, adopted=True)

    effects = board.observe("p1", post(1, ended(7)))

    record = board.record("p1")
    assert (record.status, record.unread, record.turns) == (Status.IDLE, False, 0)
    assert [effect for effect in effects if type(effect).__name__ == "Ring"] == []
    board.observe("p1", post(2, busy(8)))
    board.observe("p1", post(3, ended(8)))
    assert (board.record("p1").status, board.record("p1").unread) == (Status.DONE, True)


def test_time_that_goes_back_moves_no_status_back(timeline: MakePane) -> None:
    pane = timeline("opencode")

    pane.observe(post(10, busy()))
    pane.board.observe("p1", Asked(at=5, source=Source.HOOK, ask=Ask(id="a", kind=Kind.PERMISSION)))
    pane.board.observe("p1", post(11, ended()))

    assert pane.record.since == 11
