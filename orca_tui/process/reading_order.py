"""Whose output is read first: that of the program from which the echo of a key is awaited. Reads nothing itself.

Rule 1: from a key until its program says something, but for 20 ms at most, no other program is read.
Rule 2: another key within that time does not prolong it, so that nobody waits for good.
Rule 3: for 250 ms after a key the others are read in slices of 0.3 ms and not of 1 ms: the next key comes between them.
"""

from __future__ import annotations

from collections.abc import Callable

from orca_tui.base.timers import CallLater, Timer

ECHO_S = 0.02
"""A shell echoes within a millisecond and most full-screen programs within this; who takes longer was held up by
something else than our reading."""
SLICE_S = 0.001
"""Reading stops after that, so that a flood in one pane does not delay the others' keys."""
TYPING_S = 0.25
TYPING_SLICE_S = 0.0003


class ReadingOrder:
    """One for all terminals that are read in a loop; a terminal is told apart by identity."""

    def __init__(self, call_later: CallLater) -> None:
        self._call_later = call_later
        self._first: object | None = None
        self._typed_in: object | None = None
        self._typed_at = float("-inf")
        self._patience: Timer | None = None
        self._waiting: list[Callable[[], None]] = []

    def typed(self, terminal: object, now: float) -> None:
        """A key was given to its program. `now`: monotonic seconds."""
        self._typed_in, self._typed_at = terminal, now
        if self._first is None:
            self._first = terminal
            self._patience = self._call_later(ECHO_S, self._over)

    def is_turn_of(self, terminal: object) -> bool:
        """Whether it may be read now (Rule 1)."""
        return self._first is None or self._first is terminal

    def slice_s(self, terminal: object, now: float) -> float:
        """How long it may be read before others have their turn (Rule 3)."""
        typing_elsewhere = now - self._typed_at < TYPING_S and self._typed_in is not terminal
        return TYPING_SLICE_S if typing_elsewhere else SLICE_S

    def wait(self, go_on: Callable[[], None]) -> None:
        """Call this once everybody may be read again."""
        self._waiting.append(go_on)

    def said(self, terminal: object) -> None:
        """Its program has said something."""
        if self._first is terminal:
            self._over()

    def _over(self) -> None:
        self._first = None
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
        waiting, self._waiting = self._waiting, []
        for go_on in waiting:
            go_on()
