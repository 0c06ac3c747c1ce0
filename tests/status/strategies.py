"""Events of every kind in any order, for properties that hold for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hypothesis import strategies as st

from orca_tui.status.events import (
    AgentGone,
    AgentRecognised,
    Asked,
    ChildEnded,
    ChildStarted,
    Event,
    EvidenceLost,
    EvidenceRegained,
    InterruptPressed,
    Mark,
    ProcessExited,
    ProgramReported,
    ProgramState,
    ProgressShown,
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
from orca_tui.status.record import Kind, Source
from orca_tui.status.session_table import ProcessKey, SessionRow, SessionTable
from orca_tui.status.turns import Ask, End, Ending

AGENTS = ("opencode", "claude", "codex")
WITNESSES = (Source.SESSION_FILE, Source.TITLE, Source.SCREEN)
PROFILES = {
    "claude": Profile(
        emits_program_status=True,
        blind_spots=tuple(
            BlindSpot(source=source, misses=missed, shown_by=WITNESSES, after_s=0.7)
            for source in (Source.HOOK, Source.SESSION_FILE)
            for missed in Missed
        ),
    ),
    "codex": Profile(emits_program_status=True, first_rest_proves_nothing=True),
}
"""One agent misses everything, one nothing, and one is not known."""
PROCESSES = (ProcessKey(pid=1, started=1.0), ProcessKey(pid=2, started=2.0))

agents = st.sampled_from(AGENTS)
sources = st.sampled_from([Source.HOOK, Source.HOOK, Source.SESSION_FILE])
turns = st.sampled_from([None, "t1", "t2", "t3"])
children = st.sampled_from([None, None, "c1", "c2"])
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
plugin_events: st.SearchStrategy[Event] = st.one_of(
    st.builds(TablePosted, at=at, agent=st.just("opencode"), table=tables),
    st.builds(ReporterHeard, at=at, process=st.sampled_from(PROCESSES), polling=st.booleans()),
    st.builds(ReporterDied, at=at, process=st.sampled_from(PROCESSES)),
)
lifecycle_events: st.SearchStrategy[Event] = st.one_of(
    st.builds(TurnStarted, at=at, source=sources, turn=turns, session_id=st.sampled_from([None, "s1", "s2"])),
    st.builds(TurnEnded, at=at, source=sources, end=ends, turn=turns, background=st.sampled_from([0, 0, 1])),
    st.builds(ToolUsed, at=at, source=sources, turn=turns, child=children),
    st.builds(ChildStarted, at=at, source=sources, child=st.sampled_from(["c1", "c2"])),
    st.builds(ChildEnded, at=at, source=sources, child=st.sampled_from(["c1", "c2"])),
    st.builds(Asked, at=at, source=sources, ask=asks, turn=turns, child=children),
    st.builds(Resolved, at=at, source=sources, ask_id=st.sampled_from([None, "a", "b"]), child=children),
    st.builds(SessionChanged, at=at, source=sources, session_id=st.sampled_from(["s1", "s2"])),
)
terminal_events: st.SearchStrategy[Event] = st.one_of(
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
        source=st.sampled_from([*WITNESSES, Source.PROGRESS, Source.OUTPUT]),
        says=st.sampled_from(list(Says)),
        detail=st.just(""),
    ),
    st.builds(ProgressShown, at=at, percent=st.none() | st.integers(0, 100)),
    st.builds(PromptMarked, at=at, mark=st.sampled_from(list(Mark))),
    st.builds(InterruptPressed, at=at),
)
process_events: st.SearchStrategy[Event] = st.one_of(
    st.builds(AgentRecognised, at=at, source=st.just(Source.PROCESS), agent=agents),
    st.builds(AgentGone, at=at),
    st.builds(EvidenceLost, at=at, why=st.just("")),
    st.builds(EvidenceRegained, at=at),
)
user_events: st.SearchStrategy[Event] = st.one_of(
    st.builds(Watched, at=at, watched=st.booleans()),
    st.builds(Seen, at=at),
    st.builds(TimePassed, at=at),
)
events = st.one_of(
    plugin_events,
    lifecycle_events,
    lifecycle_events,
    terminal_events,
    terminal_events,
    process_events,
    user_events,
)
pauses = st.sampled_from([0.0, 0.05, 0.2, 0.4, 1.0, 3.0, 11.0, 40.0, 1500.0])
scripts = st.lists(st.tuples(events, pauses), max_size=40)
exits = st.none() | st.integers(0, 40)


def in_order(script: list[tuple[Event, float]], exit_at: int | None = None) -> Iterator[Event]:
    """The events one after the other, each after its pause."""
    now = 1.0
    for index, (event, pause) in enumerate(script):
        now += pause
        if index == exit_at:
            yield ProcessExited(at=now, exit_code=0)
        yield replace(event, at=now)
