"""A server that says exactly what a test wants, frame by frame, in a thread of its own."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from orca_tui.wire import PROTOCOL, FrameKind, FrameReader, Welcome, frame, message

JOIN_S = 10.0

WELCOME = Welcome(protocol=PROTOCOL, version="9.9", server="default", pid=4711, engine_build="build")


class Peer:
    """The server's end of one connection."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._reader = FrameReader()
        self._frames: list[tuple[int, int, bytes]] = []

    def receive(self) -> tuple[int, int, Any]:
        """The next frame of the client: kind, channel, decoded payload (None when it is empty)."""
        while not self._frames:
            data = self._connection.recv(65536)
            if not data:
                raise EOFError
            self._frames += self._reader.feed(data)
        kind, channel, payload = self._frames.pop(0)
        return kind, channel, msgspec.msgpack.decode(payload) if payload else None

    def send(self, kind: FrameKind, channel: int, value: object = None) -> None:
        data = frame(kind, channel) if value is None else message(kind, channel, value)
        self._connection.sendall(data)

    def send_bytes(self, data: bytes) -> None:
        self._connection.sendall(data)

    def welcome(self) -> Any:
        """Take the hello and answer it; what the client said of itself."""
        kind, channel, hello = self.receive()
        assert (kind, channel) == (FrameKind.HELLO, 0)
        self.send(FrameKind.WELCOME, 0, WELCOME)
        return hello

    def request(self) -> tuple[int, str, Any]:
        """Take a request: its number, command and body."""
        kind, number, request = self.receive()
        assert kind == FrameKind.REQUEST
        return number, request["command"], request["body"]


@contextmanager
def scripted(path: Path, script: Callable[[Peer], None]) -> Iterator[None]:
    """Listen at a path, and play a script with the first client; hangs up when the script is over."""
    with socket.socket(socket.AF_UNIX) as listener:
        playing = _Playing(listener, path, script)
        try:
            yield
        finally:
            playing.thread.join(JOIN_S)
    playing.check()


@asynccontextmanager
async def scripted_beside(path: Path, script: Callable[[Peer], None]) -> AsyncIterator[None]:
    """The same for a client in an event loop, which goes on while the script ends."""
    with socket.socket(socket.AF_UNIX) as listener:
        playing = _Playing(listener, path, script)
        try:
            yield
        finally:
            await asyncio.to_thread(playing.thread.join, JOIN_S)
    playing.check()


class _Playing:
    def __init__(self, listener: socket.socket, path: Path, script: Callable[[Peer], None]) -> None:
        listener.bind(str(path))
        listener.listen()
        listener.settimeout(JOIN_S)
        self._listener = listener
        self._script = script
        self._failures: list[BaseException] = []
        self.thread = threading.Thread(target=self._play)
        self.thread.start()

    def check(self) -> None:
        """Raise what the script failed with."""
        assert not self.thread.is_alive()
        if self._failures:
            raise self._failures[0]

    def _play(self) -> None:
        try:
            connection, _ = self._listener.accept()
            connection.settimeout(JOIN_S)
            with connection:
                self._script(Peer(connection))
        except BaseException as error:
            self._failures.append(error)
