"""Finds commands of kitty's graphics protocol, `APC G ... ST`, in a child's output.

Rule 1: an ESC begins a sequence wherever it stands, as in the engine.
Rule 2: a command counts when ST ends it; any other ESC, CAN or SUB makes it void.
Rule 3: a sequence may be cut anywhere; what is kept of one is bounded, and one that is longer comes cut.
Rule 4: output without a command costs one search for its beginning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

BEGIN = b"\x1b_G"
END = re.compile(rb"[\x18\x1a\x1b]")
ESC, BACKSLASH = b"\x1b", b"\\"

COMMAND_LIMIT = 48 << 20
"""Bytes of one command: 32 MiB of pixels in base64, and what stands before them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureSeen:
    """A command; `end` is the offset in the scanned bytes just after its last byte."""

    end: int
    control: bytes
    payload: bytes
    """As it was written, which is base64."""
    cut: bool = False
    """It was longer than what is kept of one."""


class PictureScanner:
    """Reads one child's output in pieces."""

    def __init__(self, limit: int = COMMAND_LIMIT) -> None:
        self._limit = limit
        self._open: bytearray | None = None
        """What was read of a command that has begun."""
        self._cut = False
        self._tail = b""
        """The last bytes, when the next ones decide what they are."""

    def scan(self, data: bytes) -> list[PictureSeen]:
        """The commands that end in `data`, in order."""
        carried = len(self._tail)
        if carried:
            data, self._tail = self._tail + data, b""
        found: list[PictureSeen] = []
        at = 0
        while at >= 0:
            at = self._outside(data, at) if self._open is None else self._inside(data, at, carried, found)
        return found

    def _outside(self, data: bytes, at: int) -> int:
        """Go to the beginning of a command; -1 when there is none."""
        start = data.find(BEGIN, at)
        if start >= 0:
            self._open, self._cut = bytearray(), False
            return start + len(BEGIN)
        self._tail = next((BEGIN[:n] for n in (2, 1) if data.endswith(BEGIN[:n], at)), b"")
        return -1

    def _inside(self, data: bytes, at: int, carried: int, found: list[PictureSeen]) -> int:
        """Go to the end of the command; -1 when it is not there yet."""
        end = END.search(data, at)
        if end is None:
            self._keep(data[at:])
            return -1
        self._keep(data[at : end.start()])
        if end[0] == ESC:
            after = data[end.end() : end.end() + 1]
            if not after:
                self._tail = ESC
                return -1
            if after == BACKSLASH:
                found.append(self._seen(end.end() + 1 - carried))
        self._open = None
        return end.start()

    def _keep(self, data: bytes) -> None:
        assert self._open is not None
        room = self._limit - len(self._open)
        self._cut |= len(data) > room
        self._open += data[:room]

    def _seen(self, end: int) -> PictureSeen:
        assert self._open is not None
        control, _, payload = bytes(self._open).partition(b";")
        return PictureSeen(end=end, control=control, payload=payload, cut=self._cut)
