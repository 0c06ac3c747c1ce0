"""The records of OSC 7501 and what they say together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from orca_tui.status import programs
from orca_tui.status.events import ProgramReported, ProgramState
from orca_tui.status.programs import CHANGE_S, FLICKER_S, MAX_RECORDS, Programs
from orca_tui.status.reading import Reading
from orca_tui.status.record import Kind, Status

LATER = 1000.0


def report(at: float, state: str, path: str = "", **facts: Any) -> ProgramReported:
    segments = tuple(path.split("/")) if path else ()
    return ProgramReported(at=at, state=ProgramState(state), path=segments, **facts)


def after(*reports: ProgramReported, of: Programs | None = None) -> Programs:
    state = of or Programs()
    for one in reports:
        state = programs.reported(state, one)
    return state


def read(*reports: ProgramReported, now: float = LATER) -> Reading:
    reading = programs.read(after(*reports), now)
    assert reading is not None
    return reading


def test_nothing_reported_says_nothing() -> None:
    assert programs.read(Programs(), 0) is None


def test_a_turn_ends_as_the_root_says() -> None:
    working = report(1, "working")

    assert read(working).status is Status.WORKING
    assert read(working, report(2, "done")).status is Status.DONE
    failed = read(working, report(2, "error", message="quota spent"))
    assert (failed.status, failed.kind, failed.message) == (Status.ERROR, Kind.RATE_LIMIT, "quota spent")
    stopped = read(working, report(2, "idle"))
    assert (stopped.status, stopped.interrupted, stopped.ends) == (Status.IDLE, True, 1)


def test_done_without_work_is_no_end() -> None:
    reading = read(report(1, "done"))

    assert (reading.status, reading.ends) == (Status.IDLE, 0)


def test_idle_after_an_end_is_the_same_rest() -> None:
    reading = read(report(1, "working"), report(2, "done"), report(3, "idle"))

    assert (reading.status, reading.ends) == (Status.DONE, 1)


def test_a_report_replaces_its_record() -> None:
    asked = report(1, "blocked", kind=Kind.PERMISSION, message="run ls")

    reading = read(asked, report(2, "blocked"))

    assert (reading.kind, reading.message) == (None, None)


def test_the_root_asks_before_its_children() -> None:
    child = report(2, "blocked", "a", message="child")
    root = report(3, "blocked", message="root")

    assert read(report(1, "working"), child).message == "child"
    assert read(report(1, "working"), child, root).message == "root"


def test_an_ask_keeps_its_name_until_another_one_is_shown() -> None:
    first = report(1, "blocked", message="one")

    assert read(first).ask == read(first, report(2, "blocked", message="one")).ask
    assert read(first).ask != read(first, report(2, "blocked", message="two")).ask
    assert read(first).ask != read(first, report(2, "working"), report(3, "blocked", message="one")).ask


def test_a_root_whose_child_works_is_working() -> None:
    started = [report(1, "working"), report(2, "working", "a")]

    still = read(*started, report(3, "done"))
    ended = read(*started, report(3, "done"), report(4, "clear", "a"))

    assert (still.status, still.subagents) == (Status.WORKING, 1)
    assert (ended.status, ended.ends) == (Status.DONE, 1)


def test_what_a_child_does_at_rest_ends_no_turn() -> None:
    turn = [report(1, "working"), report(2, "done")]

    reading = read(*turn, report(3, "working", "a"), report(4, "clear", "a"))

    assert reading.ends == 1


def test_the_end_of_the_root_drops_what_is_blocked_below_it() -> None:
    reading = read(report(1, "working"), report(2, "blocked", "a"), report(3, "done"))

    assert reading.status is Status.DONE


def test_clear_removes_a_record_and_what_is_below_it() -> None:
    reports = [
        report(1, "idle"),
        report(2, "working", "a"),
        report(3, "blocked", "a/b"),
        report(4, "working", "ab"),
    ]

    left = after(*reports, report(5, "clear", "a"))

    assert set(left.records) == {"", "ab"}
    assert after(*reports, report(5, "clear")).records == {}


def test_a_clear_in_the_middle_of_a_turn_is_no_end() -> None:
    state = after(report(1, "working"), report(2, "clear"), report(3, "idle"))

    assert state.ends == 0


@pytest.mark.parametrize("state", ["working", "blocked"])
def test_a_shell_prompt_drops_what_is_active(state: str) -> None:
    dropped = programs.prompt_shown(after(report(1, state)), 2)

    assert programs.read(dropped, 3) is None


def test_a_shell_prompt_leaves_how_a_turn_ended() -> None:
    ended = programs.prompt_shown(after(report(1, "working"), report(2, "done")), 3)

    reading = programs.read(ended, 4)
    assert reading is not None
    assert reading.status is Status.DONE


def test_a_flicker_is_no_turn_and_is_not_shown() -> None:
    idle, works = report(1, "idle"), report(9, "working")

    assert read(idle, works, now=9 + FLICKER_S / 2).status is Status.IDLE
    assert read(idle, works, now=9 + FLICKER_S / 2).until == pytest.approx(9 + FLICKER_S)
    assert read(idle, works, report(9 + FLICKER_S / 2, "idle")).ends == 0
    assert read(idle, works, now=9 + FLICKER_S).status is Status.WORKING


def test_a_short_turn_that_is_done_is_an_end() -> None:
    assert read(report(1, "working"), report(1.01, "done")).ends == 1


def test_work_after_an_ask_is_shown_at_once() -> None:
    answered = 2 + FLICKER_S / 2

    reading = read(report(1, "idle"), report(2, "blocked"), report(answered, "working"), now=answered)

    assert reading.status is Status.WORKING


def test_the_records_reported_longest_ago_go_first() -> None:
    many = [report(number, "idle", f"s{number}") for number in range(MAX_RECORDS + 10)]

    state = after(*many)

    assert len(state.records) == MAX_RECORDS
    assert "s0" not in state.records
    assert f"s{MAX_RECORDS + 9}" in state.records


def test_progress_is_that_of_the_record_that_is_shown() -> None:
    assert read(report(1, "working", progress=40)).progress == 40
    assert read(report(1, "working", progress=40), report(2, "done")).progress is None


@pytest.mark.parametrize("state", ["idle", "error"])
def test_an_end_just_after_an_interrupt_key_is_the_users_own(state: str) -> None:
    """Pi says error when Esc ends its waiting for another try."""
    records = programs.reported(after(report(1, "working")), report(5, state, message="500"), 4.8)

    reading = programs.read(records, LATER)
    assert reading is not None
    assert (reading.status, reading.interrupted, reading.ends) == (Status.IDLE, True, 1)


@pytest.mark.parametrize("pressed", [3.9, 0.9])
def test_an_error_long_after_the_key_or_of_a_later_turn_is_one(pressed: float) -> None:
    records = programs.reported(
        after(report(1, "working")), report(1.2 if pressed < 1 else 5, "error"), pressed
    )

    reading = programs.read(records, LATER)
    assert reading is not None
    assert reading.status is Status.ERROR


def test_a_turn_that_is_done_in_spite_of_the_key_is_done() -> None:
    records = programs.reported(after(report(1, "working")), report(5, "done"), 4.9)

    reading = programs.read(records, LATER)
    assert reading is not None
    assert reading.status is Status.DONE


def test_a_flicker_after_an_end_is_another_session() -> None:
    """Codex flickers so for `/new`."""
    ended = [report(1, "working"), report(5, "done"), report(6, "idle")]

    reading = read(*ended, report(9, "working"), report(9.02, "idle"))

    assert (reading.status, reading.interrupted, reading.ends) == (Status.IDLE, False, 1)


def test_an_error_is_told_apart_by_its_message() -> None:
    reading = read(report(1, "working"), report(1000, "error", message="usage limit|1795970000"))

    assert (reading.kind, reading.resets_at) == (Kind.RATE_LIMIT, None)
    late = read(report(1, "working"), report(1795960000, "error", message="usage limit|1795970000"))
    assert late.resets_at == 1795970000


def test_a_title_that_spins_for_a_moment_is_a_flicker_only_where_the_records_know_of_no_work() -> None:
    rested = after(report(1, "working"), report(5, "done"))

    assert programs.flickered(rested, 9, 9 + FLICKER_S / 2)
    assert not programs.flickered(rested, 9, 9 + 2 * FLICKER_S)
    assert not programs.flickered(rested, 4.95, 5.01)  # The records have spoken since: it was a turn.
    assert not programs.flickered(after(report(1, "working")), 9, 9.05)
    assert not programs.flickered(Programs(), 9, 9.05)


def test_a_root_that_is_cleared_has_left_until_it_reports_or_a_prompt_is_heard_of() -> None:
    left = after(report(1, "working"), report(5, "done"), report(6, "clear"))

    assert left.left
    assert not programs.reported(left, report(7, "idle")).left
    assert not programs.prompted(left).left
    assert not after(report(1, "working", "sub"), report(2, "clear", "sub")).left
    assert not after(report(2, "clear")).left  # Nobody was there: a terminal was reset.


def said(records: Programs, now: float) -> Reading:
    reading = programs.read(records, now)
    assert reading is not None
    return reading


@pytest.mark.parametrize("session_at", [1.7, 2.2])
def test_work_around_the_change_to_another_session_may_be_the_change_itself(session_at: float) -> None:
    """Claude Code works for 0.3 s to `/clear`."""
    changing = programs.session_shown(after(report(1, "idle")), session_at)
    working = programs.reported(changing, report(2, "working"))

    held, shown = said(working, 2.3), said(working, 2 + CHANGE_S)
    rested = said(programs.reported(working, report(2.3, "idle")), 3)

    assert (held.status, held.undecided, shown.status) == (Status.IDLE, True, Status.WORKING)
    assert (rested.status, rested.interrupted, rested.ends) == (Status.IDLE, False, 0)


@pytest.mark.parametrize(
    "heard", [programs.prompted, lambda found: programs.reported(found, report(2, "blocked"))]
)
def test_after_a_prompt_or_an_ask_in_another_session_its_work_is_shown_at_once(
    heard: Callable[[Programs], Programs],
) -> None:
    changing = programs.session_shown(after(report(1, "idle")), 1.9)
    working = programs.reported(heard(changing), report(2, "working"))

    assert said(working, 2.01).status is Status.WORKING


@pytest.mark.parametrize("first", [(), (report(1.9, "idle"),)])
def test_work_around_the_first_report_of_a_program_may_be_its_start(
    first: tuple[ProgramReported, ...],
) -> None:
    working = after(*first, report(2, "working"))

    held, shown = said(working, 2.3), said(working, 2 + CHANGE_S)
    rested = said(programs.reported(working, report(2.3, "idle")), 3)

    assert (held.status, held.undecided, shown.status) == (Status.IDLE, True, Status.WORKING)
    assert (rested.status, rested.interrupted, rested.ends) == (Status.IDLE, False, 0)


def test_where_hooks_tell_of_prompts_work_without_one_may_be_a_change_that_is_heard_of_later() -> None:
    working = programs.reported(programs.hooked(after(report(1, "idle"))), report(9, "working"))

    held, shown = said(working, 9.3), said(working, 9 + CHANGE_S)
    rested = said(programs.reported(working, report(9.3, "idle")), 10)

    assert (held.status, shown.status) == (Status.IDLE, Status.WORKING)
    assert (rested.status, rested.ends) == (Status.IDLE, 0)
    assert said(programs.prompted(working), 9.01).status is Status.WORKING


def test_a_prompt_counts_for_its_own_turn_alone() -> None:
    ended = after(
        report(1, "idle"),
        report(9, "working"),
        report(11, "done"),
        of=programs.prompted(programs.hooked(Programs())),
    )
    again = programs.reported(ended, report(12, "working"))
    told_over = programs.unprompted(programs.prompted(ended))

    assert said(again, 12.3).status is Status.DONE
    assert said(programs.reported(told_over, report(12, "working")), 12.3).status is Status.DONE


def test_work_long_after_the_change_to_another_session_is_a_turn() -> None:
    changed = programs.session_shown(after(report(1, "idle")), 2)
    working = programs.reported(changed, report(4, "working"))

    assert said(working, 4 + FLICKER_S).status is Status.WORKING
