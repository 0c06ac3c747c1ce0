"""The files of one pane's screen: a snapshot, and the journals that go on from it. Knows no engine.

Rule 1: a snapshot names the generation of the journal that goes on from it; a later journal goes on from the end
of the one before. Without a snapshot it is generation 0 that begins with a blank screen.
Rule 2: a journal is begun before its snapshot is written, and older ones go only when that is in place: whenever
a crash comes, one snapshot and the journals from its generation on give the screen.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from orca_tui.server.persist_records import Kind, Records, header, parsed

PRIVATE = 0o600
JOURNAL_NAME = re.compile(r"([^.]+)\.(\d+)\.journal")
APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW


class Journal:
    """One generation's file, open for appending."""

    def __init__(self, path: Path, generation: int) -> None:
        """Raises `OSError`."""
        self.generation = generation
        self._descriptor = os.open(path, APPEND, PRIVATE)
        self.size = os.fstat(self._descriptor).st_size

    def append(self, kind: Kind, payload: bytes) -> None:
        """Write a record whole or not at all; raises `OSError`."""
        head = header(kind, payload)
        whole = len(head) + len(payload)
        try:
            written = os.writev(self._descriptor, (head, payload))
            if written < whole:
                os.write(self._descriptor, (head + payload)[written:])  # Raises why it does not fit.
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._descriptor, self.size)
            raise
        self.size += whole

    def close(self) -> None:
        os.close(self._descriptor)


class PaneFiles:
    """Where one pane's files are."""

    def __init__(self, directory: Path, pane: str) -> None:
        self._directory = directory
        self.pane = pane
        self.snapshot = directory / f"{pane}.snapshot"

    def journal(self, generation: int) -> Path:
        return self._directory / f"{self.pane}.{generation}.journal"

    def snapshot_bytes(self) -> int:
        try:
            return self.snapshot.stat().st_size
        except OSError:
            return 0

    def generations(self) -> list[int]:
        """Of the journals that there are, oldest first."""
        names = (JOURNAL_NAME.fullmatch(path.name) for path in self._directory.glob(f"{self.pane}.*.journal"))
        return sorted(int(name[2]) for name in names if name is not None and name[1] == self.pane)

    def records(self, generation: int) -> Records:
        """What a journal holds; a missing one holds nothing."""
        try:
            return parsed(self.journal(generation).read_bytes())
        except FileNotFoundError:
            return Records([], 0)

    def cut(self, generation: int, size: int) -> None:
        """Take away what follows in a journal."""
        with suppress(FileNotFoundError):
            os.truncate(self.journal(generation), size)

    def write_snapshot(self, data: bytes) -> None:
        """Put a snapshot in place, whole or not at all; raises `OSError`."""
        write_whole(self.snapshot, data)

    def drop_before(self, generation: int) -> None:
        """Take away the journals that a snapshot stands for."""
        for older in self.generations():
            if older < generation:
                self.journal(older).unlink(missing_ok=True)

    def drop(self) -> None:
        """Take away everything; raises `OSError`."""
        self.snapshot.unlink(missing_ok=True)
        draft_of(self.snapshot).unlink(missing_ok=True)
        for generation in self.generations():
            self.journal(generation).unlink(missing_ok=True)

    def move_to(self, directory: Path, pane: str = "") -> None:
        """Put everything aside, for the pane of that name there; raises `OSError`."""
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        there = PaneFiles(directory, pane or self.pane)
        moves = [(self.snapshot, there.snapshot)]
        moves += ((self.journal(one), there.journal(one)) for one in self.generations())
        for path, target in moves:
            with suppress(FileNotFoundError):
                os.replace(path, target)


def draft_of(path: Path) -> Path:
    """Where a file is written before it is moved into its place."""
    return path.with_name(path.name + ".new")


def write_whole(path: Path, data: bytes) -> None:
    """Write a private file that is never seen half; raises `OSError` and leaves nothing behind then."""
    draft = draft_of(path)
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, PRIVATE)
        with open(descriptor, "wb") as file:
            file.write(data)
        os.replace(draft, path)
    except OSError:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def panes_with_files(directory: Path) -> set[str]:
    """The panes of which a directory holds something."""
    return {path.name.split(".")[0] for path in directory.iterdir() if path.is_file()}
