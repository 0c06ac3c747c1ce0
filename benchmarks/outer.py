"""A program in an outer PTY whose output is drained and counted, never drawn."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence

import psutil

READ_BYTES = 1 << 20
COLS, ROWS = 200, 50
BURST_GAP_S = 0.004
"""Output after so much silence is another picture: a quarter of a frame at 60 Hz."""


class Outer:
    """Time passes only in the methods that wait."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str]) -> None:
        self.started = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            with contextlib.suppress(OSError):
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLS, 0, 0))
                os.execvpe(argv[0], list(argv), dict(env))
            os._exit(127)
        self.bytes = 0
        self.bursts = 0
        """Pictures so far, as far as silences tell them apart."""
        self._last_at = 0.0

    def write(self, data: bytes) -> None:
        os.write(self.fd, data)

    def drain(self, seconds: float) -> bytes:
        """All output of the next so many seconds."""
        deadline = time.perf_counter() + seconds
        taken = []
        while (left := deadline - time.perf_counter()) > 0:
            if data := self._read(left):
                taken.append(data)
        return b"".join(taken)

    def settle(self, quiet_s: float = 0.5, limit_s: float = 30.0) -> bytes:
        """Output until none came for `quiet_s`."""
        deadline = time.perf_counter() + limit_s
        taken = []
        while time.perf_counter() < deadline and (data := self._read(quiet_s)):
            taken.append(data)
        return b"".join(taken)

    def wait_for(self, wanted: bytes, timeout: float) -> float:
        """The moment (`perf_counter`) at which a text was in the output; raises `TimeoutError`."""
        deadline = time.perf_counter() + timeout
        tail = b""
        while (left := deadline - time.perf_counter()) > 0:
            data = self._read(left)
            if wanted in tail + data:
                return time.perf_counter()
            tail = data[-len(wanted) :]
        raise TimeoutError(f"{wanted!r} was not shown within {timeout} s")

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)

    def _read(self, timeout: float) -> bytes:
        ready, _, _ = select.select([self.fd], [], [], max(timeout, 0))
        if not ready:
            return b""
        try:
            data = os.read(self.fd, READ_BYTES)
        except OSError as error:
            raise RuntimeError("the program ended") from error
        now = time.perf_counter()
        if now - self._last_at > BURST_GAP_S:
            self.bursts += 1
        self._last_at = now
        self.bytes += len(data)
        return data


def of_home(home: str) -> list[psutil.Process]:
    """The processes that were started with a home directory."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.environ().get("HOME") == home:
                found.append(process)
    return found


def cpu_seconds(pids: Sequence[int]) -> float:
    """CPU time that processes have used so far."""
    total = 0.0
    for pid in pids:
        times = psutil.Process(pid).cpu_times()
        total += float(times.user + times.system)
    return total
