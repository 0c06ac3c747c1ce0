"""A server's connection to its keeper: frames and descriptors in, frames out, without ever blocking."""

from __future__ import annotations

import asyncio
import os
import socket
from collections import deque
from collections.abc import Callable

from orca_tui.process.keeper_wire import VERSION, BadFrame, FrameCutter, Head, frame

READ_BYTES = 256 << 10
CLOSE_ON_EXEC = getattr(socket, "MSG_CMSG_CLOEXEC", 0)

Received = Callable[[Head, bytes, int | None], None]
"""Gets a frame and its descriptor, which is then the receiver's; None when this process may have no more."""


class KeeperLink:
    """One connection, from `connect` to `close`."""

    def __init__(self, connection: socket.socket, received: Received, lost: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._connection = connection
        self._cutter = FrameCutter()
        self._descriptors: deque[int | None] = deque()
        self._unsent = bytearray()
        self._received = received
        self._lost = lost
        self._open = True

    @classmethod
    async def connect(cls, path: str, received: Received, lost: Callable[[], None]) -> KeeperLink:
        """Connect and say hello; `lost` is called when the keeper hangs up. Raises `OSError`."""
        connection = socket.socket(socket.AF_UNIX)
        connection.setblocking(False)
        link = cls(connection, received, lost)
        try:
            await link._loop.sock_connect(connection, path)
        except BaseException:
            connection.close()
            raise
        link._loop.add_reader(connection, link._readable)
        link.send({"op": "hello", "v": VERSION})
        return link

    @property
    def is_open(self) -> bool:
        """Neither side has hung up."""
        return self._open

    def send(self, head: Head, raw: bytes = b"") -> None:
        """Send a frame, now or when the keeper reads; to a keeper that is gone it says nothing."""
        if not self._open:
            return
        if not self._unsent:
            self._loop.add_writer(self._connection, self._writable)
        self._unsent += frame(head, raw)
        self._writable()

    def close(self) -> None:
        """Hang up; again changes nothing."""
        if self._open:
            self._open = False
            self._loop.remove_reader(self._connection)
            self._loop.remove_writer(self._connection)
            self._connection.close()
            for descriptor in self._descriptors:
                if descriptor is not None:
                    os.close(descriptor)
            self._descriptors.clear()

    def _readable(self) -> None:
        try:
            data, descriptors, flags, _ = socket.recv_fds(self._connection, READ_BYTES, 1, CLOSE_ON_EXEC)
        except BlockingIOError:
            return
        except OSError:
            data, descriptors, flags = b"", [], 0
        for descriptor in descriptors:
            os.set_inheritable(descriptor, False)
            self._descriptors.append(descriptor)
        if flags & socket.MSG_CTRUNC and not descriptors:
            self._descriptors.append(None)  # EMFILE: the kernel has thrown it away.
        try:
            for head, raw in self._cutter.feed(data):
                self._received(head, raw, self._descriptors.popleft() if head.get("fd") else None)
        except (BadFrame, IndexError):
            data = b""  # It is no keeper of ours.
        if not data and self._open:
            self.close()
            self._lost()

    def _writable(self) -> None:
        if not self._open:
            return
        try:
            del self._unsent[: self._connection.send(self._unsent)]
        except BlockingIOError:
            return
        except OSError:
            self._unsent.clear()  # The reader will see the end.
        if not self._unsent:
            self._loop.remove_writer(self._connection)
