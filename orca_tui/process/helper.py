"""A process that serves a server and may misbehave: started, looked at, asked where it is stuck, ended.

`confined.py` is its side. It is the leader of a session of its own, so that its end takes along what it started.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from orca_tui.base.errors import SpawnFailed
from orca_tui.process.confined import STACK_SIGNAL
from orca_tui.process.table import Usage, usage_of

STACK_WITHIN_S = 2.0
"""A stopped or swapped process writes none."""
STACK_QUIET_S = 0.05
"""A dump is written in one go by a handler that nothing interrupts; after such a pause it is whole."""
MOST_LOG_BYTES = 1 << 20
READ_BYTES = 64 << 10
MOST_STACK_BYTES = 256 << 10
"""The end of what it has written counts: it may have been asked often."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HelperProgram:
    """What to start; `--stack-fd N` is appended to its arguments."""

    argv: Sequence[str]
    environment: Mapping[str, str]
    log_file: Path
    """Takes its output."""


class Helper:
    """One that runs; made by `start`."""

    def __init__(self, process: asyncio.subprocess.Process, stacks: int, log_file: Path) -> None:
        self._process = process
        self._stacks = stacks
        self._log_file = log_file
        self.pid = process.pid

    @classmethod
    async def start(cls, program: HelperProgram) -> Helper:
        """Start it; raises `SpawnFailed`."""
        reading, writing = os.pipe()
        try:
            program.log_file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            log = os.open(program.log_file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            try:
                process = await asyncio.create_subprocess_exec(
                    *program.argv,
                    "--stack-fd",
                    str(writing),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=log,
                    stderr=log,
                    env=dict(program.environment),
                    pass_fds=(writing,),
                    start_new_session=True,
                )
            finally:
                os.close(log)
        except BaseException as error:
            os.close(reading)
            if isinstance(error, OSError):
                raise SpawnFailed(f"{program.argv[0]} cannot be started: {error.strerror}") from error
            raise
        finally:
            os.close(writing)
        os.set_blocking(reading, False)
        return cls(process, reading, program.log_file)

    async def wait(self) -> int:
        """Wait for its end; the exit code, negative for a signal."""
        return await self._process.wait()

    async def stacks(self) -> str:
        """The stacks of its threads at this moment, as faulthandler writes them; empty when it does not answer."""
        self._read()
        if not self._signal(STACK_SIGNAL):
            return ""
        written = b""
        with suppress(TimeoutError):
            async with asyncio.timeout(STACK_WITHIN_S):
                while not written:
                    await asyncio.sleep(STACK_QUIET_S)
                    written = self._read()
        while more := self._read():
            written += more
            await asyncio.sleep(STACK_QUIET_S)
        return written.decode(errors="replace")

    def last_words(self) -> str:
        """What it has written of its stacks when it crashed."""
        return self._read().decode(errors="replace")

    def usage(self) -> Usage | None:
        """What it has used; None when it is gone."""
        return usage_of(self.pid)

    def bound_log(self) -> None:
        """Begin its log anew when that is too long; it is written at its end, wherever that is."""
        with suppress(OSError):
            if self._log_file.stat().st_size > MOST_LOG_BYTES:
                os.truncate(self._log_file, 0)

    def kill(self) -> None:
        """End it and all that it has started, at once."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def forget(self) -> None:
        """It has ended."""
        os.close(self._stacks)
        if self._process.stdin is not None:
            self._process.stdin.close()

    def _signal(self, number: signal.Signals) -> bool:
        if self._process.returncode is not None:
            return False
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            return False
        return True

    def _read(self) -> bytes:
        data = bytearray()
        with suppress(BlockingIOError):
            while chunk := os.read(self._stacks, READ_BYTES):
                data += chunk
                del data[:-MOST_STACK_BYTES]
        return bytes(data)
