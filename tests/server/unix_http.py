"""A raw HTTP client on a Unix socket: what a test writes is what goes out, however wrong it is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Connection:
    """One connection to a door."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def head(self) -> tuple[int, dict[str, str]]:
        """Status and headers of the next response."""
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        pairs = (line.split(": ", 1) for line in lines[1:] if line)
        return int(lines[0].split()[1]), {name.lower(): value for name, value in pairs}

    async def answer(self) -> Answer:
        status, headers = await self.head()
        body = await self.reader.readexactly(int(headers.get("content-length", "0")))
        return Answer(status, headers, body)

    async def chunk(self) -> bytes:
        """One piece of a chunked body; empty at its end."""
        size = int(await self.reader.readline(), 16)
        data = await self.reader.readexactly(size)
        await self.reader.readexactly(2)
        return data

    async def closed_by_server(self) -> None:
        """Return when the server has closed the connection."""
        while await self.reader.read(65536):
            pass


@asynccontextmanager
async def connected(path: Path) -> AsyncIterator[Connection]:
    reader, writer = await asyncio.open_unix_connection(str(path))
    try:
        yield Connection(reader, writer)
    finally:
        writer.close()


def request_bytes(
    method: str, target: str, body: bytes | None = None, headers: dict[str, str] | None = None
) -> bytes:
    lines = [f"{method} {target} HTTP/1.1", "Host: localhost"]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + (body or b"")


async def ask(
    path: Path,
    method: str,
    target: str,
    body: bytes | Any = None,
    headers: dict[str, str] | None = None,
) -> Answer:
    """One request on a connection of its own; a body that is no bytes goes as JSON."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    async with connected(path) as connection:
        await connection.send(request_bytes(method, target, data, headers))
        return await connection.answer()
