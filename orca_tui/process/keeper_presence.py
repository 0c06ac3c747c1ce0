"""Whether a keeper is there, by its socket alone: nothing is said to it."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable
from pathlib import Path

DYING_S = 0.1
"""A process that is being killed closes its sockets one after the other; within this it has closed all of them."""


def keeper_answers(path: Path) -> bool:
    """A keeper listens there."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)
        return probe.connect_ex(str(path)) in (0, errno.EAGAIN)


def when_it_stays_or_goes(path: Path, call: Callable[[bool], None]) -> Callable[[], None]:
    """Call back from the running event loop, once: with True when a keeper listens there and goes on, with False when
    none does or it is being killed.

    Returns what stops asking (again changes nothing); then nobody is called.
    """
    loop = asyncio.get_running_loop()
    probe = socket.socket(socket.AF_UNIX)
    probe.setblocking(False)

    def stop() -> None:
        timer.cancel()
        if probe.fileno() >= 0:
            loop.remove_reader(probe)
            probe.close()

    def tell(stays: bool) -> None:
        stop()
        call(stays)

    def readable() -> None:
        try:
            tell(probe.recv(1) != b"")
        except BlockingIOError:
            pass
        except OSError:
            tell(False)

    match probe.connect_ex(str(path)):
        case 0:
            timer = loop.call_later(DYING_S, tell, True)  # It waits for our hello.
            loop.add_reader(probe, readable)
        case errno.EAGAIN:
            timer = loop.call_later(0, tell, True)  # It has no time for us.
        case _:
            timer = loop.call_later(0, tell, False)
    return stop
