"""`AsyncClient`: one connection to a server, requests and pane frames. Draws nothing, starts no server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from orca_tui import __version__
from orca_tui.base.errors import EngineMismatch, Invalid, ServerUnavailable, TooLarge, error_from_code
from orca_tui.base.reasons import reason_of
from orca_tui.commands.spec import Command
from orca_tui.wire import (
    PROTOCOL,
    ErrorBody,
    FrameKind,
    FrameReader,
    Hello,
    Request,
    Welcome,
    decode,
    frame,
)

Q = TypeVar("Q", bound=msgspec.Struct)
R = TypeVar("R", bound=msgspec.Struct)

HELLO_TIMEOUT_S = 10.0  # A server that accepts and says nothing for so long is stuck.

PaneFrameHandler = Callable[[int, int, bytes], None]
"""Called with (kind, channel, payload) of every pane frame, in order, from the event loop."""


class AsyncClient:
    """A connected client. Make it with `connect`; every error of a command is raised as its `OrcaError`."""

    def __init__(self, on_pane_frame: PaneFrameHandler | None = None) -> None:
        self._on_pane_frame = on_pane_frame
        self._transport: asyncio.WriteTransport | None = None
        self._answers: dict[int, asyncio.Queue[tuple[int, bytes]]] = {}
        self._number = 0
        self._welcome: asyncio.Future[Welcome] = asyncio.get_running_loop().create_future()
        self._lost = asyncio.Event()

    @classmethod
    async def connect(
        cls,
        path: Path,
        *,
        role: str = "api",
        token: str | None = None,
        engine_build: str | None = None,
        on_pane_frame: PaneFrameHandler | None = None,
    ) -> AsyncClient:
        """Connect and exchange hellos; raises `ServerUnavailable`, `EngineMismatch` or what the server says.

        `token` is as for `Client`.
        """
        client = cls(on_pane_frame)
        try:
            await asyncio.get_running_loop().create_unix_connection(lambda: _Link(client), str(path))
        except OSError as error:
            raise ServerUnavailable(f"no server answers on {path}", path=str(path)) from error
        hello = Hello(
            protocol=PROTOCOL, version=__version__, role=role, token=token, engine_build=engine_build
        )
        client.send(FrameKind.HELLO, 0, msgspec.msgpack.encode(hello))
        try:
            await client._greeted(engine_build)
        except BaseException:
            client.close()
            raise
        return client

    async def _greeted(self, engine_build: str | None) -> None:
        """Wait for the server's hello, and check that its engine is ours."""
        try:
            async with asyncio.timeout(HELLO_TIMEOUT_S):
                welcome = await self._welcome
        except TimeoutError as error:
            raise ServerUnavailable("the server accepts connections but does not answer") from error
        if engine_build is not None and welcome.engine_build != engine_build:
            raise EngineMismatch(
                "the server runs another build of the terminal engine; "
                "restart it, or use its version of orca-tui",
                server_version=welcome.version,
            )

    @property
    def welcome(self) -> Welcome:
        """What the server said of itself."""
        return self._welcome.result()

    async def call(self, command: Command[Q, R], request: Q) -> R:
        """Run a command and return its reply."""
        number, answers = self._begin(command, request)
        try:
            kind, payload = await answers.get()
            if kind == FrameKind.ERROR:
                raise _raised(payload)
            return decode(payload, command.reply)
        finally:
            self._forget(number)

    async def stream(self, command: Command[Q, R], request: Q) -> AsyncIterator[R]:
        """Run a streaming command; ends with the stream, raises what it fails with."""
        number, answers = self._begin(command, request)
        try:
            while True:
                kind, payload = await answers.get()
                if kind == FrameKind.END:
                    return
                if kind == FrameKind.ERROR:
                    raise _raised(payload)
                yield decode(payload, command.reply)
        finally:
            self._forget(number)

    def send(self, kind: FrameKind, channel: int, payload: bytes) -> None:
        """Send one frame; dropped silently when the connection is gone, which `wait_closed` tells."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(frame(kind, channel, payload))

    async def wait_closed(self) -> None:
        """Return when the connection is gone, whoever ended it."""
        await self._lost.wait()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def _begin(
        self, command: Command[Any, Any], request: msgspec.Struct
    ) -> tuple[int, asyncio.Queue[tuple[int, bytes]]]:
        if self._lost.is_set():
            raise ServerUnavailable("the server is gone")
        self._number += 1
        answers = self._answers[self._number] = asyncio.Queue()
        body = msgspec.Raw(msgspec.msgpack.encode(request))
        self.send(
            FrameKind.REQUEST,
            self._number,
            msgspec.msgpack.encode(Request(command=command.name, body=body)),
        )
        return self._number, answers

    def _forget(self, number: int) -> None:
        if self._answers.pop(number, None) is not None:
            self.send(FrameKind.CANCEL, number, b"")

    # Called by the link.

    def _connected(self, transport: asyncio.WriteTransport) -> None:
        self._transport = transport

    def _received(self, kind: int, channel: int, payload: bytes) -> None:
        if kind >= FrameKind.SNAPSHOT:
            if self._on_pane_frame is not None:
                self._on_pane_frame(kind, channel, payload)
        elif kind == FrameKind.WELCOME and not self._welcome.done():
            self._welcome.set_result(decode(payload, Welcome))
        elif kind == FrameKind.ERROR and channel == 0 and not self._welcome.done():
            self._welcome.set_exception(_raised(payload))
        elif (answers := self._answers.get(channel)) is not None:
            if kind in (FrameKind.REPLY, FrameKind.ERROR, FrameKind.END):
                del self._answers[channel]
            answers.put_nowait((kind, payload))

    def _disconnected(self, why: str) -> None:
        self._lost.set()
        if not self._welcome.done():
            self._welcome.set_exception(ServerUnavailable(why))
            self._welcome.exception()  # Read, so that a caller who left is not warned about.
        body = msgspec.msgpack.encode(ErrorBody(code=ServerUnavailable.code, message=why))
        for answers in self._answers.values():
            answers.put_nowait((FrameKind.ERROR, body))
        self._answers.clear()


class _Link(asyncio.Protocol):
    """Bytes to frames; a protocol rather than streams, since the echo of a key passes here."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._reader = FrameReader()
        self._transport: asyncio.BaseTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport
        self._client._connected(transport)

    def data_received(self, data: bytes) -> None:
        try:
            for kind, channel, payload in self._reader.feed(data):
                self._client._received(kind, channel, payload)
        except (TooLarge, Invalid) as error:
            self._client._disconnected(f"the server sent something that is no frame: {error}")
            if self._transport is not None:
                self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        why = f": {reason_of(exc)}" if isinstance(exc, OSError) else ""
        self._client._disconnected(f"the server is gone{why}")


def _raised(payload: bytes) -> Exception:
    body = decode(payload, ErrorBody)
    return error_from_code(body.code, body.message, body.facts)
