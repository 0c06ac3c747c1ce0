"""The only place where time enters. Everything else is handed a `Clock`, so tests can jump."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Where the program gets the time from."""

    def now(self) -> float:
        """Wall-clock time in Unix seconds: for records and everything people read."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back: for durations, deadlines and frame pacing."""
        ...


class SystemClock:
    """The machine's own clocks."""

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()


def unix_seconds(text: str) -> float | None:
    """A moment as ISO 8601 writes it, with its offset from UTC (`2026-11-29T19:35:23.599Z`); None for other texts."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return None if moment.tzinfo is None else moment.timestamp()
