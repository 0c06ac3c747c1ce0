"""Rule 5 of `judging.py`: for which moments the bell rang, and for which it should have. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from orca_tui.status.record import Status
from tests.accuracy.held import Held, at
from tests.accuracy.shown import Bell

LATEST_MS = 1000.0
ASK_RINGS_MS = 300.0
"""An ask rings when it was open for so long (docs/status.md)."""
SEEN_MS = LATEST_MS + ASK_RINGS_MS
"""News that are none any more after this time need not have rung."""


def faults(held: Sequence[Held], bells: Sequence[Bell]) -> Iterator[tuple[float, str, str | None]]:
    """When, what, and which forbidden thing that was."""
    left = list(bells)
    for one in held:
        rang = next((bell for bell in left if _is_for(bell, one)), None)
        if one.moment.unrecorded:
            left = [bell for bell in left if not one.at <= bell.at < one.until]
        elif rang is not None and (one.moment.rings or one.moment.optional):
            left.remove(rang)
        elif one.moment.rings and one.until - one.at > SEEN_MS and one.moment.unknowable is None:
            yield one.moment.at, f"no bell for {one.moment.told}", None
    for bell in left:
        yield bell.at, f"the bell rang for {bell.status}", _why_not(bell, held)


def _is_for(bell: Bell, one: Held) -> bool:
    patience = SEEN_MS if one.moment.status is Status.WAITING else LATEST_MS
    return bell.status is one.moment.status and one.at <= bell.at <= one.at + patience


def _why_not(bell: Bell, held: Sequence[Held]) -> str:
    true = at(held, bell.at)
    if true.interrupted:
        return "a ring for the user's own interrupt"
    return "two rings for one turn" if true.rings and true.status is bell.status else "a ring for nothing"
