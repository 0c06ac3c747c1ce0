"""The file in which an agent keeps its state, as seen from its pane. Does the looking; `following.py` says when.

Rule 1: the file is the one of a process in the pane's foreground, and stays it for as long as that process lives.
Rule 2: a file that cannot be read, or only in part, says nothing: its last word holds, and it is read again.
Rule 3: a file that is older than its process was left by another one that had the same number.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from orca_tui.agents.adapter import FileSaid, StateFileKeeper
from orca_tui.process.table import ProcessTable
from orca_tui.server.sight import Sight
from orca_tui.status.events import Event, Says, StateSaid
from orca_tui.status.record import Source

MAX_FILE_BYTES = 256 << 10  # Claude Code's have 600.
SLACK_S = 2.0
"""A process's start is known to a hundredth of a second, and the clock may have been set a little since."""
LOOKS_PER_CHECK = 8
"""A process with the same number is asked for so rarely whether it is the same one: numbers are used again late."""

_Stamp: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Owner:
    """The process whose file it is."""

    pid: int
    started: float


class StateFile:
    """Follows the state file of one pane's agent. All methods may block for a moment."""

    def __init__(self, keeper: StateFileKeeper, folder: Path, processes: ProcessTable) -> None:
        self._keeper = keeper
        self._folder = folder
        self._processes = processes
        self._owner: _Owner | None = None
        self._stamp: _Stamp | None = None
        self._said: FileSaid | None = None
        self._looks = 0

    def look(self, sight: Sight, at: float, /) -> list[Event]:
        """What is new in the file of the pane's foreground."""
        if self._owner is None:
            self._owner = self._found(sight.group)
        elif not self._lives(self._owner):
            return self._forgotten(at)
        return [] if self._owner is None else self._read(self._owner, at)

    def _found(self, group: int | None) -> _Owner | None:
        """Rule 1."""
        if group is None:
            return None
        try:
            names = os.listdir(self._folder)
        except OSError:
            return None
        pids = (int(name[:-5]) for name in names if name.endswith(".json") and name[:-5].isdecimal())
        for pid in sorted(pids, key=lambda pid: pid != group):  # The group's leader first.
            if self._processes.group_of(pid) == group:
                facts = self._processes.process(pid)
                return None if facts is None else _Owner(pid=pid, started=facts.started)
        return None

    def _lives(self, owner: _Owner) -> bool:
        self._looks += 1
        if self._processes.group_of(owner.pid) is None:
            return False
        if self._looks % LOOKS_PER_CHECK:
            return True
        facts = self._processes.process(owner.pid)
        return facts is not None and facts.started == owner.started

    def _forgotten(self, at: float) -> list[Event]:
        said, self._owner, self._stamp, self._said = self._said, None, None, None
        if said is None:
            return []
        detail = "the process of the session file is gone"
        return [StateSaid(at=at, source=Source.SESSION_FILE, says=Says.NOTHING, detail=detail)]

    def _read(self, owner: _Owner, at: float) -> list[Event]:
        path = self._folder / f"{owner.pid}.json"
        try:
            stamp = _stamp(path)
            if stamp == self._stamp:
                return []
            content = _content(path)
        except FileNotFoundError:
            return self._forgotten(at)
        except OSError:
            return []
        said = self._keeper.state_said(content, at)
        if said is None:
            return []  # Rule 2.
        self._stamp = stamp
        if said.began_at < owner.started - SLACK_S:
            return []  # Rule 3.
        return self._news(said)

    def _news(self, said: FileSaid) -> list[Event]:
        before, self._said = self._said, said
        if before is None or before.session_id != said.session_id:
            return list(said.events)
        return [event for event in said.events if isinstance(event, StateSaid)]


def _stamp(path: Path) -> _Stamp:
    facts = path.stat()
    return facts.st_mtime_ns, facts.st_size, facts.st_ino


def _content(path: Path) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # Not even a pipe may hold us.
    with os.fdopen(descriptor, "rb") as file:
        return file.read(MAX_FILE_BYTES)
