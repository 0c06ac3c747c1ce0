"""How an exception that nobody expected is told in the log."""

from __future__ import annotations

import traceback

FRAMES = 6


def place_of(error: BaseException) -> str:
    """Its type and where it was raised, without its message: that may quote what somebody typed."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    places = " < ".join(f"{frame.filename}:{frame.lineno} {frame.name}" for frame in reversed(frames))
    return f"{type(error).__name__} at {places or 'unknown place'}"
