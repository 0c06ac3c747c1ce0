"""The plugin host's whole life: connect, follow orders and events, watch the folder, dispose at the end.

Rule 1: it does what the server orders and tells how the plugins stand; it decides about no other process.
Rule 2: when the server is gone, or says so, everything is disposed and the host ends.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from contextvars import copy_context
from pathlib import Path
from typing import Any, assert_never

import msgspec

from orca_tui.base.clock import Clock
from orca_tui.base.errors import ServerUnavailable
from orca_tui.client.asynchronous import AsyncClient
from orca_tui.commands.events import EVENTS, EventsRequest
from orca_tui.commands.plugin_host import (
    ANSWER,
    ORDERS,
    REPORT,
    AnswerRequest,
    Begin,
    Finish,
    OrderItem,
    Ping,
    ReloadOrder,
    RunOrder,
)
from orca_tui.commands.plugins import Fault
from orca_tui.commands.spec import Empty
from orca_tui.plugins.host import Host
from orca_tui.plugins.ownership import Ownership
from orca_tui.plugins.revision import Limits, Quarters
from orca_tui.plugins.watching import changes
from orca_tui.wire import PLUGIN_ROLE

logger = logging.getLogger(__name__)

HOST_ROLE = "plugin-host"


class HostParts(msgspec.Struct, frozen=True, kw_only=True):
    """What the host is handed."""

    socket: Path
    folder: Path
    clock: Clock
    limits: Limits
    peak_bytes: Callable[[], int]
    """The most memory that this process has ever had."""


async def run_host(parts: HostParts) -> None:
    """Be the host until the server ends it; raises `ServerUnavailable` when there is none."""
    client = await AsyncClient.connect(parts.socket, role=HOST_ROLE)
    try:
        async with asyncio.TaskGroup() as group:
            await HostRun(parts, client, group).run()
    finally:
        client.close()


class HostRun:
    """One life."""

    def __init__(self, parts: HostParts, client: AsyncClient, group: asyncio.TaskGroup) -> None:
        ownership = Ownership(parts.peak_bytes)
        loop = asyncio.get_running_loop()
        ownership.install(loop)
        loop.set_exception_handler(self._uncaught)
        quarters = Quarters(
            group=group,
            ownership=ownership,
            plain=copy_context(),
            limits=parts.limits,
            connect=lambda id: AsyncClient.connect(parts.socket, role=f"{PLUGIN_ROLE}{id}"),
            announce=self._announce,
        )
        self._parts = parts
        self._client = client
        self._group = group
        self._changed = asyncio.Event()
        self._host = Host(parts.folder, quarters, parts.clock, self._changed.set)

    async def run(self) -> None:
        """Rule 2."""
        with suppress(ServerUnavailable):
            orders = self._client.stream(ORDERS, Empty())
            first = (await anext(orders)).order
            assert isinstance(first, Begin), "the first order says what to begin with"
            self._host.begin(first.stopped)
            followers = await self._begin()
            try:
                await self._obey(orders)
            finally:
                for follower in followers:
                    follower.cancel()
        await self._host.close()

    async def _begin(self) -> list[asyncio.Task[None]]:
        """Events first: none may fall between them and the first plugin."""
        events = self._client.stream(EVENTS, EventsRequest())
        await anext(events)  # The hello: from here on nothing is missed.
        return [
            self._group.create_task(self._follow(events), name="follow events"),
            self._group.create_task(self._report(), name="report"),
            self._group.create_task(self._watch(), name="watch"),
        ]

    async def _obey(self, orders: AsyncIterator[OrderItem]) -> None:
        async for item in orders:
            match item.order:
                case Ping(number=number):
                    grown = self._host.grown_bytes()
                    await self._client.call(ANSWER, AnswerRequest(number=number, grown_bytes=grown))
                case ReloadOrder(number=number, plugin=plugin):
                    self._answer(number, self._host.reload(plugin))
                case RunOrder(number=number, plugin=plugin, command=command, pane=pane):
                    self._answer(number, self._host.run(plugin, command, pane))
                case Finish():
                    return
                case Begin():
                    pass  # Only the first one counts.
                case _:
                    assert_never(item.order)

    def _answer(self, number: int, work: Awaitable[Fault | None]) -> None:
        async def answer() -> None:
            fault = await work
            await self._announce()  # Who asked looks at it next.
            with suppress(ServerUnavailable):
                await self._client.call(ANSWER, AnswerRequest(number=number, fault=fault))

        self._group.create_task(answer(), name=f"order {number}")

    async def _follow(self, events: AsyncIterator[Any]) -> None:
        with suppress(ServerUnavailable):
            async for item in events:
                self._host.put(item.event)

    async def _report(self) -> None:
        """The newest state, as often as it is another and the last was taken."""
        with suppress(ServerUnavailable):
            while True:
                await self._changed.wait()
                self._changed.clear()
                await self._client.call(REPORT, self._host.report())

    async def _announce(self) -> None:
        with suppress(ServerUnavailable):
            await self._client.call(REPORT, self._host.report())

    async def _watch(self) -> None:
        async for _ in changes(self._parts.folder, self._group):
            self._host.look()
            self._changed.set()

    def _uncaught(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """The event loop's exception handler. The message may quote anything, so it goes to no log."""
        error = context.get("exception")
        if error is not None:
            self._host.uncaught(error)
        logger.error("uncaught: %s", type(error).__name__)
