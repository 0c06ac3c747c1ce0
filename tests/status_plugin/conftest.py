"""A real intake socket, the host double, and the folders of users, for tests of the plugin and its installation."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import pytest
from aiohttp import web

from status_plugin.generate import PLUGIN_FILE_NAME, plugin_bytes, plugin_files
from tests.status_plugin.users import User

HOSTS = Path(__file__).parents[1] / "hosts"
PATIENCE_S = 20.0
"""No test waits for time to pass; a condition that has not come by then never will."""

Json = dict[str, Any]


class Log:
    """Entries in the order of their arrival, with a way to wait for one."""

    def __init__(self) -> None:
        self.entries: list[Json] = []
        self._arrival = asyncio.Event()

    def add(self, entry: Json) -> None:
        self.entries.append(entry)
        self._arrival.set()

    async def until(self, accepts: Callable[[Json], bool], *, after: int = 0) -> Json:
        """The first entry from index `after` on that `accepts`, now or later."""
        seen = after
        async with asyncio.timeout(PATIENCE_S):
            while True:
                self._arrival.clear()
                for entry in self.entries[seen:]:
                    if accepts(entry):
                        return entry
                seen = max(seen, len(self.entries))
                await self._arrival.wait()


class Intake:
    """The server's side of the wire: keeps every table, holds every poll."""

    def __init__(self, socket: Path) -> None:
        self.socket = socket
        self.tables = Log()
        self.polls = Log()
        self.ended_polls = Log()

    async def take_table(self, request: web.Request) -> web.Response:
        assert request.headers["Authorization"] == "Bearer secret"
        self.tables.add(await request.json())
        return web.Response(status=204)

    async def hold_poll(self, request: web.Request) -> web.Response:
        poll = {"process": request.query["process"]}
        self.polls.add(poll)
        try:
            await asyncio.Event().wait()
        finally:
            self.ended_polls.add(poll)
        return web.Response(status=204)

    async def until(self, accepts: Callable[[Json], bool], *, after: int = 0) -> Json:
        return await self.tables.until(accepts, after=after)

    @property
    def posted(self) -> list[Json]:
        return self.tables.entries


@pytest.fixture
async def intake() -> AsyncIterator[Intake]:
    with TemporaryDirectory(prefix="orca") as folder:  # A socket's path is short, or refused.
        async with listening_intake(Path(folder) / "intake") as listening:
            yield listening


@asynccontextmanager
async def listening_intake(socket: Path) -> AsyncIterator[Intake]:
    listening = Intake(socket)
    app = web.Application()
    app.router.add_post("/v1/intake/opencode", listening.take_table)
    app.router.add_get("/v1/intake/work", listening.hold_poll)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    await web.UnixSite(runner, str(listening.socket)).start()
    yield listening
    await runner.cleanup()


class Host:
    """A running host double: its records, and commands to it."""

    def __init__(self, process: asyncio.subprocess.Process, plugins: Path) -> None:
        self._process = process
        self.plugins = plugins
        self.records = Log()

    @property
    def pid(self) -> int:
        return self._process.pid

    async def read_records(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self.records.add(json.loads(line))

    def send(self, **command: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(command).encode() + b"\n")

    def emit(self, kind: str, **data: Any) -> None:
        self.send(cmd="emit", event={"type": kind, "data": data})

    async def until(self, rec: str, *, after: int = 0, **fields: Any) -> Json:
        """The first record of that kind with those fields."""
        return await self.records.until(
            lambda entry: entry["rec"] == rec and fields.items() <= entry.items(), after=after
        )

    async def change_plugin(self, name: str = PLUGIN_FILE_NAME, content: bytes | None = None) -> None:
        """Writes a plugin file with an mtime of its own, and has the host look for changes."""
        file = self.plugins / name
        file.write_bytes(plugin_bytes() if content is None else content)
        newer = file.stat().st_mtime + 10
        os.utime(file, (newer, newer))
        after = len(self.records.entries)
        self.send(cmd="reload")
        await self.until("reloaded", after=after)

    async def close(self) -> None:
        self.send(cmd="close")
        async with asyncio.timeout(PATIENCE_S):
            await self._process.wait()


class OpenHost(Protocol):
    def __call__(self, *options: str, plugins: dict[str, bytes] | None = None) -> Awaitable[Host]: ...


@pytest.fixture
async def open_host(tmp_path: Path, intake: Intake) -> AsyncIterator[OpenHost]:
    """Starts host doubles; their plugin folder holds our plugin and the given ones."""
    async with AsyncExitStack() as stack:

        async def open_one(*options: str, plugins: dict[str, bytes] | None = None) -> Host:
            folder = tmp_path / "config" / "plugins"
            folder.mkdir(parents=True, exist_ok=True)
            (tmp_path / "package.json").write_text('{"type": "module"}')
            ours = {file.name: file.content for file in plugin_files()}
            for name, content in {**ours, **(plugins or {})}.items():
                (folder / name).parent.mkdir(exist_ok=True)
                (folder / name).write_bytes(content)
            return await stack.enter_async_context(running_host(tmp_path, folder, intake, options))

        yield open_one


@asynccontextmanager
async def running_host(
    home: Path, plugins: Path, intake: Intake, options: tuple[str, ...]
) -> AsyncIterator[Host]:
    command = [
        node(),
        str(HOSTS / "opencode_host.mjs"),
        "--config",
        str(plugins.parent),
        "--location",
        str(home),
    ]
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "ORCA_TUI_PANE": "p1",
        "ORCA_TUI_TOKEN": "secret",
        "ORCA_TUI_INTAKE": str(intake.socket),
    }
    process = await asyncio.create_subprocess_exec(
        *command,
        "--no-watch",
        *options,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=environment,
    )
    host = Host(process, plugins)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(host.read_records())
        try:
            await host.until("ready")
            yield host
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()


def node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.fail("these tests need Node 20 or later")
    return found


@pytest.fixture(scope="session")
def node_path() -> str:
    return node()


@pytest.fixture(scope="session")
def plugin_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The generated plugin, under a name that Node takes for an ES module without asking."""
    file = tmp_path_factory.mktemp("plugin") / "plugin.mjs"
    file.write_bytes(plugin_bytes())
    return file


@pytest.fixture
def config() -> Iterator[Path]:
    """A configuration folder that any user may pass through, unlike pytest's own."""
    with TemporaryDirectory(prefix="orca") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder) / "opencode"


@pytest.fixture
def user() -> Iterator[User]:
    with TemporaryDirectory(prefix="orca") as folder:
        Path(folder).chmod(0o755)
        yield User(Path(folder)).has(opencode_json="{}", plugins__a_js="a", agent__build_md="b")
