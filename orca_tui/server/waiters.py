"""Those who wait for a pane to have a status. The record they get is the one of that very moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from orca_tui.base.errors import OrcaError
from orca_tui.status.record import Status
from orca_tui.wire import PaneInfo


class Ended(OrcaError):
    """The pane's program ended, or its pane was closed, before what was waited for."""

    code = "ended"


@dataclass(eq=False, kw_only=True, slots=True)
class Waiter:
    pane: str
    statuses: frozenset[Status]
    found: asyncio.Future[PaneInfo] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class Waiters:
    """All who wait."""

    def __init__(self) -> None:
        self._waiters: list[Waiter] = []

    async def wait(self, pane: str, statuses: frozenset[Status]) -> PaneInfo:
        """The pane's record when it next takes one of the statuses; raises `Ended` if it cannot any more."""
        waiter = Waiter(pane=pane, statuses=statuses)
        self._waiters.append(waiter)
        try:
            return await waiter.found
        finally:
            self._waiters.remove(waiter)

    def status_changed(self, pane: str, status: Status, info: Callable[[], PaneInfo]) -> None:
        """A pane has another status now."""
        for waiter in self._of(pane):
            if status in waiter.statuses:
                waiter.found.set_result(info())
            elif status is Status.EXITED:
                waiter.found.set_exception(ended(pane))

    def closed(self, pane: str) -> None:
        for waiter in self._of(pane):
            waiter.found.set_exception(Ended(f"pane {pane} was closed", pane=pane))

    def _of(self, pane: str) -> list[Waiter]:
        return [one for one in self._waiters if one.pane == pane and not one.found.done()]


def ended(pane: str) -> Ended:
    return Ended(f"the program of pane {pane} has ended", pane=pane)
