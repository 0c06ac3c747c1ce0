"""Has the scrollback of panes compressed once they are quiet. Costs nothing while nothing was said."""

from __future__ import annotations

from typing import Protocol

from orca_tui.base.clock import Clock
from orca_tui.base.timers import Timer
from orca_tui.ui.frame_clock import Scheduler

QUIET_S = 10.0
"""After so much silence more output is not what is being waited for."""
EARLY_S = 0.001
"""A timer may come so much before its time."""


class Rests(Protocol):
    """A pane that can be compressed (`pane_model.py`)."""

    def compress(self) -> bool: ...


class Resting:
    """Knows when each pane on screen last said something; one timer for all of them."""

    def __init__(self, clock: Clock, scheduler: Scheduler) -> None:
        self._clock = clock
        self._scheduler = scheduler
        self._spoke_at: dict[Rests, float] = {}
        """Of panes with something to compress."""
        self._timer: Timer | None = None

    def spoke(self, pane: Rests) -> None:
        """A pane has new output."""
        self._spoke_at[pane] = self._clock.monotonic()
        if self._timer is None:
            self._timer = self._scheduler.call_later(QUIET_S, self._look)

    def forget(self, pane: Rests) -> None:
        """The pane is not on screen any more."""
        self._spoke_at.pop(pane, None)

    def close(self) -> None:
        """Compress nothing more."""
        self._spoke_at.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        """One part of one quiet pane, so that no key waits for all of them."""
        quiet_since = self._clock.monotonic() - QUIET_S + EARLY_S
        quiet = next((pane for pane, at in self._spoke_at.items() if at <= quiet_since), None)
        if quiet is not None and not quiet.compress():
            del self._spoke_at[quiet]
        self._timer = None
        if self._spoke_at:
            left_s = max(0.0, min(self._spoke_at.values()) - quiet_since)
            self._timer = self._scheduler.call_later(left_s, self._look)
