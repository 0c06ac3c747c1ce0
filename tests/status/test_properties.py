"""What holds for every order of events."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as with_fields

from orca_tui.status.arbiter import RANKS
from orca_tui.status.board import Board
from orca_tui.status.effects import Ring
from orca_tui.status.events import (
    Event,
    InterruptPressed,
    ProcessExited,
    ProgramReported,
    ProgramState,
    Says,
    StateSaid,
    TablePosted,
    TimePassed,
    ToolUsed,
    TurnEnded,
    TurnStarted,
    Watched,
)
from orca_tui.status.machine import advance
from orca_tui.status.pane import Pane, readings
from orca_tui.status.reading import CLAIMS
from orca_tui.status.record import Source, Status, StatusRecord
from tests.status.strategies import PROFILES, agents, exits, in_order, scripts

NEWS = (Status.DONE, Status.ERROR)


def blank(agent: str | None) -> Pane:
    return Pane(record=StatusRecord(pane="p1", agent=agent), now=0.0, child_is_agent=agent is not None)


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

    pane: Pane
    turn_told: bool = False
    exited: bool = False
    watched: bool = False
    end_rings: int = 0
    rung_asks: set[str] = field(default_factory=set)

    def step(self, event: Event, after: Pane, rings: list[Status]) -> None:
        before, self.pane = self.pane, after
        self.turn_told |= tells_of_turn(event)
        self.watched = event.watched if isinstance(event, Watched) else self.watched
        self._times(before.record, after.record)
        self._ends(before, after)
        self._news(after, rings)
        if self.exited:
            assert after.record.status is Status.EXITED, "a status from a dead process"
        self.exited |= isinstance(event, ProcessExited)

    def _times(self, before: StatusRecord, after: StatusRecord) -> None:
        assert after.since >= before.since
        assert after.since == before.since or after.status is not before.status
        assert after.since <= self.pane.now
        assert after.turns >= before.turns

    def _ends(self, before: Pane, pane: Pane) -> None:
        after = pane.record
        if after.status is Status.DONE and before.record.status is not Status.DONE:
            assert self.turn_told, "done without a turn"
            shown_again = before.aside is not None and before.aside.status is Status.DONE
            assert after.turns > before.record.turns or shown_again
        if after.status is Status.DONE and after.confirmed and after.evidence is not None:
            rank = RANKS.index(after.evidence.source)
            above = [r for r in readings(pane, PROFILES) if r.fresh and RANKS.index(r.source) < rank]
            trusted = [r for r in above if r.source in (Source.PLUGIN, Source.HOOK, Source.SESSION_FILE)]
            assert not [r for r in trusted if r.status in CLAIMS], "done while a better source says working"

    def _news(self, pane: Pane, rings: list[Status]) -> None:
        record = pane.record
        if record.unread:
            assert record.status in (*NEWS, Status.WAITING, Status.EXITED)
        assert len(rings) <= 1
        if rings:
            assert not self.watched
            assert record.unread
            assert rings[0] is record.status
            assert rings[0] is Status.WAITING or not record.interrupted
        self.end_rings += sum(why in NEWS for why in rings)
        assert self.end_rings <= record.turns, "an end rang twice"
        if Status.WAITING in rings:
            assert pane.rung[-1] not in self.rung_asks, "an ask rang twice"
            self.rung_asks.add(pane.rung[-1])
        if record.status is Status.WAITING:
            asking = [r for r in readings(pane, PROFILES) if r.status is Status.WAITING]
            assert asking or not pane.reachable, "waiting outlived everything that asked"
        if record.status not in (Status.WAITING, Status.ERROR):
            assert record.kind is None


def run(pane: Pane, script: list[Event]) -> tuple[Pane, list[Any]]:
    everything: list[Any] = []
    for event in script:
        pane, outcomes = advance(pane, event, PROFILES)
        everything += outcomes
    return pane, everything


@settings(max_examples=300, deadline=None)
@given(script=scripts, exit_at=exits, agent=st.none() | agents)
def test_no_order_of_events_breaks_the_promises(
    script: list[tuple[Event, float]], exit_at: int | None, agent: str | None
) -> None:
    pane = blank(agent)
    watcher = Watcher(pane=pane)

    for event in in_order(script, exit_at):
        pane, outcomes = advance(pane, event, PROFILES)
        watcher.step(event, pane, [effect.why for effect in outcomes if isinstance(effect, Ring)])


@settings(max_examples=150, deadline=None)
@given(script=scripts, agent=st.none() | agents)
def test_the_same_events_always_lead_to_the_same(
    script: list[tuple[Event, float]], agent: str | None
) -> None:
    told = list(in_order(script))

    assert run(blank(agent), told) == run(blank(agent), told)


@settings(max_examples=150, deadline=None)
@given(script=scripts, agent=st.none() | agents)
def test_everything_that_is_known_survives_being_stored(
    script: list[tuple[Event, float]], agent: str | None
) -> None:
    pane, _ = run(blank(agent), list(in_order(script)))

    assert msgspec.msgpack.decode(msgspec.msgpack.encode(pane), type=Pane) == pane


@settings(max_examples=150, deadline=None)
@given(script=scripts, cut=st.integers(0, 40))
def test_a_restart_at_any_moment_rings_for_nothing_and_changes_no_status(
    script: list[tuple[Event, float]], cut: int
) -> None:
    board, again = Board(PROFILES), Board(PROFILES)
    board.open("p1", agent=None, at=0)
    now = 0.0
    for event in list(in_order(script))[:cut]:
        board.observe("p1", event)
        now = event.at
    before = board.record("p1")

    effects = again.open("p1", agent=None, at=now, saved=board.save("p1"))

    after = again.record("p1")
    assert not [effect for effect in effects if isinstance(effect, Ring)]
    assert (after.turns, after.agent, after.since >= before.since) == (before.turns, before.agent, True)
    if (after.status, after.evidence) == (before.status, before.evidence):  # A silent reporter is given time.
        kept = with_fields(before, confirmed=after.confirmed, unread=after.unread)
        assert with_fields(after, tool=before.tool, subagents=before.subagents) == kept


@settings(max_examples=200, deadline=None)
@given(
    script=scripts,
    jump=st.sampled_from([-86400.0, -7200.0, -31.0, 7200.0, 86400.0]),
    cut=st.integers(0, 40),
    agent=st.none() | agents,
)
def test_a_clock_that_jumps_makes_nothing_done_and_stops_no_timer(
    script: list[tuple[Event, float]], jump: float, cut: int, agent: str | None
) -> None:
    told = [event for event in in_order(script) if not isinstance(event, InterruptPressed)]
    before, _ = run(blank(agent), told[:cut])
    before, _ = run(before, [TimePassed(at=before.now)])  # Whatever was due has been seen to.

    after, effects = run(before, [TimePassed(at=before.now + jump)])

    assert after.now == before.now + jump
    assert after.record.turns == before.record.turns or before.record.status in CLAIMS
    assert after.record.since <= after.now
    if after.wake_at is not None:
        assert after.wake_at > after.now
    if jump < 0:
        assert after.record.status is before.record.status
        rung = [effect for effect in effects if isinstance(effect, Ring)]
        assert not rung
