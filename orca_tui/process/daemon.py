"""Starting a server that outlives whoever starts it, and knowing whether it came up.

The starter gives the new process the writing end of a pipe and waits on the reading end. The server says
`ready` there once its sockets answer (`announce_ready`); the end of the pipe without that word means it died.
"""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from orca_tui.base.errors import ServerUnavailable

STDERR = 2
MS_PER_S = 1000
READY = b"ready\n"
START_TIMEOUT_S = 20.0  # A cold start on a loaded machine takes 2 s; beyond this something hangs.
LOG_TAIL_LINES = 5
LOG_TAIL_BYTES = 8 << 10


def start(
    command: Sequence[str],
    *,
    log_file: Path,
    environment: Mapping[str, str],
    timeout_s: float = START_TIMEOUT_S,
) -> int:
    """Start a server in a session of its own and return its pid when its sockets answer.

    `command` is its program and arguments; `--ready-fd N` is appended, and the N is to be given to
    `announce_ready`. Its output goes to `log_file`. Raises `ServerUnavailable` with the last lines of that
    file, and its exit code as a fact, when it ends or does not answer in time.
    """
    try:
        log_file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        size_before = log_file.stat().st_size if log_file.exists() else 0
    except OSError as error:
        raise ServerUnavailable(
            f"the server's log cannot be kept in {log_file.parent}: {error.strerror}", log_file=str(log_file)
        ) from error
    reading, writing = os.pipe()
    try:
        try:
            pid = _spawn(command, log_file, environment, writing)
        finally:
            os.close(writing)
        answer = _answer(reading, timeout_s)
    except OSError as error:
        raise ServerUnavailable(f"the server could not be started: {error.strerror}") from error
    finally:
        os.close(reading)
    if answer != READY:
        raise _did_not_start(pid, answer, log_file, size_before)
    return pid


def _spawn(command: Sequence[str], log_file: Path, environment: Mapping[str, str], ready: int) -> int:
    """Start the process in a session of its own, with the log as its output; returns its pid."""
    log = os.open(log_file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    os.set_inheritable(ready, True)
    try:
        return os.posix_spawn(
            command[0],
            [*command, "--ready-fd", str(ready)],
            environment,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, log, 1),
                (os.POSIX_SPAWN_DUP2, log, 2),
                *((os.POSIX_SPAWN_CLOSE, other) for other in _inherited() if other != ready),
            ],
            setsid=True,
        )
    finally:
        os.close(log)


def _inherited() -> list[int]:
    """What whoever started us has left open for its children, such as a lock or a pipe whose end is awaited.

    A server that outlives them must not hold that.
    """
    descriptors = []
    for name in os.listdir("/dev/fd"):
        with suppress(OSError):  # The listing's own descriptor is among them, and closed by now.
            if int(name) > STDERR and os.get_inheritable(int(name)):
                descriptors.append(int(name))
    return descriptors


def announce_ready(descriptor: int) -> None:
    """Tell the starter that the sockets answer; the starter may be gone already."""
    try:
        os.write(descriptor, READY)
    except BrokenPipeError:
        pass
    finally:
        os.close(descriptor)


def _answer(reading: int, timeout_s: float) -> bytes | None:
    """What the server said; empty when it ended, None when the time is over."""
    poll = select.poll()  # select(2) takes no descriptor above 1,023, and a server may have more.
    poll.register(reading, select.POLLIN)
    return os.read(reading, len(READY)) if poll.poll(timeout_s * MS_PER_S) else None


def _did_not_start(pid: int, answer: bytes | None, log_file: Path, since: int) -> ServerUnavailable:
    if answer is None:
        os.kill(pid, signal.SIGKILL)  # It holds the lock, so that no other could be started.
    _, status = os.waitpid(pid, 0)
    how = "does not answer" if answer is None else "ended at once"
    tail = _tail(log_file, since)
    message = f"the server {how}; see {log_file}"
    return ServerUnavailable(
        f"{message}:\n{tail}" if tail else message,
        log_file=str(log_file),
        exit_code=os.waitstatus_to_exitcode(status),
    )


def _tail(log_file: Path, since: int) -> str:
    """The last lines that the new server wrote."""
    with log_file.open("rb") as log:
        size = log.seek(0, os.SEEK_END)
        log.seek(max(since, size - LOG_TAIL_BYTES) if size >= since else 0)
        lines = log.read().decode(errors="replace").splitlines()
    return "\n".join(line for line in lines[-LOG_TAIL_LINES:] if line.strip())
