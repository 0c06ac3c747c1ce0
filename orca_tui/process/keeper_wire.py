"""What the keeper and a server say to each other, as bytes. No sockets here; standard library only.

A frame is `head length: u32, raw length: u32` (little endian), a JSON object and raw bytes. One whose object has
`"fd": true` carries one descriptor, sent with the frame's first byte.

Server to keeper: `hello` (v), `spawn` (id, cols, rows; raw: the program), `took` (id: its ring was written
down), `forget` (id: its exit was), `end`.
Keeper to server: `hello` (v, keeper, panes: how many frames `pane` follow), `pane` (id, pid, exit, lost; raw:
the ring), `spawned` (id, pid), `failed` (id, step, errno), `exit` (id, exit).
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import Any

VERSION = 1
"""Raised when a frame changes its meaning. A keeper outlives upgrades, so that must be a rare event."""

HEADER = struct.Struct("<II")
MAX_HEAD_BYTES = 64 << 10
MAX_RAW_BYTES = 64 << 20  # A program's arguments and variables together; the kernel takes far less.

Head = dict[str, Any]


class BadFrame(Exception):
    """The other side speaks something else."""


def frame(head: Head, raw: bytes | bytearray = b"") -> bytes:
    """One frame."""
    text = json.dumps(head).encode()
    return b"".join((HEADER.pack(len(text), len(raw)), text, raw))


class FrameCutter:
    """Cuts a stream into frames, however it arrives."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[Head, bytes]]:
        """Yield every frame that is complete now; raises `BadFrame`."""
        self._buffer += data
        while len(self._buffer) >= HEADER.size:
            head_bytes, raw_bytes = HEADER.unpack_from(self._buffer)
            if head_bytes > MAX_HEAD_BYTES or raw_bytes > MAX_RAW_BYTES:
                raise BadFrame("a frame is too large")
            raw_at = HEADER.size + head_bytes
            end = raw_at + raw_bytes
            if len(self._buffer) < end:
                return
            text, raw = bytes(self._buffer[HEADER.size : raw_at]), bytes(self._buffer[raw_at:end])
            del self._buffer[:end]
            yield _head(text), raw


def _head(text: bytes) -> Head:
    try:
        head = json.loads(text)
    except ValueError as error:
        raise BadFrame("a frame's head is no JSON") from error
    if not isinstance(head, dict):
        raise BadFrame("a frame's head is no object")
    return head
