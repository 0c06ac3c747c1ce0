"""A whole server in the test's own loop: real sockets, real PTYs, the real engine. And UIs without a screen."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

import orca_tui
from orca_tui.agents.registry import Agents
from orca_tui.base.clock import SystemClock
from orca_tui.base.errors import ServerUnavailable
from orca_tui.client.asynchronous import AsyncClient
from orca_tui.commands.get import GET, GetRequest
from orca_tui.commands.list import LIST
from orca_tui.commands.open import OPEN, OpenRequest
from orca_tui.commands.read import READ, ReadRequest
from orca_tui.commands.server_stop import SERVER_STOP, ServerStopRequest
from orca_tui.commands.spec import Command, Empty
from orca_tui.commands.ui import ATTACH, VIEW, AttachRequest, ViewRequest
from orca_tui.config import Config, Environment
from orca_tui.process.helper import HelperProgram
from orca_tui.process.table import SystemTable
from orca_tui.server.app import run_server
from orca_tui.server.parts import Parts
from orca_tui.server.picture_media import read_medium
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.input_events import InputEvent
from orca_tui.wire import COUNT, FrameKind, PaneInfo, PaneView, Synced, UiItem
from tests.process.local_spawner import LocalSpawner
from tests.server.viewers import Viewer

Q = TypeVar("Q", bound=msgspec.Struct)
R = TypeVar("R", bound=msgspec.Struct)

ROOT = Path(orca_tui.__file__).parent.parent
LIMIT_S = 20.0
POLL_S = 0.01
"""How often a condition is looked at that nothing announces."""


async def until(holds: Callable[[], Coroutine[Any, Any, bool]], what: str) -> None:
    """Wait for a condition that has to be asked for."""
    try:
        async with asyncio.timeout(LIMIT_S):
            while not await holds():  # noqa: ASYNC110 - nothing announces it.
                await asyncio.sleep(POLL_S)
    except TimeoutError:
        raise AssertionError(f"not within {LIMIT_S} s: {what}") from None


class Server:
    """A running server and the ways to it."""

    def __init__(self, root: Path, parts: Parts, stack: AsyncExitStack) -> None:
        self.root = root
        self.parts = parts
        self.task: asyncio.Task[None]
        self._stack = stack

    async def client(self, **options: Any) -> AsyncClient:
        """A connection, closed at the end of the test."""
        client = await AsyncClient.connect(self.parts.sockets().wire, **options)
        self._stack.callback(client.close)
        return client

    async def ui(self, cols: int = 80, rows: int = 24) -> Ui:
        """An attached UI."""
        return await Ui.attached(self, self._stack, cols, rows)


class Api:
    """A client with the commands that most tests need."""

    def __init__(self, client: AsyncClient, root: Path) -> None:
        self.client = client
        self.root = root

    async def call(self, command: Command[Q, R], request: Q) -> R:
        async with asyncio.timeout(LIMIT_S):
            return await self.client.call(command, request)

    async def open(self, *command: str, **options: Any) -> str:
        """Open a pane; its id."""
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.root), "PS1": "$ ", "SHELL": "/bin/sh"}
        request = OpenRequest(
            **{"command": command, "cwd": str(self.root), "environment": environment, **options}
        )
        return (await self.call(OPEN, request)).pane

    async def panes(self) -> dict[str, PaneInfo]:
        return {info.pane: info for info in (await self.call(LIST, Empty())).panes}

    async def info(self, pane: str) -> PaneInfo:
        return await self.call(GET, GetRequest(pane=pane))

    async def screen(self, pane: str) -> str:
        return (await self.call(READ, ReadRequest(pane=pane))).text

    async def shows(self, pane: str, text: str) -> None:
        """Wait until a text is on a pane's screen."""

        async def shown() -> bool:
            return text in await self.screen(pane)

        await until(shown, f"{pane} shows {text!r}")

    async def exits(self, pane: str) -> PaneInfo:
        """Wait until a pane's program has ended."""

        async def exited() -> bool:
            return (await self.info(pane)).exit_code is not None

        await until(exited, f"{pane} exits")
        return await self.info(pane)

    async def stop(self) -> None:
        await self.call(SERVER_STOP, ServerStopRequest(yes=True))


class Ui:
    """An attached UI: applies the frames it gets at once and acknowledges them, unless it is `frozen`."""

    def __init__(self, engines: GhosttyFactory) -> None:
        self.client: AsyncClient
        self.items: list[UiItem] = []
        self.viewers: dict[int, Viewer] = {}
        self.frozen = False
        self._engines = engines
        self._changed = asyncio.Event()

    @classmethod
    async def attached(cls, server: Server, stack: AsyncExitStack, cols: int, rows: int) -> Ui:
        engines = server.parts.engines
        assert isinstance(engines, GhosttyFactory)
        ui = cls(engines)
        ui.client = await server.client(role="ui", engine_build=engines.build, on_pane_frame=ui._frame)
        group = await stack.enter_async_context(asyncio.TaskGroup())
        task = group.create_task(ui._follow(cols, rows))
        stack.callback(task.cancel)
        await ui.until(lambda: bool(ui.items))
        return ui

    async def show(self, *panes: PaneView, focused: str | None = None, terminal_focused: bool = True) -> None:
        """Have these panes on screen."""
        self.viewers = {
            view.channel: self.viewers.get(view.channel) or Viewer(self._engines) for view in panes
        }
        request = ViewRequest(panes=panes, focused=focused, terminal_focused=terminal_focused)
        await self.client.call(VIEW, request)

    def press(self, channel: int, event: InputEvent) -> None:
        self.client.send(FrameKind.INPUT, channel, msgspec.msgpack.encode(event))

    def thaw(self) -> None:
        """Go on after having been frozen."""
        self.frozen = False
        for channel in self.viewers:
            self._feed(channel)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until a condition on what came holds."""
        async with asyncio.timeout(LIMIT_S):
            while not holds():
                self._changed.clear()
                await self._changed.wait()

    async def shows(self, channel: int, text: str) -> None:
        """Wait until a text is on the screen of a channel."""
        try:
            await self.until(lambda: text in self.screen(channel))
        except TimeoutError:
            raise AssertionError(f"no {text!r} in {self.screen(channel)!r}") from None

    def screen(self, channel: int) -> str:
        engine = self.viewers[channel].engine
        return "" if engine is None else engine.screen_text(unwrap=False)

    def synced(self) -> Synced:
        """The whole state, as it was told first."""
        first = self.items[0]
        assert isinstance(first, Synced)
        return first

    async def item(self, kind: type[R], matches: Callable[[R], bool] = lambda _: True) -> R:
        """Wait for an item; the first that matches."""

        def found() -> list[R]:
            return [item for item in self.items if isinstance(item, kind) and matches(item)]

        await self.until(lambda: bool(found()))
        return found()[0]

    async def _follow(self, cols: int, rows: int) -> None:
        with suppress(Exception):
            async for item in self.client.stream(ATTACH, AttachRequest(cols=cols, rows=rows)):
                self.items.append(item.item)
                self._changed.set()

    def _frame(self, kind: int, channel: int, payload: bytes) -> None:
        viewer = self.viewers.get(channel)
        if viewer is None or kind == FrameKind.TAKEN:
            return
        viewer.take(kind, payload)
        if not self.frozen:
            self._feed(channel)
        self._changed.set()

    def _feed(self, channel: int) -> None:
        count = self.viewers[channel].feed()
        if count:
            self.client.send(FrameKind.ACK, channel, COUNT.pack(count))
        self._changed.set()


@asynccontextmanager
async def running_server(
    config: Config | None = None, *, plugins: bool = False, root: Path | None = None
) -> AsyncIterator[Server]:
    """A server of its own below a short directory, since socket paths have a limit; stopped at the end.

    With `plugins` it hosts those of its settings' folder, in a process of their own.
    """
    root = root or Path(tempfile.mkdtemp(prefix="ot-"))
    environment = Environment(
        {
            "HOME": str(root),
            "PATH": os.environ["PATH"],
            "SHELL": "/bin/sh",
            **{f"XDG_{name}_HOME": str(root / name.lower()) for name in ("CONFIG", "STATE", "CACHE")},
            "XDG_RUNTIME_DIR": str(root),
        }
    )
    config = config or Config()
    parts = Parts(
        name="default",
        settings=lambda: config,
        paths=environment.paths(),
        environment=environment,
        clock=SystemClock(),
        agents=Agents(),
        engines=GhosttyFactory(pictures=read_medium if config.terminal.graphics == "kitty" else None),
        spawner=LocalSpawner(),
        processes=SystemTable(),
        plugin_host=_plugin_host(environment) if plugins else None,
    )
    ready = asyncio.Event()
    try:
        async with asyncio.TaskGroup() as group, AsyncExitStack() as stack:
            server = Server(root, parts, stack)
            server.task = group.create_task(run_server(parts, ready=ready.set))
            async with asyncio.timeout(LIMIT_S):
                await ready.wait()
            yield server
            await _stop(server)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _plugin_host(environment: Environment) -> HelperProgram:
    return HelperProgram(
        argv=[sys.executable, "-u", "-m", "orca_tui", "plugins", "host", "--server", "default"],
        environment=environment.variables | {"PYTHONPATH": str(ROOT)},
        log_file=environment.paths().plugins_log_file("default"),
    )


async def _stop(server: Server) -> None:
    with suppress(ServerUnavailable):  # The test has stopped it already.
        client = await AsyncClient.connect(server.parts.sockets().wire)
        await Api(client, server.root).stop()
        client.close()
    await server.task
