"""The log that an agent writes of its session, read as it grows. Does the looking; `following.py` says when.

Rule 1: of a log that is there already only what its program wrote since it began is told, and only once all of it
        is read: what came before is history.
Rule 2: a line is told when it is whole; one that is too long is passed over.
Rule 3: a log that was replaced or cut is another one. One that is gone says nothing any more.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from orca_tui.agents.adapter import LogKeeper
from orca_tui.server.sight import Sight
from orca_tui.status.events import Event, Says, StateSaid
from orca_tui.status.record import Source

CHUNK_BYTES = 1 << 20
"""Of a log that grows faster than that in a quarter of a second, the rest waits."""
MAX_LINE_BYTES = 8 << 20  # Tools' results are in it whole.
MAX_KEPT = 1000
"""Lines since the program began that are kept until the log is read to its end; older ones hardly matter then."""


@dataclass(kw_only=True, slots=True)
class _Log:
    """One file as far as it is read."""

    inode: int
    offset: int = 0
    partial: bytearray = field(default_factory=bytearray)
    too_long: bool = False
    """The line that is being read is passed over."""
    caught_up: bool = False
    kept: list[bytes] = field(default_factory=list)


class LogFile:
    """Follows the log of one pane's agent. All methods may block for a moment."""

    def __init__(self, keeper: LogKeeper, environment: Mapping[str, str]) -> None:
        self._keeper = keeper
        self._environment = environment
        self._session: str | None = None
        self._log: _Log | None = None

    def look(self, sight: Sight, at: float, /) -> list[Event]:
        """What is new in the log of the session that the pane shows."""
        if sight.session_id != self._session:
            self._session, self._log = sight.session_id, None
        path = self._keeper.log_file(self._environment, self._session) if self._session else None
        if path is None:
            return []
        try:
            lines = self._new_lines(Path(path))
        except FileNotFoundError:
            return self._forgotten(at)
        except OSError:
            return []
        return [event for line in lines for event in self._keeper.logged(line, at)]

    def _new_lines(self, path: Path) -> list[bytes]:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            facts = os.fstat(descriptor)
            log = self._log
            if log is None or log.inode != facts.st_ino or facts.st_size < log.offset:
                log = self._log = _Log(inode=facts.st_ino)  # Rule 3.
            if facts.st_size == log.offset and log.caught_up:
                return []
            file.seek(log.offset)
            chunk = file.read(CHUNK_BYTES)
        log.offset += len(chunk)
        lines = _whole_lines(log, chunk)
        return lines if log.caught_up else self._since_it_began(log, lines, log.offset >= facts.st_size)

    def _since_it_began(self, log: _Log, lines: list[bytes], at_end: bool) -> list[bytes]:
        """Rule 1."""
        for line in lines:
            if self._keeper.log_begins(line):
                log.kept.clear()
            log.kept.append(line)
        del log.kept[:-MAX_KEPT]
        if not at_end:
            return []
        log.caught_up = True
        kept, log.kept = log.kept, []
        return kept

    def _forgotten(self, at: float) -> list[Event]:
        had, self._log = self._log, None
        if had is None:
            return []
        detail = "the session's log is gone"
        return [StateSaid(at=at, source=Source.SESSION_FILE, says=Says.NOTHING, detail=detail)]


def _whole_lines(log: _Log, chunk: bytes) -> list[bytes]:
    """Rule 2."""
    *ended, rest = chunk.split(b"\n")
    lines = []
    for part in ended:
        if not log.too_long:
            lines.append(bytes(log.partial + part))
        log.partial.clear()
        log.too_long = False
    log.partial += rest
    if len(log.partial) > MAX_LINE_BYTES:
        log.partial.clear()
        log.too_long = True
    return lines
