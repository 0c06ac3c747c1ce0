"""How the files of agents are looked at: what the looker is told, and what it has to be able to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from orca_tui.status.events import Event


@dataclass(frozen=True, kw_only=True, slots=True)
class Sight:
    """What is known of a pane at that moment."""

    group: int | None
    """The process group in its foreground."""
    session_id: str | None


class Follower(Protocol):
    """Looks at the files of one pane's agent."""

    def look(self, sight: Sight, at: float, /) -> list[Event]:
        """What is new. May block for a moment; raises nothing for what the file system does."""
        ...
