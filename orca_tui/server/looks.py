"""When to look at a pane's notices again although nothing has happened. At most one look per pane is to come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from orca_tui.base.ids import PaneId
from orca_tui.server.panes import Pane


class Looks:
    """The looks that are to come; a later wish takes the place of an earlier one."""

    def __init__(self, look: Callable[[Pane], None]) -> None:
        self._look = look
        self._timers: dict[PaneId, asyncio.TimerHandle] = {}

    def look_in(self, pane: Pane, seconds: float) -> None:
        self.cancel(pane.id)
        loop = asyncio.get_running_loop()
        self._timers[pane.id] = loop.call_later(max(0.0, seconds), self._now, pane)

    def cancel(self, pane: PaneId) -> None:
        timer = self._timers.pop(pane, None)
        if timer is not None:
            timer.cancel()

    def close(self) -> None:
        for pane in tuple(self._timers):
            self.cancel(pane)

    def _now(self, pane: Pane) -> None:
        self._timers.pop(pane.id, None)
        self._look(pane)
