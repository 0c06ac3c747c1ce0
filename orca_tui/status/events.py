"""What was observed of a pane, as values. Adapters and the server make them; `machine.py` takes them.

Each carries `at` (Unix seconds) and its `source`, which decides its rank. None of them is a verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, TypeAlias

from orca_tui.base.errors import Invalid
from orca_tui.status.record import Kind, Source


class Says(StrEnum):
    """What a source says that knows levels only, such as a title."""

    WORKING = "working"
    WAITING = "waiting"
    IDLE = "idle"
    AT_REST = "at_rest"
    """Not working; idle and waiting look the same to this source."""
    NOTHING = "nothing"
    """It has stopped saying anything: what it said before no longer holds."""


class Ending(StrEnum):
    """How a turn ended."""

    OK = "ok"
    INTERRUPTED = "interrupted"
    ERROR = "error"


@dataclass(frozen=True, kw_only=True, slots=True)
class End:
    """The end of one turn; `kind`, `message` and `resets_at` (Unix seconds) belong to errors."""

    how: Ending
    kind: Kind | None = None
    message: str | None = None
    resets_at: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """What an agent asks of its user. `kind` is permission, question or auth."""

    id: str
    kind: Kind
    text: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Retry:
    """An agent waits before it tries its model again; `next_at` in Unix seconds."""

    attempt: int
    message: str | None = None
    next_at: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ProcessKey:
    """One process for ever: a pid alone is used again. `started` is its start in Unix seconds, as it says."""

    pid: int
    started: float

    def __str__(self) -> str:
        """`123-1700000000.5`, as a reporter names its process when it polls."""
        return f"{self.pid}-{self.started!r}"

    @classmethod
    def parse(cls, text: str) -> ProcessKey:
        """The key that a reporter's poll names; raises `Invalid`."""
        pid, _, started = text.partition("-")
        try:
            key = cls(pid=int(pid), started=float(started))
        except ValueError:
            key = cls(pid=0, started=0.0)
        if key.pid < 1 or not 0 <= key.started < float("inf"):
            raise Invalid(f"{text!r} names no process; write PID-STARTED")
        return key


UNKNOWN_PARENT = "unknown"
"""The parent of a session whose host could not tell; never the id of a session."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionRow:
    """What a host said of one of its sessions."""

    id: str
    parent: str | None = None
    """None for a root, `UNKNOWN_PARENT`, or the parent's id."""
    directory: str | None = None
    agent: str | None = None
    busy: bool = False
    turn: int = 0
    """Turns started, as the reporting process saw them."""
    end: End | None = None
    """The last end; None when none was seen."""
    asks: tuple[Ask, ...] = ()
    resolved: tuple[str, ...] = ()
    """Ids of asks that were answered or withdrawn, known to the reporter or not."""
    retry: Retry | None = None
    prompt: str | None = None
    last_message: str | None = None
    tool: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionTable:
    """Everything that one factory of a status plugin knows; the next table replaces it."""

    pane: str
    process: ProcessKey
    factory: int
    generation: int
    seq: int
    """Rises with every table of the process, over all factories and generations."""
    host_version: str
    outlives_dispose: bool
    """The host's sessions go on when the plugin is unloaded."""
    gone: bool = False
    """The factory's host was torn down, and its turns with it."""
    sessions: tuple[SessionRow, ...] = ()


# Status plugin.


@dataclass(frozen=True, kw_only=True, slots=True)
class TablePosted:
    """A status plugin posted its table of sessions."""

    source: ClassVar[Source] = Source.PLUGIN
    at: float
    agent: str
    table: SessionTable


@dataclass(frozen=True, kw_only=True, slots=True)
class ReporterHeard:
    """A reporter's process opened (`polling`) or ended (not `polling`) a poll for work: its heartbeat."""

    source: ClassVar[Source] = Source.PLUGIN
    at: float
    process: ProcessKey
    polling: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class ReporterDied:
    """A reporter's process no longer exists."""

    source: ClassVar[Source] = Source.PROCESS
    at: float
    process: ProcessKey


# Lifecycles: hooks, session files, logs. `agent` is whose turn it is; None stands for the pane's own agent.


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnStarted:
    """A turn began. `turn` is the agent's own id of it (a prompt or turn id), if it has one."""

    at: float
    source: Source
    turn: str | None = None
    session_id: str | None = None
    prompt: str | None = None
    agent: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnEnded:
    """A turn ended; with `background` tasks still running the agent works on."""

    at: float
    source: Source
    end: End
    turn: str | None = None
    session_id: str | None = None
    last_message: str | None = None
    background: int = 0
    agent: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolUsed:
    """A tool of the turn started or ended: the turn runs, and what it waited for was given."""

    at: float
    source: Source
    turn: str | None = None
    tool: str | None = None
    agent: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """The agent needs its user."""

    at: float
    source: Source
    ask: Ask
    turn: str | None = None
    agent: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Resolved:
    """An ask was answered or withdrawn; `ask_id` None means whichever is open."""

    at: float
    source: Source
    ask_id: str | None = None
    turn: str | None = None
    agent: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionChanged:
    """Another session is shown (new, cleared, resumed): a boundary, and no end of a turn."""

    at: float
    source: Source
    session_id: str
    agent: str | None = None


# What the terminal saw.


class ProgramState(StrEnum):
    """The states of OSC 7501."""

    IDLE = "idle"
    WORKING = "working"
    BLOCKED = "blocked"
    DONE = "done"
    ERROR = "error"
    CLEAR = "clear"


@dataclass(frozen=True, kw_only=True, slots=True)
class ProgramReported:
    """One report of OSC 7501 (`agents/program_status.py` reads them)."""

    source: ClassVar[Source] = Source.PROGRAM_STATUS
    at: float
    state: ProgramState
    path: tuple[str, ...] = ()
    """Segments of `id`; empty for the root record."""
    agent: str | None = None
    """The agent that `app` names."""
    kind: Kind | None = None
    progress: int | None = None
    title: str | None = None
    message: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class StateSaid:
    """A title, a session file, a screen rule or output activity says a level."""

    at: float
    source: Source
    says: Says
    detail: str
    """For people: the rule that matched, such as `title starts with a spinner`."""
    kind: Kind | None = None
    text: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ProgressShown:
    """OSC 9;4; None when it was removed."""

    source: ClassVar[Source] = Source.PROGRESS
    at: float
    percent: int | None


class Mark(StrEnum):
    """OSC 133: what a shell is about."""

    PROMPT = "A"
    INPUT = "B"
    COMMAND = "C"
    FINISHED = "D"


@dataclass(frozen=True, kw_only=True, slots=True)
class PromptMarked:
    """The shell marked its output (OSC 133)."""

    source: ClassVar[Source] = Source.OUTPUT
    at: float
    mark: Mark
    exit_code: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class InterruptPressed:
    """The user pressed a key in this pane that interrupts its agent."""

    source: ClassVar[Source] = Source.PROCESS
    at: float


# Processes and the way to them.


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentRecognised:
    """An agent was found in the pane, such as in the foreground of its shell."""

    at: float
    source: Source
    agent: str
    session_id: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentGone:
    """The agent has left and the shell is back (`reconcile.py` decides that)."""

    source: ClassVar[Source] = Source.PROCESS
    at: float


@dataclass(frozen=True, kw_only=True, slots=True)
class ProcessExited:
    """The pane's own process ended; `exit_code` is negative for a signal."""

    source: ClassVar[Source] = Source.PROCESS
    at: float
    exit_code: int


@dataclass(frozen=True, kw_only=True, slots=True)
class EvidenceLost:
    """Nothing can be seen of the pane for now, such as over a broken SSH link."""

    source: ClassVar[Source] = Source.PROCESS
    at: float
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class EvidenceRegained:
    """The pane can be seen again."""

    source: ClassVar[Source] = Source.PROCESS
    at: float


# The user and the clock.


@dataclass(frozen=True, kw_only=True, slots=True)
class Watched:
    """The pane became, or stopped being, visible and focused in an attached and focused UI."""

    source: ClassVar[None] = None
    at: float
    watched: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """The user has seen the pane's news."""

    source: ClassVar[None] = None
    at: float


@dataclass(frozen=True, kw_only=True, slots=True)
class TimePassed:
    """The time of a `WakeAt` has come."""

    source: ClassVar[None] = None
    at: float


PluginEvent: TypeAlias = TablePosted | ReporterHeard | ReporterDied
LifecycleEvent: TypeAlias = TurnStarted | TurnEnded | ToolUsed | Asked | Resolved | SessionChanged
TerminalEvent: TypeAlias = ProgramReported | StateSaid | ProgressShown | PromptMarked | InterruptPressed
ProcessEvent: TypeAlias = AgentRecognised | AgentGone | ProcessExited | EvidenceLost | EvidenceRegained
UserEvent: TypeAlias = Watched | Seen | TimePassed
Event: TypeAlias = PluginEvent | LifecycleEvent | TerminalEvent | ProcessEvent | UserEvent
