"""What a status plugin tells of its host's sessions, as values. `sessions.py` and `reporters.py` fold them."""

from __future__ import annotations

from dataclasses import dataclass

from orca_tui.base.errors import Invalid
from orca_tui.status.turns import Ask, End


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
