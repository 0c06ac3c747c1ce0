"""Counts clicks: what a press selects by grows with the clicks before it on the same cell. Knows no widget."""

from __future__ import annotations

from orca_tui.base.clock import Clock
from orca_tui.ui.selection import Spot, Unit

CLICK_S = 0.4
"""Clicks on one cell within this time belong together: two take a word, three a line."""


class Clicks:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._count = 0
        self._at = float("-inf")
        self._spot: Spot | None = None

    def press(self, spot: Spot) -> Unit:
        """The button went down here: what it selects by. A fourth click begins anew."""
        now = self._clock.monotonic()
        again = spot == self._spot and now - self._at < CLICK_S
        self._count = self._count % len(Unit) + 1 if again else 1
        self._spot, self._at = spot, now
        return Unit(self._count)

    def forget(self) -> None:
        """The next click is a first one."""
        self._spot = None
