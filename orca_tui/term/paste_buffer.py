"""An open bracketed paste: collects its bytes up to a cap. Knows the end marker and nothing else of terminals."""

from __future__ import annotations

import msgspec

from orca_tui.term.input_events import Paste

PASTE_START, PASTE_END = b"\x1b[200~", b"\x1b[201~"

MAX_PASTE_BYTES = 64 * 1024 * 1024
"""A larger paste is refused as a whole: half of it could do harm, and no prompt takes all of it."""


class OversizedPaste(msgspec.Struct, frozen=True, kw_only=True):
    """A paste of more than `MAX_PASTE_BYTES`; nothing of it was kept."""

    size_bytes: int


class PasteBuffer:
    """`limit_bytes` is what is kept at most; a longer paste is only counted."""

    def __init__(self, limit_bytes: int = MAX_PASTE_BYTES) -> None:
        self._limit = limit_bytes
        self._size = 0
        self._pieces: list[bytes] = []

    def take(self, data: bytes, at: int) -> tuple[bool, int]:
        """Take what belongs to the paste; returns whether it ended, and where the rest begins.

        A tail that may be the beginning of the end marker is left, to come again with more bytes.
        """
        end = data.find(PASTE_END, at)
        if end >= 0:
            self._add(data[at:end])
            return True, end + len(PASTE_END)
        end = _marker_begin(data, at)
        self._add(data[at:end])
        return False, end

    def finish(self, tail: bytes = b"") -> Paste | OversizedPaste:
        """The paste; `tail` is what `take` left when no more bytes will come."""
        self._add(tail)
        if self._size > self._limit:
            return OversizedPaste(size_bytes=self._size)
        return Paste(text=b"".join(self._pieces).decode("utf-8", "replace"))

    def _add(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > self._limit:
            self._pieces.clear()
        else:
            self._pieces.append(piece)


def _marker_begin(data: bytes, at: int) -> int:
    """Where a marker that is cut off at the end of `data` begins; the end of `data` when there is none."""
    for length in range(min(len(PASTE_END) - 1, len(data) - at), 0, -1):
        if data.endswith(PASTE_END[:length]):
            return len(data) - length
    return len(data)
