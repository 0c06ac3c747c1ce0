"""The gate before a pane's program: people's input passes, or is kept in order while a notice is handed over."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from orca_tui.base.errors import Conflict
from orca_tui.term.input_events import InputEvent


class InputGate:
    """`give` brings input to the program. Who holds the gate releases it within a second."""

    def __init__(self, give: Callable[[InputEvent], None]) -> None:
        self._give = give
        self._kept: list[InputEvent] | None = None
        self._stays_open = False

    @property
    def held(self) -> bool:
        return self._kept is not None

    def take(self, event: InputEvent) -> None:
        """Give the program some input now, or when the gate is released."""
        if self._kept is None:
            self._give(event)
        else:
            self._kept.append(event)

    def hold(self) -> None:
        """Keep what comes from now on."""
        if self._kept is None and not self._stays_open:
            self._kept = []

    def release(self) -> None:
        """Give the program what was kept, in its order."""
        kept, self._kept = self._kept or [], None
        for event in kept:
            with suppress(Conflict):  # The program ended meanwhile, and with it who would read this.
                self._give(event)

    def stay_open(self) -> None:
        """Release it, for good: nobody will be there to release what would be kept."""
        self._stays_open = True
        self.release()
