"""`Client`: a connection for scripts and the command line, on a plain socket. No event loop, no pane frames."""

from __future__ import annotations

import errno
import select
import socket
from collections import deque
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec

from orca_tui import __version__
from orca_tui.base.errors import ServerUnavailable, TimedOut, error_from_code
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
    message,
)

Q = TypeVar("Q", bound=msgspec.Struct)
R = TypeVar("R", bound=msgspec.Struct)

READ_BYTES = 64 << 10
HELLO_TIMEOUT_S = 10.0  # A server that accepts and says nothing for so long is stuck.


class Client:
    """A connected client; a context manager. One command at a time."""

    def __init__(self, path: Path, *, role: str = "api", token: str | None = None) -> None:
        """Connect and exchange hellos; raises `ServerUnavailable` or what the server says.

        `token` is `ORCA_TUI_TOKEN` in a pane. It names the pane where the kernel cannot; without it nothing more
        is allowed.
        """
        self._socket = socket.socket(socket.AF_UNIX)
        self._reader = FrameReader()
        self._frames: deque[tuple[int, int, bytes]] = deque()
        self._number = 0
        self._reader_of: int | None = None
        try:
            self._socket.settimeout(HELLO_TIMEOUT_S)
            self._connect(path)
            hello = Hello(protocol=PROTOCOL, version=__version__, role=role, token=token)
            self._send(message(FrameKind.HELLO, 0, hello))
            self.welcome = decode(self._expect(0), Welcome)
            self._socket.settimeout(None)
        except BaseException:
            self._socket.close()
            raise

    def read_by(self, descriptor: int | None) -> None:
        """Whoever reads the other end of that pipe or terminal is who the replies are for: when nobody does any more,
        waiting for them ends with `BrokenPipeError`."""
        self._reader_of = descriptor

    def call(self, command: Command[Q, R], request: Q) -> R:
        """Run a command and return its reply; an error of the command is raised as its `OrcaError`."""
        return decode(self._expect(self._begin(command, request)), command.reply)

    def stream(self, command: Command[Q, R], request: Q) -> Generator[R, None, None]:
        """Run a streaming command and yield its items until it ends; closing the generator cancels it."""
        number = self._begin(command, request)
        try:
            while True:
                kind, payload = self._next(number)
                if kind == FrameKind.END:
                    return
                yield decode(_checked(kind, payload), command.reply)
        except GeneratorExit:
            self._send(frame(FrameKind.CANCEL, number))
            raise

    def wait_closed(self, timeout_s: float) -> None:
        """Return when the server has hung up; raises `TimedOut` when it does not within the time."""
        self._socket.settimeout(timeout_s)
        try:
            while self._socket.recv(READ_BYTES):
                pass
        except ConnectionResetError:
            return
        except TimeoutError as error:
            raise TimedOut(f"the server did not end the connection within {timeout_s:g} s") from error

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _begin(self, command: Command[Any, Any], request: msgspec.Struct) -> int:
        self._number += 1
        body = msgspec.Raw(msgspec.msgpack.encode(request))
        self._send(message(FrameKind.REQUEST, self._number, Request(command=command.name, body=body)))
        return self._number

    def _connect(self, path: Path) -> None:
        try:
            self._socket.connect(str(path))
        except OSError as error:
            raise ServerUnavailable(f"no server answers on {path}", path=str(path)) from error

    def _send(self, data: bytes) -> None:
        # A server that hangs up may have said why first, so a failure to send is told by `_next`.
        with suppress(BrokenPipeError, ConnectionResetError):
            self._socket.sendall(data)

    def _expect(self, number: int) -> bytes:
        return _checked(*self._next(number))

    def _next(self, number: int) -> tuple[int, bytes]:
        """The next frame for a request; raises what the server says of the whole connection (channel 0)."""
        while True:
            while self._frames:
                kind, channel, payload = self._frames.popleft()
                if channel == number:
                    return kind, payload
                if channel == 0:
                    _checked(kind, payload)
            self._frames.extend(self._reader.feed(self._received()))

    def _received(self) -> bytes:
        self._wait_for_news()
        try:
            data = self._socket.recv(READ_BYTES)
        except TimeoutError as error:
            raise ServerUnavailable("the server accepts connections but does not answer") from error
        except OSError as error:
            raise ServerUnavailable("the server is gone") from error
        if not data:
            raise ServerUnavailable("the server is gone")
        return data

    def _wait_for_news(self) -> None:
        """Return when the server has sent something, or raise for a reader that is gone."""
        if self._reader_of is None:
            return
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        poll.register(self._reader_of, 0)  # Errors and a hang-up are told without being asked for.
        ready = dict(poll.poll())
        if self._socket.fileno() not in ready:
            raise BrokenPipeError(errno.EPIPE, "nobody reads the output")


def ask_to_leave(path: Path, timeout_s: float) -> None:
    """Have the server there make place for another, whatever protocol it speaks; returns when it hangs up.

    Raises `ServerUnavailable`, `TimedOut`, or what the server refuses with.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(timeout_s)
        try:
            connection.connect(str(path))
            connection.sendall(frame(FrameKind.LEAVE, 0))
            answer = b"".join(iter(lambda: connection.recv(READ_BYTES), b""))
        except TimeoutError as error:
            raise TimedOut(f"the server did not leave within {timeout_s:g} s") from error
        except OSError as error:
            raise ServerUnavailable(f"no server answers on {path}", path=str(path)) from error
    for kind, _, payload in FrameReader().feed(answer):
        _checked(kind, payload)


def _checked(kind: int, payload: bytes) -> bytes:
    if kind == FrameKind.ERROR:
        body = decode(payload, ErrorBody)
        raise error_from_code(body.code, body.message, body.facts)
    return payload
