"""The reporting processes of a pane, and what they say together."""

from __future__ import annotations

from typing import Any

from orca_tui.status import reporters
from orca_tui.status.events import TablePosted
from orca_tui.status.reading import Reading
from orca_tui.status.record import Kind, Status
from orca_tui.status.reporters import MAX_PROCESSES, SILENCE_S, Reporters
from orca_tui.status.session_table import UNKNOWN_PARENT, ProcessKey, Retry, SessionRow, SessionTable
from orca_tui.status.turns import Ask, End, Ending

FIRST, SECOND = ProcessKey(pid=1, started=1.0), ProcessKey(pid=2, started=2.0)
OK = End(how=Ending.OK)


def post(
    at: float,
    *rows: SessionRow,
    seq: int = 0,
    process: ProcessKey = FIRST,
    agent: str = "opencode",
    **facts: Any,
) -> TablePosted:
    table = SessionTable(
        pane="p1",
        process=process,
        factory=1,
        generation=1,
        seq=seq or round(at * 10),
        host_version="1",
        outlives_dispose=False,
        sessions=rows,
        **facts,
    )
    return TablePosted(at=at, agent=agent, table=table)


def row(id: str, **facts: Any) -> SessionRow:
    return SessionRow(id=id, **{"turn": 1, **facts})


def ask(id: str, kind: Kind) -> Ask:
    return Ask(id=id, kind=kind, text=f"text of {id}")


def after(*posts: TablePosted) -> Reporters:
    state = Reporters()
    for one in posts:
        state = reporters.posted(state, one)
    return state


def read(state: Reporters, now: float, agent: str = "opencode") -> Reading:
    reading = reporters.read(state, agent, now)
    assert reading is not None
    return reading


# What is shown of several sessions.


def test_a_plugin_without_sessions_says_idle() -> None:
    assert read(after(post(1)), 1).status is Status.IDLE


def test_the_first_permission_comes_before_any_question() -> None:
    state = after(
        post(1, row("a", busy=True, asks=(ask("q1", Kind.QUESTION),))),
        post(2, row("a", busy=True, asks=(ask("q1", Kind.QUESTION), ask("p1", Kind.PERMISSION)))),
        post(
            3,
            row("a", busy=True, asks=(ask("q1", Kind.QUESTION), ask("p1", Kind.PERMISSION))),
            row("b", busy=True, asks=(ask("p2", Kind.PERMISSION),)),
        ),
    )

    reading = read(state, 3)

    assert (reading.status, reading.kind, reading.message) == (Status.WAITING, Kind.PERMISSION, "text of p1")


def test_without_a_permission_the_latest_question_is_shown() -> None:
    first, second = row("a", busy=True, asks=(ask("q1", Kind.QUESTION),)), None
    second = row("b", busy=True, asks=(ask("q2", Kind.QUESTION),))

    assert read(after(post(1, first), post(2, first, second)), 2).message == "text of q2"


def test_what_a_child_asks_is_shown_under_its_root() -> None:
    root = row("root", busy=True, prompt="do it")
    child = row("child", parent="root", busy=True, asks=(ask("p", Kind.PERMISSION),))

    reading = read(after(post(1, root, child)), 1)

    assert (reading.status, reading.session_id, reading.prompt) == (Status.WAITING, "root", "do it")


def test_a_root_whose_child_still_works_is_working_under_its_root() -> None:
    root, child = row("root", busy=True), row("child", parent="root", busy=True)

    reading = read(after(post(1, root, child), post(2, row("root", end=OK), child)), 2)

    assert (reading.status, reading.session_id, reading.subagents) == (Status.WORKING, "root", 1)


def test_the_latest_busy_root_is_shown_before_later_children() -> None:
    state = after(
        post(1, row("a", busy=True)),
        post(2, row("a", busy=True), row("b", busy=True)),
        post(3, row("a", busy=True), row("b", busy=True), row("c", parent="a", busy=True)),
    )

    assert read(state, 3).session_id == "b"


def test_a_session_of_unknown_lineage_makes_the_pane_busy_and_its_end_only_takes_that_back() -> None:
    lost = row("x", parent=UNKNOWN_PARENT, busy=True)
    state = after(post(1, lost))

    assert read(state, 1).status is Status.WORKING
    assert read(state, 1).subagents == 0
    rested = read(reporters.posted(state, post(2, row("x", parent=UNKNOWN_PARENT, end=OK))), 2)
    assert (rested.status, rested.ends) == (Status.IDLE, 0)


def test_the_last_end_of_a_root_is_shown_at_rest() -> None:
    failed = End(how=Ending.ERROR, kind=Kind.RATE_LIMIT, message="slow down", resets_at=99.0)
    state = after(
        post(1, row("a", busy=True), row("b", busy=True)),
        post(2, row("a", end=OK), row("b", busy=True)),
        post(3, row("a", end=OK), row("b", end=failed, last_message="hm")),
    )

    reading = read(state, 3)

    assert (reading.status, reading.kind, reading.message) == (Status.ERROR, Kind.RATE_LIMIT, "slow down")
    assert (reading.resets_at, reading.last_message, reading.ends) == (99.0, "hm", 2)


def test_a_new_session_is_shown_at_rest() -> None:
    ended = row("old", end=OK)

    assert read(after(post(1, ended), post(2, ended, row("new", turn=0))), 2).session_id == "new"


def test_a_retry_is_told_while_it_works() -> None:
    waits = row("a", busy=True, retry=Retry(attempt=3, message="overloaded", next_at=50.0))

    reading = read(after(post(1, waits)), 1)

    assert (reading.status, reading.message, reading.resets_at) == (Status.WORKING, "overloaded", 50.0)


# Several processes, and silence.


def test_a_process_is_fresh_for_a_while_after_it_was_heard() -> None:
    state = after(post(1, row("a", busy=True)))

    assert read(state, 1 + SILENCE_S - 0.1).fresh
    assert read(state, 1).until == 1 + SILENCE_S
    assert not read(state, 1 + SILENCE_S).fresh


def test_a_process_that_polls_stays_fresh() -> None:
    state = reporters.heard(after(post(1, row("a", busy=True))), FIRST, 2, polling=True)

    assert read(state, 500).fresh
    silent = reporters.heard(state, FIRST, 600, polling=False)
    assert not read(silent, 600 + SILENCE_S).fresh


def test_a_poll_that_overtakes_the_first_table_keeps_the_process_fresh() -> None:
    first = post(at=1.0)
    early = reporters.heard(Reporters(), first.table.process, 0.9, polling=True)

    state = reporters.posted(early, first)

    assert read(state, SILENCE_S * 100).fresh
    ended = reporters.heard(state, first.table.process, 2.0, polling=False)
    assert not read(ended, SILENCE_S * 100).fresh


def test_a_poll_that_ended_before_the_first_table_keeps_nothing_fresh() -> None:
    first = post(at=1.0)
    opened = reporters.heard(Reporters(), first.table.process, 0.8, polling=True)
    closed = reporters.heard(opened, first.table.process, 0.9, polling=False)

    state = reporters.posted(closed, first)

    assert not read(state, SILENCE_S * 100).fresh


def test_a_silent_process_is_not_consulted_beside_a_fresh_one() -> None:
    state = after(post(1, row("a", busy=True)), post(100, row("b", turn=0), process=SECOND))

    assert read(state, 100).status is Status.IDLE


def test_processes_are_read_together() -> None:
    state = after(post(1, row("a", busy=True)), post(2, row("b", end=OK), process=SECOND))

    assert read(state, 2).status is Status.WORKING
    assert read(state, 2).ends == 1


def test_nothing_that_a_dead_process_said_holds() -> None:
    state = reporters.died(after(post(1, row("a", busy=True))), FIRST)

    assert reporters.read(state, "opencode", 1) is None


def test_ends_of_processes_that_died_stay_counted() -> None:
    state = reporters.died(after(post(1, row("a", end=OK))), FIRST)
    state = reporters.posted(state, post(2, row("b", end=OK), process=SECOND))

    assert read(state, 2).ends == 2


def test_another_agents_processes_are_not_consulted() -> None:
    state = after(post(1, row("a", busy=True), agent="other"))

    assert reporters.read(state, "opencode", 1) is None


def test_after_a_restart_a_process_is_awaited_until_it_is_heard_and_not_for_ever() -> None:
    state = reporters.restarted(after(post(1, row("a", busy=True))), 50)

    reading = read(state, 50)
    assert (reading.awaited, reading.status, reading.heard_at) == (True, Status.WORKING, 50)
    assert not read(reporters.heard(state, FIRST, 51, polling=True), 51).awaited
    assert not read(state, 50 + SILENCE_S).fresh


def test_after_a_restart_one_process_waits_for_another() -> None:
    state = after(post(1, row("a", busy=True)), post(2, row("b", turn=0), process=SECOND))
    state = reporters.heard(reporters.restarted(state, 50), SECOND, 51, polling=True)

    assert read(state, 52).status is Status.WORKING
    assert read(state, 50 + SILENCE_S).status is Status.IDLE


def test_a_released_process_is_not_consulted_until_it_says_something_new() -> None:
    state = reporters.released(after(post(1, row("a", busy=True))), "opencode")

    assert reporters.read(state, "opencode", 1) is None
    assert reporters.read(reporters.heard(state, FIRST, 2, polling=True), "opencode", 2) is None
    assert read(reporters.posted(state, post(3, row("a", busy=True))), 3).status is Status.WORKING


def test_the_agent_that_lives_is_the_one_heard_last_with_its_plugin_loaded() -> None:
    state = after(post(1, row("a")), post(2, row("b"), process=SECOND, agent="other"))

    assert reporters.living_agent(state, 3) == "other"
    assert reporters.living_agent(state, 100) is None
    gone = reporters.posted(state, post(3, gone=True, process=SECOND, agent="other"))
    assert reporters.living_agent(gone, 3) == "opencode"


def test_only_so_many_processes_are_remembered() -> None:
    processes = [ProcessKey(pid=pid, started=0.0) for pid in range(1, MAX_PROCESSES + 3)]

    state = after(*(post(pid.pid, process=pid) for pid in processes))

    assert len(state.by_process) == MAX_PROCESSES
    assert not state.knows(processes[0])
    assert state.knows(processes[-1])
