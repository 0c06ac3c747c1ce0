"""How long each moment of a truth lasted. Pure.

A moment that may be shown or not lasts as long as it does; the one before it lasts to its end too, since that
may be shown instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from orca_tui.status.record import Status
from tests.accuracy.truth import Moment, Truth

FOREVER = float("inf")
EARLY_MS = 10.0
"""The driver's clock and the terminal's were not the same."""
NOTHING_YET = Moment(at=-FOREVER, status=Status.UNKNOWN)


@dataclass(frozen=True, kw_only=True, slots=True)
class Held:
    """A moment, until when it was true, and what was true before it."""

    moment: Moment
    until: float
    before: Status

    @property
    def at(self) -> float:
        return self.moment.at - EARLY_MS


def held_of(truth: Truth) -> list[Held]:
    """All moments of a truth."""
    held: list[Held] = []
    before = NOTHING_YET
    for index, moment in enumerate(truth.moments):
        following = truth.moments[index + 1 :]
        after = following if moment.optional else [one for one in following if not one.optional]
        until = after[0].at if after else FOREVER
        held.append(Held(moment=moment, until=until, before=before.status))
        before = before if moment.optional else moment
    return held


def at(held: Sequence[Held], time: float) -> Moment:
    """What was true then."""
    return next((one.moment for one in reversed(held) if one.at <= time), NOTHING_YET)
