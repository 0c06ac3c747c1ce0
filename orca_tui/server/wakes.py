"""Wakes that are under way: the pane's input held meanwhile, and what may be claimed of that."""

from __future__ import annotations

import asyncio

from orca_tui.notices.notice import Guard, IfIdle, Notice, Reason
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
        self._holds = holds
        self.reason = Reason.WOKE
        self._timer = asyncio.get_running_loop().call_later(HOLD_S, self._let_go)
        if holds:
            pane.gate.hold()

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
        self._let_go()

    def _let_go(self) -> None:
        """Once: by the time a late answer comes, another wake may hold the same gate."""
        if self._holds:
            self._holds = False
            self._pane.gate.release()
        self._over.set()


class Wakes:
    """All that are under way, by the id of the notice that starts the turn."""

    def __init__(self) -> None:
        self._wakes: dict[str, Wake] = {}

    def get(self, notice_id: str) -> Wake | None:
        return self._wakes.get(notice_id)

    def begin(self, notice: Notice, pane: Pane, *, types: bool) -> None:
        """`types`: the notice goes the way of the keys, which must not come between."""
        conditional = isinstance(notice.resume, IfIdle)
        quiet = not (pane.box.typing or pane.box.submitted)
        self._wakes[notice.id] = Wake(pane, holds=conditional or types, conditional=conditional, quiet=quiet)

    def turned_down(self, notice_id: str, reason: Reason) -> None:
        """Nothing woke, and this is why."""
        wake = self._wakes.pop(notice_id, None)
        if wake is not None:
            wake.turned_down(reason)

    def closed(self, notice: Notice) -> None:
        """The notice is delivered, or never will be."""
        wake = self._wakes.pop(notice.id, None)
        if wake is not None and notice.receipt is not None:
            wake.received()
        elif wake is not None:
            wake.end()
