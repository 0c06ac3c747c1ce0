"""The one read of a terminal that is under way, where a killed server leaves it for the next.

A server that is killed within `read` has taken bytes from the kernel that it never sees. So it reads into memory
that it shares with a file, after having written there which journal the bytes belong to and at which offset.
The file is as long as it will ever be from the start, since a write to a page that a full disk has no room for
would kill the server.

How many bytes came nobody can say any more; the buffer is blank before each read, so that it is as many as
there are up to the last that is not NUL. Terminals ignore NULs.
"""

from __future__ import annotations

import mmap
import os
import struct
from pathlib import Path
from typing import NamedTuple

BUFFER_BYTES = 64 << 10
PLACE = struct.Struct("<32sIQ")  # The pane's id, its journal's generation, and the offset in it.


class Leftover(NamedTuple):
    """Bytes that were read, and where they belong; they may have got there."""

    pane: str
    generation: int
    offset: int
    data: bytes


class InFlight:
    """The buffer of one server; made by `open`, which gives what the server before left there."""

    def __init__(self, shared: mmap.mmap) -> None:
        self._shared = shared
        self._view = memoryview(shared)
        self._buffer = self._view[PLACE.size :]
        self._blank = bytes(BUFFER_BYTES)

    @classmethod
    def open(cls, path: Path) -> tuple[InFlight, Leftover | None]:
        """Raises `OSError` when there is no room for it."""
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            size = PLACE.size + BUFFER_BYTES
            left = _leftover(os.pread(descriptor, size, 0))
            os.ftruncate(descriptor, 0)
            _allocate(descriptor, size)
            shared = mmap.mmap(descriptor, size)
        finally:
            os.close(descriptor)
        return cls(shared), left

    def read(self, master: int, limit: int, pane: bytes, generation: int, offset: int) -> bytes:
        """Like `os.read`; `done` is due when the bytes are in their journal."""
        PLACE.pack_into(self._shared, 0, pane, generation, offset)
        count = os.readv(master, (self._buffer[:limit],))
        return bytes(self._buffer[:count])

    def done(self, count: int) -> None:
        """So many bytes of the last read are where they belong."""
        self._buffer[:count] = self._blank[:count]

    def close(self) -> None:
        self._buffer.release()
        self._view.release()
        self._shared.close()


def _allocate(descriptor: int, size: int) -> None:
    """Have the pages for sure; where there is no such call, writing them does it."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, 0, size)
    else:
        os.pwrite(descriptor, bytes(size), 0)


def _leftover(data: bytes) -> Leftover | None:
    buffer = data[PLACE.size :].rstrip(b"\0")
    if not buffer:
        return None
    pane, generation, offset = PLACE.unpack_from(data)
    return Leftover(pane.rstrip(b"\0").decode("ascii", "replace"), generation, offset, buffer)
