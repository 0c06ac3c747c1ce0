"""Waiting for the end of processes, without polling and without SIGCHLD."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable


def when_gone(pid: int, call: Callable[[], None]) -> Callable[[], None] | None:
    """Call back from the running event loop when a process that is no child of ours is gone, once.

    Returns what stops waiting (again changes nothing); None when it cannot be told: no pidfd here, or no such
    process.
    """
    loop = asyncio.get_running_loop()
    try:
        descriptor = os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None
    waiting = True

    def stop() -> None:
        nonlocal waiting
        if waiting:
            waiting = False
            loop.remove_reader(descriptor)
            os.close(descriptor)

    def readable() -> None:
        stop()
        call()

    loop.add_reader(descriptor, readable)
    return stop
