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


class PeakMemory:
    """The most memory that this program has ever had, in bytes, for who asks twice at each step of a coroutine.

    Nothing is had that was not touched first, so that the kernel is asked only when there were faults since: that is
    20 times cheaper than reading proc(5) each time.
    """

    def __init__(self) -> None:
        self._faults = -1
        self._bytes = 0

    def __call__(self) -> int:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        faults = usage.ru_minflt + usage.ru_majflt
        if faults != self._faults:
            self._faults = faults
            self._bytes = usage.ru_maxrss if sys.platform == "darwin" else _peak_of_proc()
        return self._bytes


def _peak_of_proc() -> int:
    """getrusage(2) counts what the process was before its exec, a copy of its starter, too."""
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
