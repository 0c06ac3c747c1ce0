"""The spawner that starts programs as children of this process.

Nothing of Python may run between fork and exec in a process that has threads (a lock that another thread
held stays locked for ever in the child), so `os.forkpty` and `preexec_fn` are out. `posix_spawn` can neither
change the directory nor tell which step failed. So the fork is `subprocess`'s own, all in C, and what is left
to do (controlling terminal, signals, directory, exec) is done by a small script in the new process, which
then becomes the program: `child.py`. It costs about 15 ms per pane.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import signal
import socket
import struct
import subprocess
import sys
import termios
from pathlib import Path

from orca_tui.base.errors import Invalid, SpawnFailed
from orca_tui.process.exits import when_exited
from orca_tui.process.spawner import (
    COMMAND_NOT_FOUND,
    COMMAND_NOT_RUNNABLE,
    ExitListener,
    Program,
)
from orca_tui.process.table import group_lives

SCRIPT = Path(__file__).with_name("child.py")
WINDOW_SIZE = struct.Struct("HHHH")  # struct winsize: rows, columns, and two pixel sizes that we leave 0.
REPORT_BYTES = 64
NOT_FOUND = (errno.ENOENT, errno.ENOTDIR)


class LocalSpawner:
    """A `Spawner`; needs a running event loop."""

    async def spawn(self, program: Program, exited: ExitListener) -> LocalChild:
        payload = _payload(program)
        master, slave = os.openpty()
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                _set_size(master, program.cols, program.rows)
                process = _start(slave, theirs.fileno())
        except BaseException:
            os.close(master)
            ours.close()
            raise
        finally:
            os.close(slave)
        return await _become(program, payload, process, master, ours, exited)


async def _become(
    program: Program,
    payload: bytes,
    process: subprocess.Popen[bytes],
    master: int,
    channel: socket.socket,
    exited: ExitListener,
) -> LocalChild:
    """Hand the program over and wait until it runs, or until it is known why it does not."""
    child = LocalChild(process, master)
    try:
        report = await _hand_over(channel, payload)
    except BaseException:
        child.kill()
        child.close()
        process.wait()
        raise
    if report:
        child.close()
        process.wait()  # It has said its last word, so this takes no time.
        raise _failure(program, report)
    os.set_blocking(master, False)
    when_exited(process, exited)
    return child


async def _hand_over(channel: socket.socket, payload: bytes) -> bytes:
    loop = asyncio.get_running_loop()
    with channel:
        channel.setblocking(False)
        try:
            await loop.sock_sendall(channel, payload)
            channel.shutdown(socket.SHUT_WR)
            return await loop.sock_recv(channel, REPORT_BYTES)
        except ConnectionError:
            return b"start\x000"  # It died before it could read: the interpreter itself could not start.


def _start(slave: int, channel: int) -> subprocess.Popen[bytes]:
    """The script in a new session, in isolated mode: the user's PYTHON* variables and site packages are none
    of its business, and the pane's variables only arrive with the exec."""
    try:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", str(SCRIPT), str(channel)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            pass_fds=(channel,),
            start_new_session=True,
        )
    except OSError as error:
        raise SpawnFailed(
            f"cannot start a process: {os.strerror(error.errno or 0)}", exit_code=COMMAND_NOT_RUNNABLE
        ) from error


def _payload(program: Program) -> bytes:
    variables = [f"{name}={value}" for name, value in program.environment.items()]
    texts = [program.directory, str(len(program.argv)), *program.argv, *variables]
    if not program.argv or any("\0" in text for text in texts):
        raise Invalid("a command needs a program, and no text of it may hold a NUL")
    return b"\0".join(os.fsencode(text) for text in texts)


def _failure(program: Program, report: bytes) -> SpawnFailed:
    step, _, number = report.partition(b"\0")
    code = int(number)
    reason = os.strerror(code)
    match step:
        case b"chdir":
            why = "does not exist" if code == errno.ENOENT else f"cannot be entered: {reason}"
            return SpawnFailed(
                f"the directory {program.directory} {why}",
                directory=program.directory,
                exit_code=COMMAND_NOT_RUNNABLE,
            )
        case b"exec" if code in NOT_FOUND:
            return SpawnFailed(
                f"command not found: {program.argv[0]}", command=program.argv[0], exit_code=COMMAND_NOT_FOUND
            )
        case b"exec":
            return SpawnFailed(
                f"{program.argv[0]} cannot be run: {reason}",
                command=program.argv[0],
                exit_code=COMMAND_NOT_RUNNABLE,
            )
        case _:
            return SpawnFailed(f"the terminal could not be set up: {reason}", exit_code=COMMAND_NOT_RUNNABLE)


def _set_size(master: int, cols: int, rows: int) -> None:
    fcntl.ioctl(master, termios.TIOCSWINSZ, WINDOW_SIZE.pack(rows, cols, 0, 0))


class LocalChild:
    """A `Child` of this very process."""

    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self._process = process
        self._groups = {process.pid}
        self._open = True
        self.master = master

    @property
    def pid(self) -> int:
        return self._process.pid

    def resize(self, cols: int, rows: int) -> None:
        if self._open:
            _set_size(self.master, cols, rows)

    def hang_up(self) -> None:
        self._tell(signal.SIGHUP)
        self._tell(signal.SIGCONT)  # A stopped program hears nothing else.

    def kill(self) -> None:
        self._tell(signal.SIGKILL)

    def close(self) -> None:
        if self._open:
            self._open = False
            os.close(self.master)

    def survivors(self) -> bool:
        return any(_told(group, 0) and group_lives(group) for group in self._groups)

    def _tell(self, number: signal.Signals) -> None:
        self._groups |= self._foreground()
        for group in self._groups:
            _told(group, number)

    def _foreground(self) -> set[int]:
        if not self._open:
            return set()
        try:
            group = os.tcgetpgrp(self.master)
        except OSError:
            return set()  # The terminal has no session any more.
        return {group} if group > 0 else set()


def _told(group: int, number: int) -> bool:
    """Signal a process group; False when it is gone, or another user's (setuid programs)."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True
