"""What a helper process does to itself, for the good of others: bounds, a stack on request, an end with its starter.

`helper.py` is the other side.
"""

from __future__ import annotations

import faulthandler
import os
import resource
import signal
import sys
import threading
import traceback
from contextlib import suppress

STACK_SIGNAL = signal.SIGUSR1
LIFELINE = 0
"""Standard input: its other end is held by who started us, and closes with them, however they end."""
NICENESS = 5
"""What is busy in here gets a third of what a pane's program gets."""
LINGERS_S = 15.0
"""Time for an orderly end once the starter is gone; a process that is stuck by then ends all the same."""
FAILED = 1


def confine(*, stack_fd: int, memory_bytes: int) -> None:
    """To be called once, at the start.

    From then on `STACK_SIGNAL`, and a crash, write the stacks of all threads to `stack_fd`: by a handler in C, so
    that code which never lets go of the interpreter is found as well. Where the system bounds memory (Linux), what
    goes beyond `memory_bytes` gets a `MemoryError`.
    """
    os.set_inheritable(stack_fd, False)
    faulthandler.enable(file=stack_fd, all_threads=True)
    faulthandler.register(STACK_SIGNAL, file=stack_fd, all_threads=True)
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
    threading.Thread(target=_end_with_the_starter, name="lifeline", daemon=True).start()


def peak_bytes() -> int:
    """The most memory that this program has ever had.

    On Linux from proc(5): getrusage(2) counts what the process was before its exec, a copy of its starter, too.
    """
    if sys.platform == "darwin":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with open("/proc/self/status", "rb") as status:
        peak = next(line for line in status if line.startswith(b"VmHWM:"))
    return int(peak.split()[1]) << 10


def confess(stack_fd: int, error: BaseException) -> None:
    """Say where an exception came from that ends the process, without its message."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [
        f'  File "{frame.filename}", line {frame.lineno} in {frame.name}\n' for frame in reversed(frames)
    ]
    with suppress(OSError):
        os.write(stack_fd, "".join(lines).encode(errors="backslashreplace"))


def _end_with_the_starter() -> None:
    while os.read(LIFELINE, 1):
        pass
    threading.Event().wait(LINGERS_S)
    os._exit(FAILED)
