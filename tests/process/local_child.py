"""What a pane's process does between fork and exec. Run as a script by `local_spawner.py`; imports nothing of ours.

It is started with the terminal as its standard streams, as the leader of a new session, with one socket:
from it comes the program (NUL-separated: directory, number of arguments, arguments, variables), to it goes
`step NUL errno` when that program cannot be run. The socket closes by itself when the exec succeeds.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
import termios

CHUNK = 64 << 10
FAILED = 127


def main(channel: int) -> None:
    os.set_inheritable(channel, False)
    directory, argv, environment = _program(channel)
    step = b"terminal"
    try:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        _default_signals()
        step = b"chdir"
        os.chdir(directory)
        step = b"exec"
        os.execvpe(argv[0], argv, environment)
    except OSError as error:
        os.write(channel, b"%s\0%d" % (step, error.errno or 0))
    os._exit(FAILED)


def _program(channel: int) -> tuple[bytes, list[bytes], dict[bytes, bytes]]:
    data = bytearray()
    while chunk := os.read(channel, CHUNK):
        data += chunk
    directory, count, *rest = bytes(data).split(b"\0")
    argv, variables = rest[: int(count)], rest[int(count) :]
    pairs = (variable.partition(b"=") for variable in variables)
    return directory, argv, {name: value for name, _, value in pairs}


def _default_signals() -> None:
    """Undo what was ignored or blocked: both survive an exec, and a shell passes them on for ever."""
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


if __name__ == "__main__":
    main(int(sys.argv[1]))
