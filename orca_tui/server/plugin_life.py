"""One life of the plugin host: its process, the orders on their way to it, what it has told. Decides nothing."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable

from orca_tui.base.errors import PluginFailed
from orca_tui.commands.plugin_host import (
    AnswerRequest,
    Begin,
    Finish,
    Order,
    OrderItem,
    Ping,
    ReportRequest,
    Stopped,
)
from orca_tui.commands.plugins import Fault
from orca_tui.process.helper import Helper
from orca_tui.server.plugin_limits import Look

NOTHING = ReportRequest(plugins=(), digests={})
MOST_LOOKS = 120
"""A look every second or half: more than the window of the processor's limit."""


class Life:
    """From the start of the process to its end."""

    def __init__(self, helper: Helper, started_at: float) -> None:
        self.helper = helper
        self.started_at = started_at
        self.attached = False
        self.condemned = False
        """It is about to be ended."""
        self.finishing = False
        self.finishing_at = 0.0
        self.report = NOTHING
        self.reported = False
        self.grown_bytes: dict[str, int] = {}
        """By file: how much memory its plugin's steps have taken."""
        self.looks: deque[Look] = deque(maxlen=MOST_LOOKS)
        self._orders: deque[Order] = deque()
        self._arrived = asyncio.Event()
        self._numbers = 0
        self._answers: dict[int, asyncio.Future[Fault | None]] = {}
        self._ping: tuple[int, float] | None = None
        self._over = False

    async def orders(self, stopped: dict[str, Stopped]) -> AsyncGenerator[OrderItem, None]:
        """What the host is to do, from the first order to its end."""
        self.attached = True
        yield OrderItem(order=Begin(stopped=stopped))
        while not self._over:
            while self._orders:
                yield OrderItem(order=self._orders.popleft())
            self._arrived.clear()
            await self._arrived.wait()

    async def ask(self, make: Callable[[int], Order]) -> Fault | None:
        """Give an order and wait for what became of it; raises `PluginFailed` when the host ends before."""
        self._numbers += 1
        number = self._numbers
        answer: asyncio.Future[Fault | None] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        self._give(make(number))
        try:
            return await answer
        finally:
            self._answers.pop(number, None)

    def answered(self, told: AnswerRequest) -> None:
        """The host has done what it was ordered to."""
        if self._ping is not None and self._ping[0] == told.number:
            self._ping = None
            self.grown_bytes = told.grown_bytes
        answer = self._answers.get(told.number)
        if answer is not None and not answer.done():
            answer.set_result(told.fault)

    def look(self, at: float) -> Look | None:
        """How it is now; None when it is just ending. Pings it when no ping is open."""
        usage = self.helper.usage()
        if usage is None:
            return None
        silent_s = at - self._ping[1] if self._ping is not None else 0.0
        if self._ping is None and self.attached:
            self._numbers += 1
            self._ping = (self._numbers, at)
            self._give(Ping(number=self._numbers))
        look = Look(at=at, silent_s=silent_s, cpu_s=usage.cpu_s, rss_bytes=usage.rss_bytes)
        self.looks.append(look)
        return look

    @property
    def silent(self) -> bool:
        """A ping is open."""
        return self._ping is not None

    def finish(self, at: float) -> None:
        """Have it dispose of everything and end."""
        if not self.finishing:
            self.finishing, self.finishing_at = True, at
            self._give(Finish())

    def over(self) -> None:
        """The process has ended."""
        self._over = True
        self._arrived.set()
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(PluginFailed("the plugin host has ended"))

    def _give(self, order: Order) -> None:
        self._orders.append(order)
        self._arrived.set()
