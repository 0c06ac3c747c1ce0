"""Real keepers for tests, each a process of its own below a short directory."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

from orca_tui.process import daemon
from orca_tui.process.keeper_wire import VERSION, frame
from orca_tui.process.kept import KeptSpawner
from tests.process.programs import LIMIT_S

RUN = (
    "import os, sys\n"
    "from orca_tui.base.clock import SystemClock\n"
    "from orca_tui.process.keeper import Keeper\n"
    "from orca_tui.process.keeper_door import Door\n"
    "fd = int(sys.argv[-1])\n"
    "os.set_inheritable(fd, False)\n"
    "def ready():\n os.write(fd, b'ready\\n'); os.close(fd)\n"
    "Keeper(Door(sys.argv[1]), SystemClock(), keeper_id='test', {options}).run(ready)"
)


class KeeperProcess:
    """Where a keeper is and how it is started; `options` are the keeper's own, to shorten its times."""

    def __init__(self, root: Path, options: dict[str, float]) -> None:
        self.root = root
        self.socket = root / "run" / "test.keeper"
        self.log = root / "keeper.log"
        self.pid: int | None = None
        self._options = options

    def start(self) -> None:
        options = ", ".join(f"{name}={value!r}" for name, value in self._options.items())
        command = [sys.executable, "-c", RUN.replace("{options}", options), str(self.socket)]
        self.pid = daemon.start(command, log_file=self.log, environment=os.environ)

    def spawner(self) -> KeptSpawner:
        """A server's view of it; the keeper is started when it is first needed."""
        return KeptSpawner(self.socket, self.start)

    def kill(self) -> None:
        assert self.pid is not None
        os.kill(self.pid, signal.SIGKILL)
        self.wait()

    def wait(self) -> None:
        """Return when it has ended."""
        assert self.pid is not None
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        self.pid = None

    def close(self) -> None:
        if self.pid is not None:
            self.kill()
        shutil.rmtree(self.root, ignore_errors=True)


@contextmanager
def keeper_process(**options: float) -> Iterator[KeeperProcess]:
    """A place for a keeper; it is ended afterwards."""
    process = KeeperProcess(Path(tempfile.mkdtemp(prefix="ot-")), options)
    try:
        yield process
    finally:
        process.close()


@asynccontextmanager
async def kept_spawner() -> AsyncIterator[KeptSpawner]:
    """A spawner with a keeper of its own."""
    with keeper_process() as process:
        spawner = process.spawner()
        try:
            yield spawner
        finally:
            await spawner.close(end=True)


def end_keeper(path: Path) -> None:
    """End the keeper that listens there, if one does, and what it holds."""
    with socket.socket(socket.AF_UNIX) as server, suppress(OSError):
        server.settimeout(LIMIT_S)
        server.connect(str(path))
        server.sendall(frame({"op": "hello", "v": VERSION}) + frame({"op": "end"}))
        while server.recv(1 << 16):
            pass
