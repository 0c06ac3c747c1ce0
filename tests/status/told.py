"""Short words for what sources tell, and agents whose sources miss something."""

from __future__ import annotations

from typing import Any

from orca_tui.status.events import (
    Asked,
    ChildEnded,
    ChildStarted,
    Event,
    InterruptPressed,
    ProgramReported,
    ProgramState,
    ReporterHeard,
    Resolved,
    Says,
    SessionChanged,
    StateSaid,
    TablePosted,
    ToolUsed,
    TurnEnded,
    TurnStarted,
)
from orca_tui.status.profile import BlindSpot, Missed, Profile
from orca_tui.status.record import Kind, Source
from orca_tui.status.session_table import ProcessKey, SessionRow, SessionTable
from orca_tui.status.turns import Ask, End, Ending

PROCESS = ProcessKey(pid=7, started=1.0)
OK = End(how=Ending.OK)
HOOK = Source.HOOK
FILE = Source.SESSION_FILE
TITLE = Source.TITLE
SCREEN = Source.SCREEN

SPEAKS_7501 = {"claude": Profile(emits_program_status=True), "codex": Profile(emits_program_status=True)}

HOOKED = Profile(
    emits_program_status=True,
    first_rest_proves_nothing=True,
    blind_spots=(
        BlindSpot(source=HOOK, misses=Missed.INTERRUPT, shown_by=(FILE, TITLE, SCREEN), after_s=0.7),
        BlindSpot(source=HOOK, misses=Missed.ANSWER, shown_by=(FILE, TITLE, SCREEN), after_s=0.5),
        BlindSpot(source=HOOK, misses=Missed.ASK, shown_by=(FILE, SCREEN), after_s=0.5),
    ),
)
"""An agent whose hooks are silent when the user interrupts it, such as Claude Code."""

TITLED = Profile(
    first_rest_proves_nothing=True,
    blind_spots=(BlindSpot(source=TITLE, misses=Missed.FAILURE, shown_by=(SCREEN,), after_s=2.0),),
    expects=(TITLE,),
)
"""An agent whose title ends a failed turn like a good one, such as Gemini."""

PROFILES = {"claude": HOOKED, "gemini": TITLED, "codex": SPEAKS_7501["codex"]}


def post(
    at: float, *rows: SessionRow, agent: str = "opencode", process: ProcessKey = PROCESS, **facts: Any
) -> Event:
    """A table of the status plugin."""
    table = SessionTable(
        pane="p1",
        process=process,
        factory=1,
        generation=1,
        seq=round(at * 1000),
        host_version="1",
        outlives_dispose=False,
        sessions=rows,
        **facts,
    )
    return TablePosted(at=at, agent=agent, table=table)


def busy(turn: int = 1, **facts: Any) -> SessionRow:
    return SessionRow(id="s1", busy=True, turn=turn, **facts)


def ended(turn: int = 1, end: End = OK, **facts: Any) -> SessionRow:
    return SessionRow(id="s1", turn=turn, end=end, **facts)


def polls(at: float, *, polling: bool = True) -> Event:
    return ReporterHeard(at=at, process=PROCESS, polling=polling)


def said(at: float, says: Says | str, source: Source = TITLE, **facts: Any) -> Event:
    """`said(1, "idle")` by the title; by another source with `source`."""
    return StateSaid(at=at, source=source, says=Says(says), detail="rule", **facts)


def file(at: float, says: str, **facts: Any) -> Event:
    """The session file says a level."""
    return said(at, says, FILE, **facts)


def screen(at: float, says: str, **facts: Any) -> Event:
    return said(at, says, SCREEN, **facts)


def output(at: float) -> Event:
    """Something was written to the terminal."""
    return said(at, "working", Source.OUTPUT)


def program(at: float, state: str, agent: str | None = None, **facts: Any) -> Event:
    """A report of OSC 7501."""
    return ProgramReported(at=at, state=ProgramState(state), agent=agent, **facts)


def esc(at: float) -> Event:
    return InterruptPressed(at=at)


# Hooks.


def start(at: float, turn: str | None = None, **facts: Any) -> TurnStarted:
    return TurnStarted(at=at, source=HOOK, turn=turn, **facts)


def end(at: float, turn: str | None = None, how: Ending = Ending.OK, **facts: Any) -> TurnEnded:
    return TurnEnded(at=at, source=HOOK, turn=turn, end=End(how=how), **facts)


def failed(at: float, turn: str | None = None, kind: Kind = Kind.API, message: str = "500") -> TurnEnded:
    wrong = End(how=Ending.ERROR, kind=kind, message=message)
    return TurnEnded(at=at, source=HOOK, turn=turn, end=wrong)


def asked(at: float, id: str = "a", kind: Kind = Kind.PERMISSION, **facts: Any) -> Asked:
    return Asked(at=at, source=HOOK, ask=Ask(id=id, kind=kind, text=id), **facts)


def resolved(at: float, id: str | None = None, **facts: Any) -> Resolved:
    return Resolved(at=at, source=HOOK, ask_id=id, **facts)


def tool(at: float, turn: str | None = None, name: str = "Bash", **facts: Any) -> ToolUsed:
    return ToolUsed(at=at, source=HOOK, turn=turn, tool=name, **facts)


def child(at: float, id: str = "c") -> ChildStarted:
    return ChildStarted(at=at, source=HOOK, child=id)


def child_ended(at: float, id: str = "c") -> ChildEnded:
    return ChildEnded(at=at, source=HOOK, child=id)


def session(at: float, id: str, source: Source = HOOK) -> SessionChanged:
    return SessionChanged(at=at, source=source, session_id=id)
