"""The keeper's fork: a program on a terminal of its own. Standard library only.

The keeper has one thread, so that a plain fork is safe in it, and Python may run between fork and exec.
"""

from __future__ import annotations

import fcntl
import os
import resource
import signal
import struct
import termios
from typing import NoReturn

from orca_tui.process.ring import Ring

WINDOW_SIZE = struct.Struct("HHHH")  # struct winsize: rows, columns, and two pixel sizes that we leave 0.
FAILED = 127
STANDARD = 3  # Descriptors 0, 1 and 2.

Limits = tuple[int, int]


class Kid:
    """One program and the master side of its terminal."""

    def __init__(self, name: str, pid: int, master: int, ring: Ring) -> None:
        self.name = name
        self.pid = pid
        self.master = master
        self.ring = ring
        self.exit_code: int | None = None
        self.running = False
        """The exec has succeeded."""
        self.at_end = False
        """Nobody has its terminal open any more."""


def fork(payload: bytes, cols: int, rows: int, files: Limits) -> tuple[int, int, int]:
    """Start a program; its pid, its terminal's master, and a pipe that tells how the start went.

    `payload` is what `payload.encoded` makes. `step NUL errno` comes out of the pipe when the program cannot be
    run; its end without a word means that it runs. `files` is the limit of open files to give it. Raises
    `OSError` when there is no terminal, pipe or process to be had.
    """
    master, slave = os.openpty()
    try:
        fcntl.ioctl(master, termios.TIOCSWINSZ, WINDOW_SIZE.pack(rows, cols, 0, 0))
        os.set_blocking(master, False)
        reading, writing = os.pipe()
    except BaseException:
        os.close(master)
        os.close(slave)
        raise
    try:
        pid = os.fork()
    except BaseException:
        os.close(master)
        os.close(reading)
        raise
    else:
        if pid == 0:
            _become(payload, slave, writing, files)
    finally:
        os.close(slave)
        os.close(writing)
    return pid, master, reading


def _become(payload: bytes, slave: int, report: int, files: Limits) -> NoReturn:
    """Be the program."""
    step = b"terminal"
    try:
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        for descriptor in range(STANDARD):
            os.dup2(slave, descriptor)
        os.closerange(STANDARD, report)
        os.closerange(report + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        _default_signals()
        resource.setrlimit(resource.RLIMIT_NOFILE, files)
        directory, argv, environment = decoded(payload)
        step = b"chdir"
        os.chdir(directory)
        step = b"exec"
        os.execvpe(argv[0], argv, environment)
    except OSError as error:
        os.write(report, b"%s\0%d" % (step, error.errno or 0))
    finally:
        os._exit(FAILED)


def _default_signals() -> None:
    """Undo what the keeper handles, ignores or blocks: the last two survive an exec."""
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        if signal.getsignal(number) != signal.SIG_DFL:
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def decoded(payload: bytes) -> tuple[bytes, list[bytes], dict[bytes, bytes]]:
    """Directory, arguments and variables."""
    directory, count, *rest = payload.split(b"\0")
    argv, variables = rest[: int(count)], rest[int(count) :]
    pairs = (variable.partition(b"=") for variable in variables)
    return directory, argv, {name: value for name, _, value in pairs}
