"""How far the times that others claim are believed. Pure."""

from __future__ import annotations

MAX_LATE_S = 30.0  # Hooks were seen to arrive seconds late on busy machines; nothing true arrives later.


def trusted_at(claimed: float | None, now: float) -> float:
    """When something happened that a program says was at `claimed`: then, or now if that cannot be (Unix seconds).

    Hooks are started in order and arrive in any; the time at which each was started puts them back in order. A
    time to come, or long ago, is the word of a clock that is wrong.
    """
    if claimed is None or not now - MAX_LATE_S <= claimed <= now:
        return now
    return claimed
