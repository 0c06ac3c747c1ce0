"""The modes of a pane by which input is encoded, read ahead of the next key. Changes no mode.

Reading them takes a tenth of a key's way to the screen, and output makes what was read stale: so they are read when the
echo of a key is through and nobody waits.
"""

from __future__ import annotations

from orca_tui.base.timers import CallLater, Timer
from orca_tui.term.engine import InputModes, TerminalEngine

AHEAD_AFTER_S = 0.02
"""A program's echo is there by then, and the next key is not: a held one comes every 30 ms."""


class KeyModes:
    """Of one pane."""

    def __init__(self, engine: TerminalEngine, call_later: CallLater) -> None:
        self._engine = engine
        self._call_later = call_later
        self._timer: Timer | None = None

    def now(self) -> InputModes:
        """As the program has set them by now."""
        if self._timer is None:
            self._timer = self._call_later(AHEAD_AFTER_S, self._read_ahead)
        return self._engine.modes()

    def stop(self) -> None:
        """The engine is about to go."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _read_ahead(self) -> None:
        self._timer = None
        self._engine.modes()
