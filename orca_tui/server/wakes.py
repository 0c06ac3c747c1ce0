"""Wakes that are under way: the pane's input held meanwhile, and what may be claimed of that."""

from __future__ import annotations

import asyncio

from orca_tui.notices.notice import Guard, Reason
from orca_tui.server.panes import Pane

HOLD_S = 1.0
"""How long a person's keys may wait. Agents take a notice in a tenth of it."""


class Wake:
    """One notice that starts a turn in a pane. Make it in the very tick of the look."""

    def __init__(self, pane: Pane, *, holds: bool, conditional: bool, quiet: bool) -> None:
        """`holds`: input waits until it is over. `quiet`: nothing was under way at the look."""
        self._pane = pane
        self._conditional = conditional
        self._claim = Guard.SNAPSHOT
        self._claims_held = holds and quiet
        self._over = asyncio.Event()
        self.reason = Reason.WOKE
        self._timer = asyncio.get_running_loop().call_later(HOLD_S, self._over.set)
        if holds:
            pane.gate.hold()
            self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_later(HOLD_S, self._too_long)

    @property
    def guard(self) -> Guard | None:
        """None where there was no condition to guard, or nothing woke."""
        return self._claim if self._conditional and self.reason is Reason.WOKE else None

    async def over(self) -> None:
        """Wait until the agent has it or not, for a second at most."""
        await self._over.wait()

    def decided_by_host(self) -> None:
        self._claim = Guard.HOST

    def received(self) -> None:
        """The receipt came; if input was held until now, that may be claimed."""
        if self._claim is not Guard.HOST and self._claims_held and not self._over.is_set():
            self._claim = Guard.HELD
        self.end()

    def turned_down(self, reason: Reason) -> None:
        self.reason = reason
        self.end()

    def end(self) -> None:
        """Nothing is awaited any more."""
        self._timer.cancel()
        self._pane.gate.release()
        self._over.set()

    def _too_long(self) -> None:
        self._pane.gate.release()
        self._over.set()
