"""Reading and writing a terminal's master side without ever blocking. Knows bytes, no terminal and no pane.

Reading and writing are independent: a program that does not read still shows what it writes.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable

from orca_tui.base.clock import Clock
from orca_tui.base.errors import Conflict
from orca_tui.process.reading_order import ReadingOrder

READ_BYTES = 64 << 10
"""At most so much per callback; the kernel gives 4 KiB a time, and feeding 64 KiB takes well under 1 ms."""
WRITE_BYTES = 64 << 10
MAX_QUEUED_BYTES = 64 << 20
"""Input that a program may leave unread; a paste of any sane size fits, a runaway script does not."""


class PtyIo:
    """The traffic of one master descriptor, which stays its owner's to close after `close`."""

    def __init__(
        self,
        master: int,
        clock: Clock,
        *,
        received: Callable[[bytes], None],
        ended: Callable[[], None],
        read: Callable[[int, int], bytes] = os.read,
        order: ReadingOrder | None = None,
    ) -> None:
        """`received` gets output as it comes; `ended` is called once when there can be no more.

        `read` is called for each piece of it, as `os.read` would be. `order`: that of all that are read in this loop.
        """
        self._loop = asyncio.get_running_loop()
        self._master = master
        self._clock = clock
        self._received = received
        self._ended = ended
        self._read_some = read
        self._order = order or ReadingOrder(self._loop.call_later)
        self._queue: deque[memoryview] = deque()
        self._queued_bytes = 0
        self._paused = True
        self._at_end = False
        self._closed = False

    @property
    def queued_bytes(self) -> int:
        """Input that the program has not read yet (beyond what the kernel holds)."""
        return self._queued_bytes

    def resume(self) -> None:
        """Read, from now on; the start is paused."""
        if self._paused and not self._closed and not self._at_end:
            self._paused = False
            self._loop.add_reader(self._master, self._readable)

    def pause(self) -> None:
        """Read nothing for now, so that the program waits once the kernel's buffer is full."""
        if not self._paused and not self._closed and not self._at_end:
            self._paused = True
            self._loop.remove_reader(self._master)

    def write(self, data: bytes) -> None:
        """Give input to the program, in order, however slowly it reads; `Conflict` when far too much waits."""
        if not data or self._closed:
            return
        if self._queued_bytes + len(data) > MAX_QUEUED_BYTES:
            raise Conflict("the program does not read its input", queued_bytes=self._queued_bytes)
        view = memoryview(data)
        if not self._queue:
            view = view[self._write_some(view) :]
        if view:
            if not self._queue:
                self._loop.add_writer(self._master, self._writable)
            self._queue.append(view)
            self._queued_bytes += len(view)

    def typed(self) -> None:
        """What was written last was typed by a person, who waits for its echo."""
        self._order.typed(self, self._clock.monotonic())

    def drain(self) -> None:
        """Read what the kernel still holds, paused or not: the last words of a program that has ended."""
        while not self._closed and not self._at_end and self._read():
            pass

    def close(self) -> bytes:
        """Stop; the descriptor may be closed afterwards. Returns the input that the kernel has not taken."""
        unread = b"".join(self._queue)
        if not self._closed:
            self._stop_reading()
            self._drop_input()
            self._closed = True
        return unread

    def _readable(self) -> None:
        if self._order.is_turn_of(self):
            self._read()
        else:
            self._loop.remove_reader(self._master)
            self._order.wait(self._go_on)

    def _go_on(self) -> None:
        if not self._paused and not self._closed and not self._at_end:
            self._loop.add_reader(self._master, self._readable)

    def _read(self) -> bool:
        """Hand on at most one slice of output; False when there is none for now."""
        pieces: list[bytes] = []
        size = 0
        now = self._clock.monotonic()
        stop_at = now + self._order.slice_s(self, now)
        at_end = False
        while size < READ_BYTES:
            try:
                piece = self._read_some(self._master, READ_BYTES - size)
            except BlockingIOError:
                break
            except OSError:  # EIO: nobody has the terminal open any more.
                piece = b""
            if not piece:
                at_end = True
                break
            pieces.append(piece)
            size += len(piece)
            if self._clock.monotonic() >= stop_at:
                break
        if pieces:
            self._order.said(self)
            self._received(pieces[0] if len(pieces) == 1 else b"".join(pieces))
        if at_end and not self._at_end and not self._closed:
            self._stop_reading()
            self._at_end = True
            self._ended()
        return bool(pieces)

    def _writable(self) -> None:
        while self._queue:
            view = self._queue[0]
            written = self._write_some(view)
            self._queued_bytes -= written
            if written < len(view):
                self._queue[0] = view[written:]
                return
            self._queue.popleft()
        self._loop.remove_writer(self._master)

    def _write_some(self, view: memoryview) -> int:
        """Write until the terminal takes no more; returns how much it took."""
        done = 0
        while done < len(view):
            try:
                done += os.write(self._master, view[done : done + WRITE_BYTES])
            except BlockingIOError:
                return done
            except OSError:  # EIO: the program is gone, and its input with it.
                return len(view)
        return done

    def _stop_reading(self) -> None:
        if not self._paused and not self._at_end:
            self._loop.remove_reader(self._master)
        self._paused = True

    def _drop_input(self) -> None:
        if self._queue:
            self._queue.clear()
            self._queued_bytes = 0
            self._loop.remove_writer(self._master)
