"""Running real programs on real PTYs, for tests."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from orca_tui.base.clock import SystemClock
from orca_tui.process.pty_io import PtyIo
from orca_tui.process.reading_order import ReadingOrder
from orca_tui.process.spawner import Child, Program, Spawner

LIMIT_S = 20.0


async def until(holds: Callable[[], bool]) -> None:
    """Wait for what nobody announces."""
    async with asyncio.timeout(LIMIT_S):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


class Running:
    """A program with what it has written and how it ended."""

    def __init__(self) -> None:
        self.output = bytearray()
        self.exit_code: int | None = None
        self.at_end = False
        self.child: Child
        self.io: PtyIo
        self.on_output: Callable[[bytes], None] = lambda _: None
        self._changed = asyncio.Event()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until a condition on what came holds."""
        async with asyncio.timeout(LIMIT_S):
            while not holds():
                self._changed.clear()
                await self._changed.wait()

    async def says(self, text: bytes) -> None:
        try:
            await self.until(lambda: text in self.output)
        except TimeoutError:
            raise AssertionError(f"no {text!r} in {bytes(self.output[-500:])!r}") from None

    async def exits(self) -> int:
        await self.until(lambda: self.exit_code is not None)
        self.io.drain()
        assert self.exit_code is not None
        return self.exit_code

    def received(self, data: bytes) -> None:
        self.output += data
        self.on_output(data)
        self._changed.set()

    def ended(self) -> None:
        self.at_end = True
        self._changed.set()

    def exited(self, code: int) -> None:
        self.exit_code = code
        self._changed.set()


@asynccontextmanager
async def running(
    spawner: Spawner,
    *argv: str,
    environment: dict[str, str] | None = None,
    directory: str = "/",
    cols: int = 80,
    rows: int = 24,
    order: ReadingOrder | None = None,
) -> AsyncIterator[Running]:
    """Run a program, and end it afterwards."""
    program = Program(
        argv=argv,
        environment={"PATH": os.environ["PATH"], **(environment or {})},
        directory=directory,
        cols=cols,
        rows=rows,
    )
    run = Running()
    run.child = await spawner.spawn(program, run.exited)
    run.io = PtyIo(run.child.master, SystemClock(), received=run.received, ended=run.ended, order=order)
    run.io.resume()
    try:
        yield run
    finally:
        run.child.kill()
        await run.until(lambda: run.exit_code is not None)
        run.io.close()
        run.child.close()


def python(code: str) -> tuple[str, ...]:
    """A Python program that imports nothing it is not told to."""
    return (sys.executable, "-I", "-S", "-c", code)


def which(name: str) -> str:
    path = shutil.which(name)
    assert path is not None
    return path


def tells_sizes() -> tuple[str, ...]:
    """A program that prints `size ROWS COLS` at first and for every SIGWINCH, and `got LINE` for every line.

    It waits for both in one `select`: a signal that comes just before a blocking read would be told too late.
    """
    return python(
        "import os, select, signal, socket\n"
        "woken, waker = socket.socketpair(); waker.setblocking(False); signal.set_wakeup_fd(waker.fileno())\n"
        "signal.signal(signal.SIGWINCH, lambda *_: None)\n"
        "def tell():\n size = os.get_terminal_size(0); print('size', size.lines, size.columns, flush=True)\n"
        "tell()\n"
        "while True:\n"
        " ready, _, _ = select.select([woken, 0], [], [])\n"
        " if woken in ready:\n  for _ in woken.recv(100): tell()\n"
        " if 0 in ready: print('got', os.read(0, 1000).decode().strip(), flush=True)"
    )
