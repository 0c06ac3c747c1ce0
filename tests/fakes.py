"""Stand-ins for the outside that tests need in their hands: the clock and its timers."""

from __future__ import annotations

from collections.abc import Callable


class FakeTimer:
    """A timer of a `FakeClock`."""

    def __init__(self, at: float, call: Callable[[], None]) -> None:
        self.at = at
        self.call = call
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class FakeClock:
    """A `Clock` that moves only when told to, and runs the timers on its way."""

    def __init__(self, at: float = 1_700_000_000.0) -> None:
        self._now = at
        self._timers: list[FakeTimer] = []

    def now(self) -> float:
        return self._now

    def monotonic(self) -> float:
        return self._now

    def call_later(self, delay: float, call: Callable[[], None]) -> FakeTimer:
        timer = FakeTimer(self._now + delay, call)
        self._timers.append(timer)
        return timer

    @property
    def timers(self) -> list[FakeTimer]:
        """Those that are still to come."""
        self._timers = [timer for timer in self._timers if not timer.cancelled]
        return self._timers

    def jump(self, seconds: float) -> None:
        """Let time pass; timers run in their order, each at its own time."""
        end = self._now + seconds
        while due := [timer for timer in self.timers if timer.at <= end]:
            first = min(due, key=lambda timer: timer.at)
            self._timers.remove(first)
            self._now = max(self._now, first.at)
            first.call()
        self._now = end
