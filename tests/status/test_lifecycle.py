"""Separate events of turns and asks, folded."""

from __future__ import annotations

from orca_tui.status import lifecycle
from orca_tui.status.events import (
    LifecycleEvent,
    Resolved,
    SessionChanged,
    ToolUsed,
    TurnEnded,
)
from orca_tui.status.lifecycle import Lifecycle
from orca_tui.status.reading import Reading
from orca_tui.status.record import Kind, Status
from orca_tui.status.turns import End, Ending
from tests.status.told import HOOK, asked, child, child_ended, end, resolved, start, tool


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


# Sub-agents.


def test_the_ask_of_a_sub_agent_makes_the_agent_wait() -> None:
    events = [start(1, "t1"), child(2), asked(3, "a", child="c")]

    assert (read(*events).status, read(*events).subagents) == (Status.WAITING, 1)
    assert read(*events, resolved(4, "a", child="c")).status is Status.WORKING
    assert read(*events, child_ended(4)).status is Status.WORKING


def test_the_end_of_a_sub_agent_never_ends_the_turn() -> None:
    reading = read(start(1, "t1"), child(2), child_ended(3))

    assert (reading.status, reading.subagents, reading.ends) == (Status.WORKING, 0, 0)


def test_an_answer_to_the_agent_is_none_to_its_sub_agent() -> None:
    events = [start(1, "t1"), asked(2, "a"), asked(3, "b", child="c")]

    assert read(*events, resolved(4)).message == "b"
    assert read(*events, resolved(4, child="c")).message == "a"


def test_an_end_without_background_ends_all_sub_agents() -> None:
    lost = [start(1, "t1"), child(2), end(3, "t1", background=1), start(4, "t2"), end(5, "t2")]

    assert (read(*lost[:3]).status, read(*lost[:3]).subagents) == (Status.WORKING, 1)
    assert (read(*lost).status, read(*lost).subagents) == (Status.DONE, 0)


def test_what_a_sub_agent_asks_outlives_the_answer_of_the_agent() -> None:
    events = [start(1, "t1"), child(2), asked(3, "a", child="c"), end(4, "t1", background=1)]

    assert read(*events).status is Status.WAITING
    assert read(*events, resolved(5, "a", child="c")).status is Status.WORKING


def test_a_note_tells_what_runs_in_the_background() -> None:
    events = [start(1, "t1"), end(2, "t1", background=1, background_note="1 shell still running")]

    assert read(*events).message == "1 shell still running"
    assert read(*events, start(3, "t2")).message is None


def test_a_sub_agent_that_has_ended_does_not_run_again_nor_ask() -> None:
    events = [start(1, "t1"), child_ended(3), child(2), asked(2.5, "a", child="c")]

    assert (read(*events).status, read(*events).subagents) == (Status.WORKING, 0)


def test_the_end_of_a_sub_agent_that_never_began_makes_nothing_run() -> None:
    assert read(child_ended(1)).status is Status.IDLE
    assert read(start(1, "t1"), end(2, "t1"), child_ended(3)).status is Status.DONE


def test_a_sub_agent_that_runs_at_rest_is_no_turn() -> None:
    reading = read(start(1, "t1"), end(2, "t1"), child(3))

    assert (reading.status, reading.is_turn, reading.ends) == (Status.WORKING, False, 1)


def test_a_tool_of_a_sub_agent_is_not_the_agents_own() -> None:
    assert read(start(1, "t1"), tool(2, "t1", child="c")).tool is None


# Answers in any order.


def test_an_answer_that_overtakes_its_ask_closes_it() -> None:
    assert read(start(1, "t1"), resolved(3, "a"), asked(2, "a")).status is Status.WORKING


def test_an_answer_to_whatever_is_open_leaves_what_is_asked_later() -> None:
    assert read(start(1), asked(2, "a"), asked(5, "b"), resolved(4)).message == "b"


def test_a_start_that_arrives_after_its_ask_leaves_it_open() -> None:
    assert read(asked(2, "a", turn="t1"), start(1, "t1")).status is Status.WAITING
    assert read(asked(2, "a"), start(1)).status is Status.WAITING


def test_a_tool_answers_no_ask_for_others_of_its_batch_go_on() -> None:
    assert read(start(1, "t1"), asked(2, "a"), tool(3, "t1", "Read")).status is Status.WAITING


def test_a_witness_may_answer_for_the_user() -> None:
    state = lifecycle.answered(after(start(1, "t1"), asked(2, "a"), asked(9, "b")), 5)

    assert lifecycle.read(state).message == "b"
    assert lifecycle.told(state, asked(2, "a")) is state


# Sessions.


def test_the_first_session_gets_its_name_and_ends_nothing() -> None:
    assert read(SessionChanged(at=1, source=HOOK, session_id="s1")).session_id == "s1"
    assert not lifecycle.crosses(after(), SessionChanged(at=1, source=HOOK, session_id="s1"))


def test_a_session_after_turns_without_one_is_another() -> None:
    assert lifecycle.crosses(after(start(1, "t1")), SessionChanged(at=2, source=HOOK, session_id="s1"))


def test_a_prompt_that_waited_runs_after_the_turn_before_it() -> None:
    queued = [start(1, "t1"), start(2, "t2"), end(5, "t1")]

    assert (read(*queued).status, read(*queued).ends) == (Status.WORKING, 0)
    assert read(*queued, end(9, "t2")).ends == 1
