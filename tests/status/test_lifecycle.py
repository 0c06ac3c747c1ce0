"""Separate events of turns and asks, folded."""

from __future__ import annotations

from typing import Any

from orca_tui.status import lifecycle
from orca_tui.status.events import (
    Asked,
    LifecycleEvent,
    Resolved,
    SessionChanged,
    ToolUsed,
    TurnEnded,
    TurnStarted,
)
from orca_tui.status.lifecycle import Lifecycle
from orca_tui.status.reading import Reading
from orca_tui.status.record import Kind, Source, Status
from orca_tui.status.turns import Ask, End, Ending

HOOK = Source.HOOK


def start(at: float, turn: str | None = None, **facts: Any) -> TurnStarted:
    return TurnStarted(at=at, source=HOOK, turn=turn, **facts)


def end(at: float, turn: str | None = None, how: Ending = Ending.OK, **facts: Any) -> TurnEnded:
    return TurnEnded(at=at, source=HOOK, turn=turn, end=End(how=how), **facts)


def asked(at: float, id: str, kind: Kind = Kind.PERMISSION, turn: str | None = None) -> Asked:
    return Asked(at=at, source=HOOK, ask=Ask(id=id, kind=kind, text=id), turn=turn)


def after(*events: LifecycleEvent) -> Lifecycle:
    state = Lifecycle(source=HOOK)
    for event in events:
        state = lifecycle.told(state, event)
    return state


def read(*events: LifecycleEvent) -> Reading:
    return lifecycle.read(after(*events))


def test_a_turn_runs_from_its_start_to_its_end() -> None:
    assert read().status is Status.IDLE
    assert read(start(1, "t1")).status is Status.WORKING
    assert (read(start(1, "t1"), end(2, "t1")).status, read(start(1, "t1"), end(2, "t1")).ends) == (
        Status.DONE,
        1,
    )


def test_a_second_end_of_a_turn_is_no_end() -> None:
    assert read(start(1, "t1"), end(2, "t1"), end(3, "t1")).ends == 1
    assert read(start(1), end(2), end(3)).ends == 1


def test_an_end_of_an_older_turn_changes_nothing() -> None:
    events = [start(1, "t1"), end(2, "t1"), start(3, "t2")]

    assert after(*events, end(4, "t1")) == after(*events)


def test_an_end_of_another_turn_than_the_running_one_ends_nothing() -> None:
    reading = read(start(1, "t2"), end(2, "t1"))

    assert (reading.status, reading.ends) == (Status.WORKING, 0)


def test_a_start_that_arrives_after_the_end_of_its_turn_changes_nothing() -> None:
    assert read(start(1, "t1"), end(2, "t1"), start(1, "t1")).status is Status.DONE


def test_without_ids_time_tells_what_is_late() -> None:
    assert read(start(1), end(5), start(4)).status is Status.DONE
    assert read(start(1), end(5), start(6)).status is Status.WORKING


def test_an_end_whose_start_was_missed_counts_when_it_has_an_id() -> None:
    assert read(end(1, "t1")).ends == 1
    assert read(end(1)).ends == 0


def test_an_end_with_background_tasks_leaves_it_working() -> None:
    reading = read(start(1, "t1"), end(2, "t1", background=2))

    assert (reading.status, reading.subagents, reading.ends) == (Status.WORKING, 2, 0)
    assert read(start(1, "t1"), end(2, "t1", background=2), end(3, "t1")).ends == 1


def test_a_prompt_that_repeats_the_start_does_not_split_the_turn() -> None:
    reading = read(start(1, "t1", prompt="first"), start(2, "t1"))

    assert (reading.prompt, reading.status) == ("first", Status.WORKING)


def test_the_first_permission_else_the_latest_ask_is_shown() -> None:
    questions = [asked(2, "q1", Kind.QUESTION), asked(3, "q2", Kind.QUESTION)]
    permissions = [asked(4, "p1"), asked(5, "p2")]

    assert read(start(1), *questions).message == "q2"
    assert read(start(1), *questions, *permissions).message == "p1"


def test_an_ask_is_closed_by_its_reply_or_the_end() -> None:
    open = [start(1, "t1"), asked(2, "a", turn="t1"), asked(3, "b", turn="t1")]

    assert read(*open, Resolved(at=4, source=HOOK, ask_id="a")).message == "b"
    assert read(*open, Resolved(at=4, source=HOOK)).status is Status.WORKING
    assert read(*open, end(4, "t1")).status is Status.DONE


def test_a_late_ask_of_an_ended_turn_changes_nothing() -> None:
    assert read(start(1, "t1"), end(2, "t1"), asked(3, "a", turn="t1")).status is Status.DONE


def test_a_late_tool_of_an_ended_turn_changes_nothing() -> None:
    ended = [start(1, "t1"), end(2, "t1")]

    assert read(*ended, ToolUsed(at=3, source=HOOK, turn="t1", tool="bash")).status is Status.DONE
    assert read(*ended, ToolUsed(at=3, source=HOOK, tool="bash")).status is Status.DONE


def test_a_tool_of_a_turn_whose_start_was_missed_shows_that_it_runs() -> None:
    reading = read(ToolUsed(at=1, source=HOOK, turn="t1", tool="bash"))

    assert (reading.status, reading.tool) == (Status.WORKING, "bash")


def test_another_session_is_a_boundary_and_no_end() -> None:
    reading = read(start(1, "t1"), asked(2, "a"), SessionChanged(at=3, source=HOOK, session_id="s2"))

    assert (reading.status, reading.ends, reading.session_id) == (Status.IDLE, 0, "s2")


def test_late_events_of_the_session_before_change_nothing() -> None:
    before = [start(1, "t1"), SessionChanged(at=3, source=HOOK, session_id="s2")]

    assert after(*before, end(4, "t1")) == after(*before)


def test_the_same_session_again_changes_nothing() -> None:
    shown = SessionChanged(at=1, source=HOOK, session_id="s1")

    assert (
        read(shown, start(2, "t1"), SessionChanged(at=3, source=HOOK, session_id="s1")).status
        is Status.WORKING
    )


def test_an_interrupt_that_is_told_from_outside_ends_the_turn_once() -> None:
    state = lifecycle.stopped(after(start(1, "t1")), 5, End(how=Ending.INTERRUPTED))

    reading = lifecycle.read(state)
    assert (reading.status, reading.interrupted, reading.ends) == (Status.IDLE, True, 1)
    assert lifecycle.told(state, end(6, "t1")) is state
    assert lifecycle.read(lifecycle.told(state, start(7, "t2"))).status is Status.WORKING


def test_an_error_tells_what_it_was() -> None:
    failed = TurnEnded(
        at=2,
        source=HOOK,
        end=End(how=Ending.ERROR, kind=Kind.RATE_LIMIT, message="limit", resets_at=9.0),
    )

    reading = read(start(1), failed)

    assert (reading.status, reading.kind, reading.resets_at) == (Status.ERROR, Kind.RATE_LIMIT, 9.0)
