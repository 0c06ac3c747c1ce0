"""What holds for every order of events."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as with_fields

from orca_tui.status.board import Board
from orca_tui.status.effects import Ring
from orca_tui.status.events import (
    AgentGone,
    AgentRecognised,
    Asked,
    Event,
    EvidenceLost,
    EvidenceRegained,
    InterruptPressed,
    Mark,
    ProcessExited,
    ProgramReported,
    ProgramState,
    PromptMarked,
    ReporterDied,
    ReporterHeard,
    Resolved,
    Says,
    Seen,
    SessionChanged,
    StateSaid,
    TablePosted,
    TimePassed,
    ToolUsed,
    TurnEnded,
    TurnStarted,
    Watched,
)
from orca_tui.status.profile import BlindSpot, Missed, Profile
from orca_tui.status.record import Kind, Source, Status, StatusRecord
from orca_tui.status.session_table import ProcessKey, SessionRow, SessionTable
from orca_tui.status.turns import Ask, End, Ending

AGENTS = ("opencode", "claude", "codex")
PROFILES = {
    "claude": Profile(
        emits_program_status=True,
        blind_spots=(
            BlindSpot(source=Source.HOOK, misses=Missed.INTERRUPT, shown_by=(Source.TITLE,), after_s=1.5),
        ),
    ),
    "codex": Profile(emits_program_status=True, first_rest_proves_nothing=True),
}
PROCESSES = (ProcessKey(pid=1, started=1.0), ProcessKey(pid=2, started=2.0))
NEWS = (Status.DONE, Status.ERROR)

agents = st.sampled_from(AGENTS)
sources = st.sampled_from([Source.HOOK, Source.SESSION_FILE])
turns = st.sampled_from([None, "t1", "t2", "t3"])
ends = st.builds(End, how=st.sampled_from(list(Ending)))
asks = st.builds(Ask, id=st.sampled_from("abc"), kind=st.sampled_from([Kind.PERMISSION, Kind.QUESTION]))
rows = st.builds(
    SessionRow,
    id=st.sampled_from(["r", "c", "x"]),
    parent=st.sampled_from([None, "r", "unknown"]),
    busy=st.booleans(),
    turn=st.integers(0, 4),
    end=st.none() | ends,
    asks=st.lists(asks, max_size=2).map(tuple),
    resolved=st.lists(st.sampled_from("abc"), max_size=2).map(tuple),
)
tables = st.builds(
    SessionTable,
    pane=st.just("p1"),
    process=st.sampled_from(PROCESSES),
    factory=st.integers(1, 2),
    generation=st.integers(1, 2),
    seq=st.integers(1, 40),
    host_version=st.just("1"),
    outlives_dispose=st.booleans(),
    gone=st.booleans(),
    sessions=st.lists(rows, max_size=3, unique_by=lambda row: row.id).map(tuple),
)
at = st.just(0.0)  # Set when the events are put in their order.
events: st.SearchStrategy[Event] = st.one_of(
    st.builds(TablePosted, at=at, agent=st.just("opencode"), table=tables),
    st.builds(ReporterHeard, at=at, process=st.sampled_from(PROCESSES), polling=st.booleans()),
    st.builds(ReporterDied, at=at, process=st.sampled_from(PROCESSES)),
    st.builds(TurnStarted, at=at, source=sources, turn=turns),
    st.builds(TurnEnded, at=at, source=sources, end=ends, turn=turns, background=st.sampled_from([0, 0, 1])),
    st.builds(ToolUsed, at=at, source=sources, turn=turns),
    st.builds(Asked, at=at, source=sources, ask=asks, turn=turns),
    st.builds(Resolved, at=at, source=sources, ask_id=st.sampled_from([None, "a", "b"])),
    st.builds(SessionChanged, at=at, source=sources, session_id=st.sampled_from(["s1", "s2"])),
    st.builds(
        ProgramReported,
        at=at,
        state=st.sampled_from(list(ProgramState)),
        path=st.sampled_from([(), (), ("a",), ("a", "b")]),
        agent=st.none() | agents,
        message=st.sampled_from([None, "m"]),
    ),
    st.builds(
        StateSaid,
        at=at,
        source=st.sampled_from([Source.TITLE, Source.SCREEN]),
        says=st.sampled_from(list(Says)),
        detail=st.just(""),
    ),
    st.builds(PromptMarked, at=at, mark=st.sampled_from(list(Mark))),
    st.builds(InterruptPressed, at=at),
    st.builds(AgentRecognised, at=at, source=st.just(Source.PROCESS), agent=agents),
    st.builds(AgentGone, at=at),
    st.builds(EvidenceLost, at=at, why=st.just("")),
    st.builds(EvidenceRegained, at=at),
    st.builds(Watched, at=at, watched=st.booleans()),
    st.builds(Seen, at=at),
    st.builds(TimePassed, at=at),
)
pauses = st.sampled_from([0.0, 0.05, 0.2, 0.4, 1.0, 3.0, 11.0, 40.0])
scripts = st.lists(st.tuples(events, pauses), max_size=40)
exits = st.none() | st.integers(0, 40)


def in_order(script: list[tuple[Event, float]], exit_at: int | None) -> Iterator[Event]:
    now = 1.0
    for index, (event, pause) in enumerate(script):
        now += pause
        if index == exit_at:
            yield ProcessExited(at=now, exit_code=0)
        yield replace(event, at=now)


def tells_of_turn(event: Event) -> bool:
    """The event may show that a turn ran."""
    match event:
        case TablePosted(table=table):
            return any(row.turn > 0 and (row.busy or row.end) for row in table.sessions)
        case ProgramReported(state=state):
            return state is ProgramState.WORKING
        case StateSaid(says=says):
            return says is Says.WORKING
        case TurnStarted() | TurnEnded() | ToolUsed():
            return True
        case _:
            return False


@dataclass
class Watcher:
    """Sees every step of a pane, and complains."""

    record: StatusRecord
    turn_told: bool = False
    exited: bool = False
    watched: bool = False
    end_rings: int = 0
    ask_rings: int = 0
    asks: set[tuple[str, str | None]] = field(default_factory=set)

    def step(self, event: Event, effects: list[Any], after: StatusRecord) -> None:
        before, self.record = self.record, after
        self.turn_told |= tells_of_turn(event)
        self.watched = event.watched if isinstance(event, Watched) else self.watched
        rings = [effect.why for effect in effects if isinstance(effect, Ring)]

        assert after.since >= before.since
        assert after.since == before.since or after.status is not before.status
        assert after.turns >= before.turns
        if after.status is Status.DONE and before.status is not Status.DONE:
            assert self.turn_told, "done without a turn"
            assert after.turns > before.turns
        if self.exited:
            assert after.status is Status.EXITED, "a status from a dead process"
        self.exited |= isinstance(event, ProcessExited)
        if after.unread:
            assert after.status in (*NEWS, Status.WAITING, Status.EXITED)
        assert len(rings) <= 1
        if rings:
            assert not self.watched
            assert after.unread
            assert rings[0] is after.status
        self.end_rings += sum(why in NEWS for why in rings)
        assert self.end_rings <= after.turns, "an end rang twice"
        if after.status is not Status.WAITING:
            assert after.kind is None or after.status is Status.ERROR


@settings(max_examples=400, deadline=None)
@given(script=scripts, exit_at=exits, agent=st.none() | agents)
def test_no_order_of_events_breaks_the_promises(
    script: list[tuple[Event, float]], exit_at: int | None, agent: str | None
) -> None:
    board = Board(PROFILES)
    board.open("p1", agent=agent, at=0)
    watcher = Watcher(record=board.record("p1"))

    for event in in_order(script, exit_at):
        effects = board.observe("p1", event)
        watcher.step(event, effects, board.record("p1"))


@settings(max_examples=150, deadline=None)
@given(script=scripts, cut=st.integers(0, 40))
def test_a_restart_at_any_moment_rings_for_nothing_and_changes_no_status(
    script: list[tuple[Event, float]], cut: int
) -> None:
    board, again = Board(PROFILES), Board(PROFILES)
    board.open("p1", agent=None, at=0)
    now = 0.0
    for event in list(in_order(script, None))[:cut]:
        board.observe("p1", event)
        now = event.at
    before = board.record("p1")

    effects = again.open("p1", agent=None, at=now, saved=board.save("p1"))

    after = again.record("p1")
    assert not [effect for effect in effects if isinstance(effect, Ring)]
    assert (after.turns, after.agent, after.since >= before.since) == (before.turns, before.agent, True)
    if after.status is before.status:
        comparable = with_fields(
            before, confirmed=after.confirmed, evidence=after.evidence, unread=after.unread
        )
        assert with_fields(after, tool=before.tool, subagents=before.subagents) == comparable


# Tables that are lost, late or repeated.


class Host:
    """A host with one root and a child, whose plugin posts a table after everything that happens.

    The root does not end while its child asks: whether an ask came before or after an end is told by the order
    of tables alone.
    """

    def __init__(self, seed: int) -> None:
        self._choose = random.Random(seed)
        self._rows = {
            "root": SessionRow(id="root"),
            "child": SessionRow(id="child", parent="root"),
        }
        self._asks = 0

    def tables(self, count: int) -> list[SessionTable]:
        found = []
        for seq in range(1, count + 1):
            self._happens()
            found.append(self._table(seq))
        return found

    def _happens(self) -> None:
        id = "child" if self._rows["child"].asks else self._choose.choice(["root", "root", "child"])
        row = self._rows[id]
        if not row.busy:
            self._rows[id] = replace(row, busy=True, turn=row.turn + 1, end=None)
        elif self._choose.random() < 0.3:
            self._asks += 1
            ask = Ask(id=f"a{self._asks}", kind=self._choose.choice([Kind.PERMISSION, Kind.QUESTION]))
            self._rows[id] = replace(row, asks=(*row.asks, ask))
        elif row.asks and self._choose.random() < 0.5:
            self._rows[id] = replace(row, asks=row.asks[1:], resolved=(*row.resolved, row.asks[0].id))
        else:
            self._end(id, row)

    def _end(self, id: str, row: SessionRow) -> None:
        end = End(how=self._choose.choice(list(Ending)))
        resolved = (*row.resolved, *(ask.id for ask in row.asks))
        self._rows[id] = replace(row, busy=False, end=end, asks=(), resolved=resolved)

    def _table(self, seq: int) -> SessionTable:
        return SessionTable(
            pane="p1",
            process=PROCESSES[0],
            factory=1,
            generation=1,
            seq=seq,
            host_version="1",
            outlives_dispose=False,
            sessions=tuple(self._rows.values()),
        )


def final(tables: list[SessionTable]) -> StatusRecord:
    board = Board(PROFILES)
    board.open("p1", agent="opencode", at=0)
    board.observe("p1", ReporterHeard(at=0, process=PROCESSES[0], polling=True))
    for table in tables:
        board.observe("p1", TablePosted(at=1, agent="opencode", table=table))
    return board.record("p1")


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(), count=st.integers(1, 25), data=st.data())
def test_the_last_table_heals_whatever_was_lost_late_or_repeated(
    seed: int, count: int, data: st.DataObject
) -> None:
    everything = Host(seed).tables(count)
    delivered = data.draw(st.lists(st.sampled_from(everything), max_size=30))

    whole, patchy = final(everything), final([*delivered, everything[-1]])

    told = [(r.status, r.kind, r.message, r.session_id, r.subagents) for r in (whole, patchy)]
    assert told[0] == told[1]
