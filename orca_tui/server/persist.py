"""The screens of all panes on the disk: private, bounded, and put aside when they crash the server.

A disk that is full or cannot be written to costs the screens and nothing else: `problem` says so, and the panes
go on.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from orca_tui.base.clock import Clock
from orca_tui.base.ids import PaneId
from orca_tui.server.persist_files import PaneFiles, panes_with_files, write_whole
from orca_tui.server.persist_inflight import InFlight
from orca_tui.server.persist_journal import PaneJournal
from orca_tui.server.persist_restore import RestoredScreen, put_back, restored
from orca_tui.term.engine import EngineFactory, TerminalEngine

TOTAL_BYTES = 512 << 20
"""All screens together. Panes that find it reached are kept without scrollback, which is 0.1 MB each."""
CRASHES = 2
"""Restores that ended the server, after the crash that made them necessary: the third is not tried."""
WITHIN_S = 60.0
PRIVATE_DIRECTORY = 0o700

StartTask: TypeAlias = Callable[[Coroutine[Any, Any, None], str], object]

logger = logging.getLogger(__name__)


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """A restore that was begun, and has ended the server unless it is taken off the list."""

    pane: str
    at: float


class ScreenStore:
    """Owns the directory of one server's screens; the caller holds the server's lock."""

    def __init__(
        self,
        directory: Path,
        inflight_file: Path,
        engines: EngineFactory,
        clock: Clock,
        start: StartTask,
        *,
        total_bytes: int = TOTAL_BYTES,
    ) -> None:
        self.clock = clock
        self.build = engines.build
        self.inflight: InFlight | None = None
        self.typed_at = float("-inf")
        self.problem = ""
        """Why screens are not kept now, for people; empty: they are."""
        self.told: Callable[[str], None] = lambda _: None
        """Called with every new problem."""
        self._directory = directory
        self._inflight_file = inflight_file
        self._engines = engines
        self._start = start
        self._total_bytes = total_bytes
        self._journals: dict[PaneId, PaneJournal] = {}
        self._attempts: list[Attempt] = []

    def open(self) -> None:
        """Take possession, and put the read that was under way where it belongs."""
        try:
            self._directory.mkdir(mode=PRIVATE_DIRECTORY, parents=True, exist_ok=True)
            os.chmod(self._directory, PRIVATE_DIRECTORY)
            self._attempts = self._earlier_attempts()
            self.inflight, left = InFlight.open(self._inflight_file)
            if left is not None:
                put_back(PaneFiles(self._directory, left.pane), left)
        except OSError as error:
            self.failed(error)

    def close(self) -> None:
        """The server goes, and the screens stay."""
        for journal in self._journals.values():
            journal.close()
        self._journals.clear()
        if self.inflight is not None:
            self.inflight.close()
            self.inflight = None
            self._inflight_file.unlink(missing_ok=True)  # Nothing is under way in it.

    # Panes

    def begin(self, pane: PaneId, cols: int, rows: int) -> PaneJournal:
        """A new pane with a blank screen of that size."""
        files = PaneFiles(self._directory, pane)
        with suppress(OSError):
            files.drop()  # Of a pane of that name in an earlier life.
        journal = self._journals[pane] = PaneJournal(self, files, 0)
        journal.resized(cols, rows)
        return journal

    def restore(self, pane: PaneId, size: tuple[int, int], scrollback_lines: int) -> RestoredScreen:
        """A pane of the server before; `resume` is due when it is in its place."""
        files = PaneFiles(self._directory, pane)
        put_aside = self._put_aside(files)
        self._attempting(pane)
        screen = restored(files, self._engines, size=size, scrollback_lines=scrollback_lines)
        self._survived(pane)
        return screen._replace(exact=False, why=put_aside) if put_aside else screen

    def resume(self, pane: PaneId, screen: RestoredScreen) -> PaneJournal:
        """Go on with a restored pane."""
        journal = PaneJournal(self, PaneFiles(self._directory, pane), screen.generation)
        self._journals[pane] = journal
        if not screen.exact:
            journal.restart(screen.engine)
        return journal

    def forget(self, pane: PaneId) -> None:
        """A pane is gone."""
        journal = self._journals.pop(pane, None)
        if journal is not None:
            journal.forget()

    def retire(self, pane: PaneId, engine: TerminalEngine) -> None:
        """A pane is about to be forgotten, and its screen stays for whoever brings its session back; blocks."""
        journal = self._journals.pop(pane, None)
        if journal is not None:
            journal.leave(engine)

    def put_aside(self, panes: Iterable[str], directory: Path) -> None:
        """Keep the screens of an earlier life's panes elsewhere."""
        try:
            for pane in panes:
                PaneFiles(self._directory, pane).move_to(directory)
        except OSError as error:
            self.failed(error)

    def bring_back(self, directory: Path, old: str, pane: PaneId) -> None:
        """Take what `put_aside` kept, under another name; `restore` reads it."""
        try:
            PaneFiles(self._directory, pane).drop()  # Of a pane of that name in an earlier life.
            PaneFiles(directory, old).move_to(self._directory, pane)
        except OSError as error:
            self.failed(error)

    def drop_all_but(self, panes: set[str]) -> None:
        """Take away the screens of panes that are nowhere any more."""
        try:
            for pane in panes_with_files(self._directory) - panes - {ATTEMPTS_FILE.split(".")[0]}:
                PaneFiles(self._directory, pane).drop()
        except OSError as error:
            self.failed(error)

    # A crash loop

    def _put_aside(self, files: PaneFiles) -> str:
        """Quarantine what has ended the server too often; why, or nothing."""
        now = self.clock.now()
        # The wall clock may have been set back; then it is the distance that counts.
        recent = [one for one in self._attempts if one.pane == files.pane and abs(now - one.at) <= WITHIN_S]
        if len(recent) < CRASHES:
            return ""
        try:
            files.move_to(self._directory / "quarantine")
        except OSError as error:
            self.failed(error)
        logger.error(
            "screen put aside: it has ended the server %d times", CRASHES + 1, extra={"pane": files.pane}
        )
        return f"the screen of {files.pane} has ended the server repeatedly and was put aside"

    def _attempting(self, pane: PaneId) -> None:
        self._attempts.append(Attempt(pane=pane, at=self.clock.now()))
        self._write_attempts()

    def _survived(self, pane: PaneId) -> None:
        self._attempts = [one for one in self._attempts if one.pane != pane]
        self._write_attempts()

    def _earlier_attempts(self) -> list[Attempt]:
        try:
            data = (self._directory / ATTEMPTS_FILE).read_bytes()
            return msgspec.json.decode(data, type=list[Attempt])
        except (FileNotFoundError, msgspec.DecodeError):
            return []

    def _write_attempts(self) -> None:
        try:
            write_whole(self._directory / ATTEMPTS_FILE, msgspec.json.encode(self._attempts))
        except OSError as error:
            self.failed(error)

    # The `Storage` of the journals

    def crowded(self) -> bool:
        return sum(journal.stored_bytes for journal in self._journals.values()) > self._total_bytes

    def write_later(self, work: Callable[[], None], done: Callable[[OSError | None], None]) -> None:
        self._start(_written(work, done), "write a snapshot")

    def failed(self, error: OSError) -> None:
        problem = f"screens are not kept in {self._directory}: {error.strerror}"
        if problem != self.problem:
            self.problem = problem
            logger.warning("%s", problem)
            self.told(problem)

    def worked(self) -> None:
        self.problem = ""


ATTEMPTS_FILE = "attempts.json"


async def _written(work: Callable[[], None], done: Callable[[OSError | None], None]) -> None:
    try:
        await asyncio.to_thread(work)
    except OSError as error:
        done(error)
    else:
        done(None)
