"""Plugins in the test's own loop: the real host over a folder, without a server. What plugins notify is kept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import copy_context
from pathlib import Path
from typing import Any, cast

from orca_tui.base.clock import SystemClock
from orca_tui.client.asynchronous import AsyncClient
from orca_tui.commands.plugin_host import NotifyRequest
from orca_tui.commands.plugins import PluginRow
from orca_tui.commands.spec import Empty
from orca_tui.plugins.host import Host
from orca_tui.plugins.ownership import Ownership
from orca_tui.plugins.revision import Limits, Quarters
from orca_tui.process.confined import PeakMemory

LIMIT_S = 20.0


class Recorder:
    """A plugin's connection that keeps what the plugin says."""

    def __init__(self, told: Callable[[str], None]) -> None:
        self._told = told

    async def call(self, command: Any, request: Any) -> Any:
        assert isinstance(request, NotifyRequest)
        self._told(request.text)
        return Empty()

    def close(self) -> None:
        """Nothing is open."""


class Hosting:
    """The host and its folder."""

    def __init__(self, folder: Path, group: asyncio.TaskGroup, limits: Limits) -> None:
        self.folder = folder
        self.said: list[str] = []
        """What plugins have notified."""
        self._changed = asyncio.Event()
        ownership = Ownership(PeakMemory())
        loop = asyncio.get_running_loop()
        ownership.install(loop)
        quarters = Quarters(
            group=group,
            ownership=ownership,
            plain=copy_context(),
            limits=limits,
            connect=self._connect,
            announce=self._announce,
        )
        self.host = Host(folder, quarters, SystemClock(), self._changed.set)
        loop.set_exception_handler(lambda _, context: self.host.uncaught(context["exception"]))

    async def _connect(self, _: str) -> AsyncClient:
        return cast("AsyncClient", Recorder(self._heard))

    async def _announce(self) -> None:
        """Nobody has to know."""

    def _heard(self, text: str) -> None:
        self.said.append(text)
        self._changed.set()

    def write(self, name: str, source: str) -> None:
        """Have a file say that, and the host look."""
        (self.folder / name).write_text(source)
        self.host.look()

    def row(self, id: str) -> PluginRow:
        [row] = [row for row in self.host.report().plugins if row.id == id]
        return row

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for what the host or a plugin tells."""
        try:
            async with asyncio.timeout(LIMIT_S):
                while not holds():
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(f"{self.said} {self.host.report().plugins}") from None

    async def settles(self, id: str, state: str, revision: int | None = None) -> PluginRow:
        """Wait until a plugin has a state."""

        def there() -> bool:
            rows = [row for row in self.host.report().plugins if row.id == id]
            return any(row.state == state and revision in (None, row.revision) for row in rows)

        await self.until(there)
        return self.row(id)

    async def hears(self, *texts: str) -> None:
        """Wait until plugins have notified exactly that so far."""
        await self.until(lambda: self.said == list(texts))


@asynccontextmanager
async def hosting(folder: Path, *, setup_s: float = 10.0, command_s: float = 10.0) -> AsyncIterator[Hosting]:
    """A host; at the end everything is disposed."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.TaskGroup() as group:
            made = Hosting(folder, group, Limits(setup_s=setup_s, command_s=command_s))
            yield made
            await made.host.close()
    finally:
        loop.set_task_factory(None)
        loop.set_exception_handler(None)
