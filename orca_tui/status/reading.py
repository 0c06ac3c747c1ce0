"""What one source of evidence says at one moment. The arbiter chooses among these."""

from __future__ import annotations

from dataclasses import dataclass

from orca_tui.status.record import Kind, Source, Status
from orca_tui.status.turns import End, Ending

REST = frozenset({Status.IDLE, Status.DONE, Status.ERROR})
CLAIMS = frozenset({Status.WORKING, Status.WAITING})
"""What holds only as long as somebody says so."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """The claim of one source."""

    source: Source
    status: Status
    """Anything but `exited`; `unknown` when the source speaks but cannot tell."""
    at: float
    """When it last said something else, Unix seconds."""
    detail: str
    fresh: bool = True
    awaited: bool = False
    """It counts as fresh only because it has just been given time to be heard again."""
    heard_at: float = 0.0
    """The last sign of life of a source that has a heartbeat."""
    is_turn: bool = True
    """Of working and waiting: a turn of the agent itself runs, not only something beside it."""
    began: float = float("-inf")
    """When the turn began that it tells of, running or ended."""
    works_since: float = float("-inf")
    """Of working: since the turn began, or what it had asked was answered."""
    ended: bool = False
    """Of unknown: no turn runs and nothing is asked; how the last turn ended it cannot tell."""
    undecided: bool = False
    """Of rest: it has begun to work, and that may be a flicker."""
    at_rest: bool = False
    """Of unknown: nothing works; whether something is asked it cannot tell."""
    failed: End | None = None
    """How the last turn failed, if it says so, settled or not."""
    ends: int = 0
    """Turns whose end it has seen: a higher number than before is news."""
    ask: str | None = None
    """What names the ask of a `waiting` for as long as it is open."""
    kind: Kind | None = None
    message: str | None = None
    resets_at: float | None = None
    interrupted: bool = False
    session_id: str | None = None
    prompt: str | None = None
    last_message: str | None = None
    tool: str | None = None
    progress: int | None = None
    subagents: int = 0
    until: float | None = None
    """When it says something else by itself, if nothing else is heard."""


def status_of_end(end: End) -> Status:
    """What a pane shows after a turn that ended like that."""
    return {Ending.OK: Status.DONE, Ending.INTERRUPTED: Status.IDLE, Ending.ERROR: Status.ERROR}[end.how]
