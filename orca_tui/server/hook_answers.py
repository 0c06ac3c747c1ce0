"""A notice that a hook was given, until it is known what became of it: rules 1 and 2 of `hook_channel.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from orca_tui.base.clock import Clock
from orca_tui.base.timers import CallLater, Timer
from orca_tui.server.notice_channel import Handed
from orca_tui.server.transcripts import Transcript

LOOK_EVERY_S = 0.1
"""Agents write down what a hook added 0.15 s after it."""
LATER_EVERY_S = 0.5
SOON_S = 2.0
SHOWN = "the session's transcript has it"
WENT_ON = "its turn went on with it"
RESTED_S = 2.0
"""An agent that has rested for so long after it was given something has not taken it along: the start of a turn is
seen within a tenth of that, and what is taken along is written down at once."""

Holds: TypeAlias = Callable[[dict[str, Any], str], bool]


class Given:
    """One notice in the hands of a hook."""

    def __init__(
        self,
        *,
        handed: Handed,
        turn: str | None,
        transcript: Transcript,
        holds: Holds | None,
        rests: Callable[[], bool],
        clock: Clock,
        call_later: CallLater,
    ) -> None:
        """`holds`: whether an entry of the transcript shows a text. `rests`: whether the agent runs no turn now."""
        self.handed = handed
        self.turn = turn
        self._text = handed.text.strip() or handed.text
        """Agents may write it down without the blanks around it."""
        self._transcript = transcript
        self._holds = holds
        self._rests = rests
        self._clock = clock
        self._call_later = call_later
        self._at = self._busy_at = clock.monotonic()
        self._timer: Timer | None = None
        self._ended: Callable[[], None] = lambda: None

    def follow(self, ended: Callable[[], None]) -> None:
        """Look for evidence from now on; `ended` is called once it is known what became of it."""
        self._ended = ended
        self._look_in(LOOK_EVERY_S)

    def taken(self, evidence: str) -> None:
        """There is a receipt."""
        self.end()
        self.handed.outcome.received(evidence)

    def went_on(self) -> None:
        """A later hook of the same turn. It may have gone on without: where there is a transcript, that tells."""
        if self._shown():
            self.taken(SHOWN)
        elif self._holds is None or not self._transcript.there:
            self.taken(WENT_ON)

    def another_began(self) -> None:
        """Another turn begins: whatever became of it has been decided."""
        if self._shown():
            self.taken(SHOWN)
        else:
            self._lost()

    def end(self) -> None:
        """Nobody looks any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._ended()

    def _look(self) -> None:
        now = self._clock.monotonic()
        if not self._rests():
            self._busy_at = now
        if self._shown():
            self.taken(SHOWN)
        elif now - self._busy_at >= RESTED_S:
            self._lost()
        else:
            self._look_in(LOOK_EVERY_S if now - self._at < SOON_S else LATER_EVERY_S)

    def _shown(self) -> bool:
        holds = self._holds
        return holds is not None and self._transcript.has(lambda entry: holds(entry, self._text))

    def _lost(self) -> None:
        self.end()
        if self._holds is not None and self._transcript.readable:
            self.handed.outcome.not_taken()
        else:
            self.handed.outcome.unconfirmed()

    def _look_in(self, seconds: float) -> None:
        self._timer = self._call_later(seconds, self._look)
