"""How turns end and what agents ask, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from orca_tui.status.record import Kind


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
