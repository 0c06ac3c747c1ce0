"""What was observed of a pane, as values. Adapters and the server make them; `machine.py` takes them.

Each carries `at` (Unix seconds) and its `source`, which decides its rank. None of them is a verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, TypeAlias

from orca_tui.status.record import Kind, Source
from orca_tui.status.session_table import ProcessKey, SessionTable
from orca_tui.status.turns import Ask, End


class Says(StrEnum):
    """What a source says that knows levels only, such as a title."""

    WORKING = "working"
    WAITING = "waiting"
    IDLE = "idle"
    """No turn runs and nothing is asked; a turn that ran has ended well, or by the user."""
    FAILED = "failed"
    """Not working, and the last turn failed: `StateSaid.kind` and `text` tell of what."""
    ENDED = "ended"
    """No turn runs and nothing is asked; how the last turn ended, this source cannot tell."""
    AT_REST = "at_rest"
    """Not working; idle and waiting look the same to this source."""
    NOTHING = "nothing"
    """It has stopped saying anything: what it said before no longer holds."""


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
# `child` is the agent's own id of the sub-agent that an event is of; None stands for the root.


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
    """A turn ended; with `background` tasks (sub-agents, shells) still running the agent works on.

    Without any, none of its sub-agents runs any more either.
    """

    at: float
    source: Source
    end: End
    turn: str | None = None
    session_id: str | None = None
    last_message: str | None = None
    background: int = 0
    background_note: str | None = None
    """What the agent says of them, such as `1 shell still running`."""
    agent: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolUsed:
    """A tool of the turn started or ended: the turn runs, and what it waited for was given."""

    at: float
    source: Source
    turn: str | None = None
    tool: str | None = None
    child: str | None = None
    agent: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ChildStarted:
    """A sub-agent began to run."""

    at: float
    source: Source
    child: str
    turn: str | None = None
    agent: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ChildEnded:
    """A sub-agent ended, well or not: that is never the end of a turn."""

    at: float
    source: Source
    child: str
    turn: str | None = None
    agent: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """The agent needs its user."""

    at: float
    source: Source
    ask: Ask
    turn: str | None = None
    child: str | None = None
    agent: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Resolved:
    """An ask was answered or withdrawn; `ask_id` None means every one of that agent or sub-agent."""

    at: float
    source: Source
    ask_id: str | None = None
    turn: str | None = None
    child: str | None = None
    agent: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionChanged:
    """Another session is shown (new, cleared, resumed): a boundary of the whole pane, and no end of a turn.

    The first session that is heard of, before any turn, only gets its name by it.
    """

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
    """A title, a session file, a screen rule or output activity says a level.

    From output (`Source.OUTPUT`), working is a sign of life and nothing more; it never ends a turn.
    """

    at: float
    source: Source
    says: Says
    detail: str
    """For people: the rule that matched, such as `title starts with a spinner`."""
    kind: Kind | None = None
    """Of the ask (waiting) or of the error (failed)."""
    text: str | None = None
    """The text of the ask or of the error; of working, what the agent says of it."""
    resets_at: float | None = None
    """When a rate limit ends, Unix seconds, only if the agent said so."""


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
LifecycleEvent: TypeAlias = (
    TurnStarted | TurnEnded | ToolUsed | ChildStarted | ChildEnded | Asked | Resolved | SessionChanged
)
TerminalEvent: TypeAlias = ProgramReported | StateSaid | ProgressShown | PromptMarked | InterruptPressed
ProcessEvent: TypeAlias = AgentRecognised | AgentGone | ProcessExited | EvidenceLost | EvidenceRegained
UserEvent: TypeAlias = Watched | Seen | TimePassed
Event: TypeAlias = PluginEvent | LifecycleEvent | TerminalEvent | ProcessEvent | UserEvent
