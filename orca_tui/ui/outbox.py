"""Bytes on their way to the outer terminal: written as fast as it takes them, never blocking the event loop.

Owns the queue, not the terminal; what the bytes mean is the driver's.
"""

from __future__ import annotations

import asyncio
import os
import select
from collections import deque
from collections.abc import Callable
from itertools import islice

from orca_tui.base.clock import Clock

HIGH_WATER_BYTES = 64 * 1024
"""More than this unsent beside one frame means that the terminal is slower than we paint. One frame alone never does:
on a very large terminal a full repaint is more, and one follows each catching up."""

MAX_PIECES = 64
"""Pieces handed to the kernel at once; a frame is three."""


class Outbox:
    """Writes to `fd`, which does not block.

    `on_congested` is called with True when the terminal falls behind and with False when it has caught up. After
    the terminal is gone everything is dropped.
    """

    def __init__(
        self,
        fd: int,
        loop: asyncio.AbstractEventLoop,
        *,
        on_congested: Callable[[bool], None],
        high_water_bytes: int = HIGH_WATER_BYTES,
    ) -> None:
        self.backlog_bytes = 0
        self.congested = False
        self.gone = False
        self._fd = fd
        self._loop = loop
        self._on_congested = on_congested
        self._high_water_bytes = high_water_bytes
        self._pieces: deque[bytes] = deque()
        self._head_started = False
        self._waiting = False

    def put(self, data: bytes) -> None:
        """Queue one write, which is sent whole or not at all; `pump` sends it."""
        if data and not self.gone:
            self._pieces.append(data)
            self.backlog_bytes += len(data)

    def pump(self) -> None:
        """Send what the terminal takes now, and the rest when it can take more."""
        self._send()
        self._wait(bool(self._pieces))
        if not self.congested and self._is_behind():
            self.congested = True
            self._on_congested(True)
        elif self.congested and not self.backlog_bytes:
            self.congested = False
            self._on_congested(False)

    def _is_behind(self) -> bool:
        if self.backlog_bytes <= self._high_water_bytes:
            return False
        return self.backlog_bytes - max(map(len, self._pieces)) > self._high_water_bytes

    def finish(self, last: bytes, *, patience_s: float, clock: Clock) -> bool:
        """Send `last` behind the write that has begun, dropping those that have not; blocks up to `patience_s`.

        Returns whether the terminal took it all. Leaves the event loop alone, so that a signal handler may call it.
        """
        begun = self._pieces[0] if self._pieces and self._head_started else b""
        self._clear()
        self._head_started = bool(begun)
        self.put(begun)
        self.put(last)
        deadline = clock.monotonic() + patience_s
        self._send()
        while self._pieces and (left_s := deadline - clock.monotonic()) > 0:
            select.select([], [self._fd], [], left_s)
            self._send()
        return not self._pieces and not self.gone

    def close(self) -> None:
        """Stop watching the terminal; the descriptor stays its owner's."""
        self._wait(False)

    def _send(self) -> None:
        while self._pieces:
            try:
                sent = os.writev(self._fd, list(islice(self._pieces, MAX_PIECES)))
            except (BlockingIOError, InterruptedError):
                return
            except OSError:
                self.gone = True  # EIO: nobody has the terminal open any more.
                self._clear()
                return
            self._forget(sent)

    def _forget(self, sent: int) -> None:
        """Account for what was sent. A signal may have finished the queue since, and left nothing to account."""
        self.backlog_bytes = max(0, self.backlog_bytes - sent)
        while sent and self._pieces:
            piece = self._pieces.popleft()
            if sent < len(piece):
                self._pieces.appendleft(piece[sent:])
                self._head_started = True
                return
            sent -= len(piece)
            self._head_started = False

    def _clear(self) -> None:
        self._pieces.clear()
        self.backlog_bytes = 0
        self._head_started = False

    def _wait(self, wanted: bool) -> None:
        if wanted and not self._waiting:
            self._loop.add_writer(self._fd, self.pump)
        elif not wanted and self._waiting:
            self._loop.remove_writer(self._fd)
        self._waiting = wanted
