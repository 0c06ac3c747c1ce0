"""An outer terminal for tests: a program in a real PTY, its screen kept by the engine, its queries answered."""

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
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.pictures.store import read_nothing

READ_BYTES = 1 << 16


class ScreenNeverShowed(AssertionError):
    """What a test waited for did not come; the message holds the screen."""


class OuterTerminal:
    """A program in a PTY. Time passes only in `until` and `pump`."""

    def __init__(
        self,
        argv: Sequence[str],
        env: Mapping[str, str],
        *,
        cols: int = 120,
        rows: int = 40,
        cwd: Path | None = None,
        pictures: bool = False,
    ) -> None:
        engines = GhosttyFactory(pictures=read_nothing if pictures else None)
        self.engine = engines.new(cols, rows, scrollback_lines=1000)
        self.engine.answer_pictures(pictures)
        self.received = bytearray()
        self.exit_code: int | None = None
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            with contextlib.suppress(OSError):
                if cwd is not None:
                    os.chdir(cwd)
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
                os.execvpe(argv[0], list(argv), dict(env))
            os._exit(127)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
        os.set_blocking(self.fd, False)

    def pump(self, seconds: float) -> bool:
        """Take output for at most so long; returns after the first that came. False: the program is gone."""
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return self.alive()
        try:
            data = os.read(self.fd, READ_BYTES)
        except BlockingIOError:
            return True
        except OSError:
            data = b""
        if not data:
            self._reap(block=True)
            return False
        self.received += data
        fed = self.engine.feed(data)
        if fed.replies:
            self.write(fed.replies)
        return True

    def until(self, condition: Callable[[], bool], what: str, timeout: float = 15.0) -> None:
        """Pump until the condition holds of a whole frame; raises `ScreenNeverShowed` with the screen.

        A screen held by synchronized output is half drawn: no terminal shows it, so nobody may judge it.
        """
        deadline = time.monotonic() + timeout
        while self.engine.held() or not condition():
            left = deadline - time.monotonic()
            if left <= 0:
                raise ScreenNeverShowed(f"not within {timeout} s: {what}\n{self.text()}")
            if not self.pump(min(left, 0.05)) and not condition():
                raise ScreenNeverShowed(f"the program ended ({self.exit_code}) before: {what}\n{self.text()}")

    def shows(self, text: str, timeout: float = 15.0) -> None:
        """Wait until the screen holds a text."""
        self.until(lambda: text in self.text(), f"the screen shows {text!r}", timeout)

    def hides(self, text: str, timeout: float = 15.0) -> None:
        """Wait until the screen does not hold a text."""
        self.until(lambda: text not in self.text(), f"the screen hides {text!r}", timeout)

    def ends(self, timeout: float = 15.0) -> int:
        """Wait until the program ended; its exit code, negative for a signal."""
        deadline = time.monotonic() + timeout
        while self.alive():
            if time.monotonic() > deadline:
                raise ScreenNeverShowed(f"the program did not end within {timeout} s\n{self.text()}")
            self.pump(0.05)
        while self._drain():
            pass
        assert self.exit_code is not None
        return self.exit_code

    def text(self) -> str:
        return self.engine.screen_text(unwrap=False)

    def write(self, data: bytes | str) -> None:
        """Send input, all of it, taking output meanwhile so that neither side blocks the other."""
        left = memoryview(data.encode() if isinstance(data, str) else data)
        while left:
            try:
                left = left[os.write(self.fd, left) :]
            except BlockingIOError:
                self.pump(0.05)

    def resize(self, cols: int, rows: int) -> None:
        self.engine.resize(cols, rows)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))

    def signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def alive(self) -> bool:
        if self.exit_code is None:
            self._reap(block=False)
        return self.exit_code is None

    def close(self) -> None:
        if self.alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            self._reap(block=True)
        with contextlib.suppress(OSError):
            os.close(self.fd)
        self.engine.close()

    def _drain(self) -> bool:
        ready, _, _ = select.select([self.fd], [], [], 0)
        if not ready:
            return False
        with contextlib.suppress(OSError):
            if data := os.read(self.fd, READ_BYTES):
                self.received += data
                self.engine.feed(data)
                return True
        return False

    def _reap(self, *, block: bool) -> None:
        if self.exit_code is None:
            pid, status = os.waitpid(self.pid, 0 if block else os.WNOHANG)
            if pid:
                self.exit_code = os.waitstatus_to_exitcode(status)
