"""Waiting for the end of processes, without polling and without SIGCHLD."""

from __future__ import annotations

import asyncio
import os
import subprocess
import threading
from collections.abc import Callable


def when_exited(process: subprocess.Popen[bytes], call: Callable[[int], None]) -> None:
    """Call back from the running event loop with the exit code (negative: the signal), once.

    A pidfd where the kernel has them (Linux 5.3), else one waiting thread per child. SIGCHLD would be a
    handler for the whole process, and the main thread's alone.
    """
    loop = asyncio.get_running_loop()
    try:
        descriptor = os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        _wait_in_thread(process, loop, call)
        return

    def readable() -> None:
        loop.remove_reader(descriptor)
        os.close(descriptor)
        call(process.wait())

    loop.add_reader(descriptor, readable)


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


def _wait_in_thread(
    process: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop, call: Callable[[int], None]
) -> None:
    def wait() -> None:
        code = process.wait()
        if not loop.is_closed():
            loop.call_soon_threadsafe(call, code)

    threading.Thread(target=wait, name=f"wait-{process.pid}", daemon=True).start()
