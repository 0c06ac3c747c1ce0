"""What nobody waits for and a full disk has refused: done again until it succeeds. Knows nothing of what it does."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable

from orca_tui.base.errors import StoreFailed
from orca_tui.base.timers import CallLater, Timer

AGAIN_IN_S = 5.0
"""Space comes back when somebody deletes something; until then every attempt is a line in the log."""

logger = logging.getLogger(__name__)


class Retries:
    """What is still to be done, by what it is."""

    def __init__(self, call_later: CallLater) -> None:
        self.call_later = call_later
        """How timers are made; a test has its own."""
        self._timers: dict[Hashable, Timer] = {}

    def surely(self, what: Hashable, do: Callable[[], object]) -> None:
        """Do it now, and when it raises `StoreFailed` again later. It takes the place of the same `what` before."""
        self._cancel(what)
        try:
            do()
        except StoreFailed as error:
            logger.error("%s", error.message)
            self._timers[what] = self.call_later(AGAIN_IN_S, lambda: self.surely(what, do))

    def close(self) -> None:
        for what in tuple(self._timers):
            self._cancel(what)

    def _cancel(self, what: Hashable) -> None:
        timer = self._timers.pop(what, None)
        if timer is not None:
            timer.cancel()
