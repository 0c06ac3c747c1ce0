"""What was read of a terminal last, where a killed server leaves it for the next. Cheaper than a write for each read.

A server that is killed within `read` has taken bytes from the kernel that it never sees. So it reads into memory
that it shares with a file, after having written there which journal the bytes belong to and at which offset. They
stay there until there is no more room, or another pane reads, or something else of that pane is to be written.
The file is as long as it will ever be from the start, since a write to a page that a full disk has no room for
would kill the server.

How many bytes the last read brought nobody can say any more; the buffer is blank before each read, so that it is
as many as there are up to the last that is not NUL. Terminals ignore NULs.
"""

from __future__ import annotations

import mmap
import os
import struct
from pathlib import Path
from typing import NamedTuple, Protocol

BUFFER_BYTES = 128 << 10
"""Twice what is read at once."""
PLACE = struct.Struct("<32sIQ")  # The pane's id, its journal's generation, and the offset in it.


class Leftover(NamedTuple):
    """Bytes that were read, and where they belong; they may have got there."""

    pane: str
    generation: int
    offset: int
    data: bytes


class Owner(Protocol):
    """Whose bytes they are."""

    def settle(self, data: bytes) -> None:
        """Write them where they belong."""
        ...


class InFlight:
    """The buffer of one server; made by `open`, which gives what the server before left there."""

    def __init__(self, shared: mmap.mmap) -> None:
        self._shared = shared
        self._view = memoryview(shared)
        self._buffer = self._view[PLACE.size :]
        self._blank = bytes(BUFFER_BYTES)
        self._filled = 0
        self._owner: Owner | None = None

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

    def belongs_to(self, owner: Owner) -> bool:
        """What is there is that owner's."""
        return self._owner is owner

    def begin(self, owner: Owner, pane: bytes, generation: int, offset: int) -> None:
        """From now on reads are an owner's, whose journal they go on."""
        self.settle()
        PLACE.pack_into(self._shared, 0, pane, generation, offset)
        self._owner = owner

    def read(self, master: int, limit: int) -> bytes:
        """Like `os.read`, for the owner; with no room left for so much the owner has to `begin` anew."""
        start = self._filled
        count = os.readv(master, (self._buffer[start : start + limit],))
        self._filled = start + count
        return bytes(self._buffer[start : self._filled])

    def has_room(self, limit: int) -> bool:
        return self._filled + limit <= BUFFER_BYTES

    def settle(self) -> None:
        """Have the owner write what is there."""
        owner, self._owner = self._owner, None
        if owner is not None and self._filled:
            owner.settle(bytes(self._buffer[: self._filled]))
        self._buffer[: self._filled] = self._blank[: self._filled]
        self._filled = 0

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
