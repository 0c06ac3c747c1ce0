"""The signals that the server itself is sent."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

ENDING = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def handled(end: Callable[[], None]) -> Iterator[None]:
    """While inside, SIGTERM and SIGINT call `end`, and SIGHUP does nothing: the terminal it was started
    from may go. SIGHUP gets a handler rather than being ignored, since programs would inherit the latter."""
    loop = asyncio.get_running_loop()
    for number in ENDING:
        loop.add_signal_handler(number, end)
    loop.add_signal_handler(signal.SIGHUP, lambda: None)
    try:
        yield
    finally:
        for number in (*ENDING, signal.SIGHUP):
            loop.remove_signal_handler(number)
