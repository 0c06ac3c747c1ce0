"""Sockets whose files were cleaned away are there again, and who was connected never notices."""

from __future__ import annotations

import asyncio
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from orca_tui.server.entrances import Entrances
from orca_tui.server.sockets import listening

pytestmark = pytest.mark.anyio

LIMIT_S = 10.0


@asynccontextmanager
async def echoing(listener: socket.socket) -> AsyncIterator[None]:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(100):
            writer.write(data)
        writer.close()

    server = await asyncio.start_unix_server(echo, sock=listener)
    try:
        yield
    finally:
        server.close()


async def says(streams: tuple[asyncio.StreamReader, asyncio.StreamWriter], word: bytes) -> bytes:
    streams[1].write(word)
    return await streams[0].readexactly(len(word))


async def test_a_socket_that_was_cleaned_away_is_there_again(tmp_path: Path) -> None:
    path = tmp_path / "run" / "s"
    path.parent.mkdir(mode=0o700)
    async with asyncio.timeout(LIMIT_S), AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        entrances = Entrances(stack, look_every_s=0.01)
        await entrances.open(path, stack.enter_context(listening(path)), echoing)
        looking = group.create_task(entrances.look_after())
        before = await asyncio.open_unix_connection(str(path))

        shutil.rmtree(path.parent)
        while not path.exists():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        after = await asyncio.open_unix_connection(str(path))

        assert await says(before, b"still here") == b"still here"
        assert await says(after, b"here again") == b"here again"
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700
        for _, writer in (before, after):
            writer.close()
        looking.cancel()
    assert not path.exists()


async def test_what_is_in_the_way_is_left_alone_and_looked_at_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "run" / "s"
    path.parent.mkdir(mode=0o700)
    async with asyncio.timeout(LIMIT_S), AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        entrances = Entrances(stack, look_every_s=0.01)
        await entrances.open(path, stack.enter_context(listening(path)), echoing)
        shutil.rmtree(path.parent)
        path.parent.write_text("in the way")
        looking = group.create_task(entrances.look_after())
        while "cannot be made again" not in caplog.text:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

        path.parent.unlink()
        while not path.exists():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        looking.cancel()
