"""What a replay has instead of a program and of the machine's processes: the recorded ones, on a socket pair."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable

from orca_tui.process.spawner import ExitListener, Kept, Program
from orca_tui.process.table import ProcessFacts, Usage

FIRST_PID = 4_194_305
"""One more than Linux ever gives to a process."""


class RecordedChild:
    """The `Child` of a recording: says what it is told to say, and takes input without a word."""

    def __init__(self, pid: int, exited: ExitListener) -> None:
        self.pid = pid
        self._exited = exited
        self._ours, self._theirs = socket.socketpair()
        self._ours.setblocking(False)
        self._theirs.setblocking(False)
        self._gone = False

    @property
    def master(self) -> int:
        return self._ours.fileno()

    def says(self, data: bytes) -> None:
        """Write output. The keys and answers that were written to it are taken away."""
        self._drain()
        self._theirs.sendall(data)

    def exits(self, code: int) -> None:
        if not self._gone:
            self._gone = True
            self._theirs.close()
            self._exited(code)

    def resize(self, cols: int, rows: int) -> None: ...

    def hang_up(self) -> None:
        self.exits(-1)

    def kill(self) -> None:
        self.exits(-9)

    def survivors(self) -> bool:
        return False

    def close(self) -> None:
        self._ours.close()

    def _drain(self) -> None:
        try:
            while self._theirs.recv(1 << 16):
                pass
        except BlockingIOError:
            pass


class RecordedSpawner:
    """Gives every program the same recorded child."""

    keeper_id = ""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self.child: RecordedChild

    async def open(self, lost: Callable[[bool], None]) -> tuple[Kept, ...]:
        return ()

    async def close(self, *, end: bool) -> None:
        pass

    async def spawn(self, program: Program, exited: ExitListener) -> RecordedChild:
        self.child = RecordedChild(self._pid, exited)
        return self.child


class RecordedProcesses:
    """The `ProcessTable` of a machine on which only the recorded agent runs, until it `has_ended`."""

    def __init__(self, agent: ProcessFacts) -> None:
        self._agent = agent
        self.has_ended = False

    def foreground_group(self, master: int) -> int | None:
        return self.group_of(self._agent.pid)

    def group_of(self, pid: int) -> int | None:
        return pid if self.process(pid) is not None else None

    def group_exists(self, group: int) -> bool:
        return self.group_of(group) is not None

    def members(self, group: int) -> tuple[ProcessFacts, ...]:
        agent = self.process(group)
        return () if agent is None else (agent,)

    def process(self, pid: int) -> ProcessFacts | None:
        return self._agent if pid == self._agent.pid and not self.has_ended else None

    def directory(self, pid: int) -> str | None:
        return None

    def environment(self, pid: int) -> dict[str, str]:
        return {}

    def usage(self, sessions: Iterable[int]) -> dict[int, dict[int, Usage]]:
        return {session: {} for session in sessions}
