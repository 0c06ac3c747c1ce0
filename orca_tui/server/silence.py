"""What is due after a program has said nothing for a while. One timer per silence, none after it, none per byte."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from orca_tui.base.clock import Clock
from orca_tui.base.timers import CallLater, Timer

Step: TypeAlias = tuple[float, Callable[[], bool]]
"""Seconds of silence, and what is due then; True when it has more to do at once."""


class Silence:
    """Runs steps, in the order of their times, each once per silence."""

    def __init__(self, steps: tuple[Step, ...], clock: Clock, call_later: CallLater) -> None:
        self._steps = steps
        self._clock = clock
        self._call_later = call_later
        self._last_at = 0.0
        self._next = len(steps)
        """The step that is due next in this silence."""
        self._timer: Timer | None = None

    def broken(self) -> None:
        """Something was said: the silence begins anew. Cheap, since it comes with every read."""
        self._last_at = self._clock.monotonic()
        if self._timer is not None and self._next > 0:
            self._timer.cancel()  # It would come too late for the first step.
            self._timer = None
        self._next = 0
        if self._timer is None:
            self._timer = self._call_later(self._steps[0][0], self._look)

    def stop(self) -> None:
        """Nothing is due any more."""
        self._next = len(self._steps)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        after_s, step = self._steps[self._next]
        left = self._last_at + after_s - self._clock.monotonic()
        if left <= 0:
            left = 0.0
            if not step():
                self._next += 1
                left = self._left_of_next()
        if self._next < len(self._steps) and self._timer is None:
            self._timer = self._call_later(left, self._look)

    def _left_of_next(self) -> float:
        if self._next >= len(self._steps):
            return 0.0
        return max(0.0, self._last_at + self._steps[self._next][0] - self._clock.monotonic())
