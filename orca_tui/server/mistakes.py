"""How an exception that nobody expected is told in the log."""

from __future__ import annotations

import asyncio
import logging
import traceback
from typing import Any

FRAMES = 6

logger = logging.getLogger(__name__)


def place_of(error: BaseException) -> str:
    """Its type and where it was raised, without its message: that may quote what somebody typed."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    places = " < ".join(f"{frame.filename}:{frame.lineno} {frame.name}" for frame in reversed(frames))
    return f"{type(error).__name__} at {places or 'unknown place'}"


def log_uncaught(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """The event loop's exception handler: its own would log messages and the values of callbacks."""
    error = context.get("exception")
    logger.error("uncaught: %s", place_of(error) if error is not None else "no exception")
