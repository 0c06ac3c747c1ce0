"""The holder of all panes: what it keeps, hands out and brings back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from orca_tui.base.errors import PaneNotFound
from orca_tui.status.board import MAX_OBSERVATIONS, Board
from orca_tui.status.effects import Persist, Ring, StatusChanged, WakeAt
from orca_tui.status.events import (
    AgentGone,
    Event,
    InterruptPressed,
    ProcessExited,
    ProgramReported,
    ProgramState,
    ReporterHeard,
    Says,
    StateSaid,
    TablePosted,
    TimePassed,
    TurnStarted,
    Watched,
)
from orca_tui.status.news import ASK_SETTLE_S
from orca_tui.status.record import Kind, Source, Status
from orca_tui.status.session_table import ProcessKey, SessionRow, SessionTable
from orca_tui.status.settling import LOST_S
from orca_tui.status.turns import Ask, End, Ending

MakePane = Callable[..., Any]

PROCESS = ProcessKey(pid=7, started=1.25)
OK = End(how=Ending.OK)


def post(at: float, *rows: SessionRow) -> Event:
    table = SessionTable(
        pane="p1",
        process=PROCESS,
        factory=1,
        generation=1,
        seq=round(at * 10),
        host_version="1",
        outlives_dispose=False,
        sessions=rows,
    )
    return TablePosted(at=at, agent="opencode", table=table)


BUSY = SessionRow(id="s1", busy=True, turn=1)
ENDED = SessionRow(id="s1", turn=1, end=OK)
ASKING = SessionRow(id="s1", busy=True, turn=1, asks=(Ask(id="a", kind=Kind.PERMISSION, text="ls"),))


def test_an_unknown_pane_is_refused() -> None:
    board = Board({})

    for use in (board.record, board.explain, board.save, board.close, board.reporters, board.resumable):
        with pytest.raises(PaneNotFound):
            use("p9")
    with pytest.raises(PaneNotFound):
        board.observe("p9", TimePassed(at=1))


def test_panes_are_told_in_the_order_in_which_they_were_opened() -> None:
    board = Board({})
    for pane in ("p2", "p1", "p3"):
        board.open(pane, agent=None, at=0)
    board.close("p1")

    assert [record.pane for record in board.records()] == ["p2", "p3"]


def test_opening_tells_what_is_known() -> None:
    effects = Board({}).open("p1", agent="claude", at=5)

    assert isinstance(effects[0], StatusChanged)
    after = effects[0].after
    assert (after.agent, after.status, after.since, after.confirmed) == ("claude", Status.UNKNOWN, 5, True)
    assert Persist(pane="p1") in effects


def test_panes_do_not_touch_each_other() -> None:
    board = Board({})
    board.open("p1", agent="opencode", at=0)
    board.open("p2", agent="opencode", at=0)

    board.observe("p1", post(1, BUSY))

    assert board.record("p2").status is Status.UNKNOWN


# What is asked of the server.


def test_a_timer_is_asked_for_when_time_alone_can_change_something() -> None:
    board = Board({})
    board.open("p1", agent="opencode", at=0)

    effects = board.observe("p1", post(1, ASKING))

    assert [effect.at for effect in effects if isinstance(effect, WakeAt)] == [1 + ASK_SETTLE_S]


def test_a_timer_that_goes_off_early_is_asked_for_again() -> None:
    board = Board({})
    board.open("p1", agent="opencode", at=0)
    board.observe("p1", post(1, ASKING))

    effects = board.observe("p1", TimePassed(at=1.1))

    assert effects == [WakeAt(pane="p1", at=1 + ASK_SETTLE_S)]


def test_a_heartbeat_that_changes_nothing_stores_and_tells_nothing() -> None:
    board = Board({})
    board.open("p1", agent="opencode", at=0)
    board.observe("p1", post(1, BUSY))

    effects = board.observe("p1", ReporterHeard(at=2, process=PROCESS, polling=True))

    assert [effect for effect in effects if not isinstance(effect, WakeAt)] == []


def test_only_a_process_whose_table_was_taken_is_known() -> None:
    board = Board({})
    board.open("p1", agent="opencode", at=0)
    assert not board.knows("p1", PROCESS)

    board.observe("p1", post(1))

    assert board.knows("p1", PROCESS)
    assert board.reporters("p1") == [PROCESS]
    assert not board.knows("p1", ProcessKey(pid=7, started=2.0))


# Explanations.


def test_explain_tells_what_was_taken_and_why_the_rest_was_not() -> None:
    board = Board({})
    board.open("p1", agent="opencode", at=0)
    board.observe("p1", post(1, BUSY))
    board.observe("p1", StateSaid(at=2, source=Source.TITLE, says=Says.IDLE, detail="title says ready"))

    taken, ignored = board.explain("p1")

    assert (taken.source, taken.what, taken.taken) == ("plugin", "table: s1 busy, turn 1", True)
    assert "status rule 5" in taken.why
    assert (ignored.source, ignored.what, ignored.taken) == ("title", "idle: title says ready", False)
    assert ignored.why == "arbiter rule 1: it ranks below plugin, which is fresh"
    assert (taken.status, ignored.status) == (Status.WORKING, Status.WORKING)


def test_explain_keeps_the_last_observations() -> None:
    board = Board({})
    board.open("p1", agent="opencode", at=0)

    for number in range(1, MAX_OBSERVATIONS + 11):
        board.observe("p1", Watched(at=number, watched=number % 2 == 0))

    assert [one.at for one in board.explain("p1")] == [float(n) for n in range(11, MAX_OBSERVATIONS + 11)]


def test_heartbeats_do_not_push_observations_out() -> None:
    board = Board({})
    board.open("p1", agent="opencode", at=0)
    board.observe("p1", post(1, BUSY))

    for at in range(2, 200):
        board.observe("p1", ReporterHeard(at=at, process=PROCESS, polling=at % 2 == 0))

    assert len(board.explain("p1")) == 1


def test_what_is_told_again_and_again_is_one_observation() -> None:
    board = Board({})
    board.open("p1", agent="opencode", at=0)

    for at in range(1, 30):
        board.observe("p1", StateSaid(at=at, source=Source.TITLE, says=Says.WORKING, detail="spinner"))
    for at in range(30, 60):
        board.observe("p1", post(at, SessionRow(id="s1", busy=True, turn=1, last_message="x" * at)))

    assert [(one.source, one.at) for one in board.explain("p1")] == [("title", 1), ("plugin", 59)]


# Restarts of the server.


def saved(board: Board, *events: Event) -> bytes:
    board.open("p1", agent="opencode", at=0)
    for event in events:
        board.observe("p1", event)
    return board.save("p1")


def test_a_restored_pane_is_as_it_was_unconfirmed_and_rings_for_nothing(timeline: MakePane) -> None:
    before = Board({})
    stored = saved(before, post(1, BUSY), post(2, ENDED))

    pane = timeline("opencode", saved=stored)
    pane.observe(TimePassed(at=20))

    record = pane.record
    assert (record.status, record.unread, record.turns, record.since) == (Status.DONE, True, 1, 2)
    assert (record.confirmed, pane.rings) == (False, [])


def test_a_restored_turn_goes_on_and_its_end_is_news(timeline: MakePane) -> None:
    pane = timeline("opencode", saved=saved(Board({}), post(1, BUSY)))
    pane.observe(TimePassed(at=2))
    assert (pane.record.status, pane.record.confirmed) == (Status.WORKING, False)

    pane.observe(post(5, ENDED))

    assert (pane.record.status, pane.record.confirmed, pane.rings) == (Status.DONE, True, [Status.DONE])
    assert pane.record.turns == 1


def test_a_table_that_repeats_what_was_stored_is_no_news(timeline: MakePane) -> None:
    pane = timeline("opencode", saved=saved(Board({}), post(1, BUSY), post(2, ENDED)))

    pane.observe(post(5, ENDED))

    assert (pane.record.status, pane.record.turns, pane.rings) == (Status.DONE, 1, [])
    assert pane.record.confirmed


def test_a_restored_ask_rings_once_at_most(timeline: MakePane) -> None:
    rung, not_yet = Board({}), Board({})
    stored = saved(rung, post(1, ASKING), TimePassed(at=2))
    early = saved(not_yet, post(1, ASKING))

    first, second = timeline("opencode", saved=stored), timeline("opencode", saved=early)
    for pane in (first, second):
        pane.observe(TimePassed(at=5))
        assert pane.rings == []
        pane.observe(post(6, ASKING))
        pane.run_until(7)

    assert (first.rings, first.record.unread) == ([], True)
    assert second.rings == [Status.WAITING]


def test_nobody_watches_a_restored_pane(timeline: MakePane) -> None:
    pane = timeline("opencode", saved=saved(Board({}), post(1, BUSY), Watched(at=1, watched=True)))

    pane.observe(post(2, ENDED))

    assert (pane.record.unread, pane.rings) == (True, [Status.DONE])


def test_a_restored_pane_whose_reporter_never_comes_back_is_unknown(timeline: MakePane) -> None:
    pane = timeline("opencode", saved=saved(Board({}), post(1, BUSY)))

    pane.run_until(1 + LOST_S)

    assert pane.record.status is Status.UNKNOWN


def test_what_a_terminal_said_holds_over_a_restart(timeline: MakePane) -> None:
    board = Board({})
    stored = saved(board, ProgramReported(at=1, state=ProgramState.IDLE))

    pane = timeline("opencode", saved=stored)
    pane.run_until(5000)

    assert (pane.record.status, pane.record.confirmed) == (Status.IDLE, True)


@pytest.mark.parametrize(
    "stored",
    [b"", b"\x00", msgspec.msgpack.encode({"version": 99, "pane": {}}), b"\x81\xa5later" + b"\x91" * 100_000],
    ids=["empty", "another type", "a later version", "nested too deeply"],
)
def test_what_cannot_be_read_makes_a_pane_that_was_found_running(timeline: MakePane, stored: bytes) -> None:
    pane = timeline("opencode", saved=stored)

    pane.observe(post(1, ENDED))

    assert (pane.record.status, pane.rings) == (Status.IDLE, [])


def test_the_state_of_another_pane_is_not_taken() -> None:
    stored = saved(Board({}), post(1, BUSY))
    board = Board({})

    board.open("p2", agent="opencode", at=5, saved=stored)

    assert board.record("p2").status is Status.UNKNOWN


def test_everything_is_stored() -> None:
    board = Board({})
    events: list[Event] = [
        TurnStarted(at=1, source=Source.HOOK, turn="t"),
        StateSaid(at=1, source=Source.TITLE, says=Says.WORKING, detail="x"),
        ProgramReported(at=1, state=ProgramState.WORKING, path=("a", "b"), progress=3),
        InterruptPressed(at=1.5),
        post(2, ASKING),
    ]
    stored = saved(board, *events, TimePassed(at=3))

    again = Board({})
    again.open("p1", agent=None, at=3, saved=stored)

    twice = Board({})
    twice.open("p1", agent=None, at=3, saved=again.save("p1"))
    assert again.save("p1") == twice.save("p1")
    assert again.record("p1").message == "ls"


def test_what_a_pane_can_be_resumed_by_is_that_of_its_agent_or_its_last_one() -> None:
    board = Board({})
    board.open("p1", agent=None, at=0)
    assert board.resumable("p1") is None

    board.observe("p1", post(1, BUSY))
    assert board.resumable("p1") == ("opencode", "s1")
    board.observe("p1", AgentGone(at=2))

    assert board.resumable("p1") == ("opencode", "s1")
    assert Ring not in {type(effect) for effect in board.observe("p1", TimePassed(at=3))}


def test_a_process_that_has_exited_is_certain_after_a_restart(timeline: MakePane) -> None:
    board = Board({})
    stored = saved(board, post(1, BUSY), ProcessExited(at=2, exit_code=3))

    pane = timeline("opencode", saved=stored)

    assert (pane.record.status, pane.record.exit_code, pane.record.confirmed) == (Status.EXITED, 3, True)
