"""A frame clock at work on panes, with a clock and a scheduler that pass time only when told."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from orca_tui.base.errors import Invalid, OrcaError
from orca_tui.ui.frame_clock import FrameClock, Paced


class Time:
    """A clock and a scheduler in one: time passes only in `run`."""

    def __init__(self) -> None:
        self.at = 1000.0
        self._order = count()
        self._due: list[tuple[float, int, Entry]] = []

    def now(self) -> float:
        return self.at

    def monotonic(self) -> float:
        return self.at

    def call_soon(self, callback: Callable[[], object]) -> Entry:
        return self.call_later(0.0, callback)

    def call_later(self, delay: float, callback: Callable[[], object]) -> Entry:
        entry = Entry(callback)
        heapq.heappush(self._due, (self.at + delay, next(self._order), entry))
        return entry

    def run(self, seconds: float) -> None:
        """Let time pass, and everything happen that is due until then."""
        until = self.at + seconds
        while self._due and self._due[0][0] <= until:
            at, _, entry = heapq.heappop(self._due)
            self.at = max(self.at, at)
            if not entry.cancelled:
                entry.callback()
        self.at = until

    @property
    def scheduled(self) -> int:
        return sum(not entry.cancelled for _, _, entry in self._due)


@dataclass
class Entry:
    callback: Callable[[], object]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


@dataclass(eq=False)
class Pane:
    """A pane that is fed chunks of so many bytes, each taking so long."""

    time: Time
    name: str
    chunk_s: float = 0.0
    queue: list[int] = field(default_factory=list)
    due: int = 0
    fed: int = 0
    fresh: bool = False
    held_until: float | None = None
    broken: bool = False

    @property
    def waiting(self) -> bool:
        return bool(self.queue)

    @property
    def hold_ends(self) -> float | None:
        return self.held_until

    def feed(self, limit_bytes: int, until: float) -> int:
        if self.broken:
            raise Invalid("no such frame")
        fed = 0
        while self.queue and fed < limit_bytes and self.time.at < until:
            fed += self.queue.pop(0)
            self.time.at += self.chunk_s
        self.fed += fed
        self.due += fed
        self.fresh = True
        return fed

    def take(self, now: float) -> bool:
        if self.held_until is not None and now < self.held_until:
            return False
        self.held_until = None
        fresh, self.fresh = self.fresh, False
        return fresh


class Table:
    """A frame clock and what it did: drawings and acknowledgements with their times."""

    def __init__(self) -> None:
        self.time = Time()
        self.drawn: list[tuple[float, list[str]]] = []
        self.acked: list[tuple[float, str, int]] = []
        self.failures: list[OrcaError] = []
        self.drawing_s = 0.0
        self.clock = FrameClock(
            self.time,
            self.time,
            draw=self._draw,
            acknowledge=self._acknowledge,
            failed=self.failures.append,
        )

    def pane(self, name: str, *, chunk_s: float = 0.0) -> Pane:
        return Pane(self.time, name, chunk_s)

    def output(self, pane: Pane, *chunks: int) -> None:
        pane.queue += chunks
        self.clock.arrived(pane)

    def _draw(self, panes: list[Paced]) -> None:
        names = [pane.name for pane in panes if isinstance(pane, Pane)]
        self.drawn.append((self.time.at, sorted(names)))
        self.time.at += self.drawing_s

    def _acknowledge(self, pane: Paced) -> None:
        assert isinstance(pane, Pane)
        self.acked.append((self.time.at, pane.name, pane.due))
        pane.due = 0
