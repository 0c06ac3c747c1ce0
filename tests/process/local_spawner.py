"""A spawner that starts programs as children of this process, for tests of servers that need no keeper.

The contract test of spawners (`test_spawner.py`) runs on it as on the keeper's.

Nothing of Python may run between fork and exec in a process that has threads (a lock that another thread
held stays locked for ever in the child), so `os.forkpty` and `preexec_fn` are out. `posix_spawn` can neither
change the directory nor tell which step failed. So the fork is `subprocess`'s own, all in C, and what is left
to do (controlling terminal, signals, directory, exec) is done by a small script in the new process, which
then becomes the program: `local_child.py`. It costs about 15 ms per pane.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import socket
import subprocess
import sys
import termios
import threading
from collections.abc import Callable
from pathlib import Path

from orca_tui.base.errors import SpawnFailed
from orca_tui.process.groups import Groups
from orca_tui.process.keeper_kid import WINDOW_SIZE
from orca_tui.process.payload import encoded, failure
from orca_tui.process.spawner import COMMAND_NOT_RUNNABLE, ExitListener, Kept, Program

SCRIPT = Path(__file__).with_name("local_child.py")
REPORT_BYTES = 64


class LocalSpawner:
    """A `Spawner`; needs a running event loop."""

    keeper_id = ""

    async def open(self, lost: Callable[[bool], None]) -> tuple[Kept, ...]:
        return ()

    async def spawn(self, program: Program, exited: ExitListener) -> LocalChild:
        payload = encoded(program)
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

    async def close(self, *, end: bool) -> None:
        pass  # Its programs are this server's children, and have ended before it.


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
        step, _, number = report.decode("ascii").partition("\0")
        raise failure(program, step, int(number))
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


def _set_size(master: int, cols: int, rows: int) -> None:
    fcntl.ioctl(master, termios.TIOCSWINSZ, WINDOW_SIZE.pack(rows, cols, 0, 0))


class LocalChild:
    """A `Child` of this very process."""

    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self._process = process
        self._groups = Groups(process.pid)
        self._open = True
        self.master = master

    @property
    def pid(self) -> int:
        return self._process.pid

    def resize(self, cols: int, rows: int) -> None:
        if self._open:
            _set_size(self.master, cols, rows)

    def hang_up(self) -> None:
        self._groups.hang_up(self._terminal())

    def kill(self) -> None:
        self._groups.kill(self._terminal())

    def close(self) -> None:
        if self._open:
            self._open = False
            os.close(self.master)

    def survivors(self) -> bool:
        return self._groups.survivors()

    def _terminal(self) -> int | None:
        return self.master if self._open else None


def when_exited(process: subprocess.Popen[bytes], call: Callable[[int], None]) -> None:
    """Call back from the running event loop with the exit code (negative: the signal), once.

    A pidfd where the kernel has them (Linux 5.3), else one waiting thread per child. SIGCHLD would be a
    handler for the whole process, and the main thread's alone.
    """
    loop = asyncio.get_running_loop()
    try:
        descriptor = os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        _wait_in_thread(process, loop, call)
        return

    def readable() -> None:
        loop.remove_reader(descriptor)
        os.close(descriptor)
        call(process.wait())

    loop.add_reader(descriptor, readable)


def _wait_in_thread(
    process: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop, call: Callable[[int], None]
) -> None:
    def wait() -> None:
        code = process.wait()
        if not loop.is_closed():
            loop.call_soon_threadsafe(call, code)

    threading.Thread(target=wait, name=f"wait-{process.pid}", daemon=True).start()
