"""The newest bytes of a stream, and how many older ones went. Standard library only."""

from __future__ import annotations


class Ring:
    """Keeps at most `limit` bytes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.data = bytearray()
        self.lost = 0
        """Bytes that are not kept any more, since the last `clear`."""

    def add(self, data: bytes) -> None:
        """Keep more; the oldest make room."""
        self.data += data
        over = len(self.data) - self._limit
        if over > 0:
            del self.data[:over]
            self.lost += over

    def clear(self) -> None:
        """Begin again: somebody has what is here."""
        self.data.clear()
        self.lost = 0
