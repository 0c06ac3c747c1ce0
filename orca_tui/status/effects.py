"""What the world should do about a pane's status, as values. The server performs them, in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from orca_tui.status.record import Status, StatusRecord


@dataclass(frozen=True, kw_only=True, slots=True)
class StatusChanged:
    """Tell everybody: the status itself changed (other fields may have as well)."""

    before: StatusRecord
    after: StatusRecord


@dataclass(frozen=True, kw_only=True, slots=True)
class Changed:
    """Tell everybody: something beside the status changed."""

    after: StatusRecord


@dataclass(frozen=True, kw_only=True, slots=True)
class Ring:
    """Ring the bell, once: `why` is done, error or waiting. The record is unread already."""

    pane: str
    why: Status


@dataclass(frozen=True, kw_only=True, slots=True)
class ClearUnread:
    """Take desktop notifications of the pane back: its news was seen or is news no more."""

    pane: str


@dataclass(frozen=True, kw_only=True, slots=True)
class WakeAt:
    """Observe `TimePassed` at that time (Unix seconds); replaces an earlier `WakeAt` of the pane."""

    pane: str
    at: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Persist:
    """Store `Board.save(pane)` when convenient."""

    pane: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Observation:
    """One event and what became of it. `Board` keeps these for `explain`, and hands none of them out."""

    at: float
    source: str
    what: str
    taken: bool
    why: str
    """The rule that took it, or the reason why it was ignored."""
    status: Status
    """The pane's status afterwards."""


Effect: TypeAlias = StatusChanged | Changed | Ring | ClearUnread | WakeAt | Persist
"""What the server performs."""

Outcome: TypeAlias = Effect | Observation
"""What the machine gives."""
