"""Stays with the server: takes what it tells, and finds the next one when it is gone. Draws nothing.

Rule 1: a connection that ends while nobody has said that the UI should leave means that another server will take
the panes over: it is waited for, and started when there is none.
Rule 2: several UIs and commands may start one at the same time; the server's own lock decides.
Rule 3: a start that crashes is tried again: a screen that has ended the server twice is put aside by the third. One
that lives for a moment only is not replaced at once: whatever ends it may end the next.
Rule 4: a server that this program cannot talk to is another version's: the UI begins again, as what is installed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from orca_tui.base.clock import Clock
from orca_tui.base.errors import Conflict, EngineMismatch, OrcaError, ServerUnavailable, Unsupported
from orca_tui.ui.farewell import Farewell, again, server_gone
from orca_tui.ui.link import Connector, Link
from orca_tui.wire import Leaving, Synced, UiItem

START_AFTER_S = 3.0
"""Whoever restarts a server starts the next one, so that starting one too would only be in its way. A server that
crashed has said nothing, and is replaced at once."""
SHORT_LIFE_S = 5.0
LOOK_EVERY_S = 0.03
GIVE_UP_AFTER_S = 30.0
MOST_CRASHES = 3
"""One more than it takes to have a screen put aside; then it is something else."""

ServerStarter = Callable[[], object]
"""Starts a server and returns when it answers; blocks. Raises `ServerUnavailable`."""


class Guest(Protocol):
    """The UI, as it attends."""

    @property
    def parted(self) -> bool:
        """It has been told to leave, or wants to."""
        ...

    @property
    def cells(self) -> tuple[int, int]:
        """Columns and rows of the outer terminal."""
        ...

    def say(self, text: str, severity: str = "information") -> None: ...

    def part(self, farewell: Farewell) -> None: ...


class Attendance:
    """One UI's."""

    def __init__(
        self,
        guest: Guest,
        link: Link,
        take: Callable[[UiItem], None],
        *,
        clock: Clock,
        server: str,
        start: ServerStarter | None,
    ) -> None:
        """`start` None: a server that is gone ends the UI."""
        self._guest = guest
        self._link = link
        self._take = take
        self._clock = clock
        self._server = server
        self._start = start
        self._connector: Connector | None = None
        self._back = False
        self._back_at: float | None = None
        """When the server of now took over, if one did."""
        self._announced = False
        """The server has said that it makes place for another."""

    async def connect(self, connector: Connector) -> None:
        """The first connection; raises what the server refuses with."""
        self._connector = connector
        await self._link.connect(connector)

    async def follow(self) -> None:
        """Take what servers tell until the UI leaves."""
        try:
            while not self._guest.parted:
                await self._follow_one()
        except (EngineMismatch, Unsupported):
            self._guest.part(again())
        except OrcaError as error:
            self._guest.part(server_gone(error, self._server))

    async def _follow_one(self) -> None:
        """Attend one server until it is gone, then connect to the next."""
        try:
            async for item in self._link.items(*self._guest.cells):
                self._take(item)
                self._announced |= isinstance(item, Leaving)
                if self._guest.parted:
                    return
                if isinstance(item, Synced) and self._back:
                    self._link.show_again()
                    self._say_back(item)
            raise ServerUnavailable("the server is gone")
        except ServerUnavailable as gone:
            if self._guest.parted:
                return
            if self._start is None or self._connector is None:
                raise
            self._link.lost()
            self._say_gone()
            await self._come_back(self._connector, self._start, gone)

    async def _come_back(self, connector: Connector, start: ServerStarter, gone: ServerUnavailable) -> None:
        """Rules 1 to 3."""
        lost_at = self._clock.monotonic()
        lived_shortly = self._back_at is not None and lost_at - self._back_at < SHORT_LIFE_S
        start_at = lost_at + (START_AFTER_S if self._announced or lived_shortly else 0.0)
        self._announced = False
        crashes = 0
        while self._clock.monotonic() < lost_at + GIVE_UP_AFTER_S:
            if self._clock.monotonic() >= start_at and (crash := await self._start_one(start)) is not None:
                gone, crashes = crash, crashes + 1
                if crashes == MOST_CRASHES:
                    break
                lost_at = self._clock.monotonic()  # It may have taken all the time that a start has.
            try:
                await self._link.connect(connector)
            except ServerUnavailable as error:
                gone = error
            else:
                self._back, self._back_at = True, self._clock.monotonic()
                return
            await asyncio.sleep(LOOK_EVERY_S)
        raise gone

    async def _start_one(self, start: ServerStarter) -> ServerUnavailable | None:
        """Start a server; how it crashed. Raises why it refuses to run, unless there is another one."""
        try:
            await asyncio.to_thread(start)
        except ServerUnavailable as error:
            if error.crashed:
                return error
            if error.facts.get("exit_code") != Conflict.exit_code:
                raise
        return None

    def _say_gone(self) -> None:
        if self._announced:
            self._guest.say("the server restarts; what you type waits for it")
        else:
            self._guest.say("the server is gone; what you type waits for the next one", "warning")

    def _say_back(self, state: Synced) -> None:
        self._back = False
        number = len(state.panes)
        panes = "1 pane goes on" if number == 1 else f"{number} panes go on"
        self._guest.say(f"another server has taken over; {panes}")
