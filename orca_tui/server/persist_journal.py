"""What one pane leaves on the disk while it runs: every byte before the engine has it, and snapshots.

Rule 1: bytes are in the journal before the engine is fed, so that a killed server has shown nothing that is lost.
Rule 2: a snapshot is made when the journal is long, but not more often than once a second: during a flood that
would cost more than the terminal itself. Not while somebody types, whose echo would wait for it. One of a pane that
is quiet has the text for other engines beside it.
Rule 3: when a write fails the pane goes on without, what is on the disk is taken away since it would show a
wrong screen, and the next quiet moment tries to begin anew.
Rule 4: while a sequence is open that is too long for a snapshot, a long journal grows no more. Nothing of it is shown,
and the first byte behind it brings the snapshot.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Protocol

from orca_tui.base.clock import Clock
from orca_tui.server.persist_files import Journal, PaneFiles
from orca_tui.server.persist_inflight import InFlight
from orca_tui.server.persist_records import SIZE, Kind
from orca_tui.server.persist_snapshot import ScreenSnapshot, encoded
from orca_tui.term.engine import TerminalEngine

LONG_BYTES = 4 << 20
EVERY_S = 1.0
LONGEST_BYTES = 64 << 20
"""A third of a second of replay; a flood reaches it within two seconds only where EVERY_S is not kept."""
TYPING_S = 0.25
"""Of people who type, keys come faster than that; during it the flood is slowed, so that its journal grows slowly."""
QUIET_BYTES = 64 << 10
"""A shorter journal of a quiet pane stays: it is replayed in less time than a snapshot takes to write."""

logger = logging.getLogger(__name__)


class Storage(Protocol):
    """What journals share."""

    clock: Clock
    build: str
    inflight: InFlight | None
    typed_at: float
    """When somebody last typed in any pane, monotonic seconds."""

    def crowded(self) -> bool:
        """All together take too much room: snapshots go without scrollback."""
        ...

    def write_later(self, work: Callable[[], None], done: Callable[[OSError | None], None]) -> None:
        """Run blocking work beside the loop, then call back in it."""
        ...

    def failed(self, error: OSError) -> None:
        """Something could not be written."""
        ...

    def worked(self) -> None:
        """It can be again."""
        ...


class PaneJournal:
    """One pane's memory."""

    def __init__(self, storage: Storage, files: PaneFiles, generation: int) -> None:
        """Go on with a generation's journal, which may not be there yet."""
        self._storage = storage
        self._files = files
        self._name = files.pane.encode("ascii")
        self._journal: Journal | None = None
        self._generation = generation
        self._snapshot_bytes = files.snapshot_bytes()
        self._snapshot_at = storage.clock.monotonic()
        self._writing = False
        self._without_text = False
        """The last snapshot is of a flood, or could not be written."""
        self._closed = False
        self._leaves_out = False
        """Rule 4."""
        self._open(generation)

    @property
    def stored_bytes(self) -> int:
        """What the pane takes on the disk, about."""
        return self._snapshot_bytes + (self._journal.size if self._journal is not None else 0)

    # What happens to the engine

    def read(self, master: int, limit: int) -> bytes:
        """Read the terminal into what the next server will find (Rule 1)."""
        inflight, journal = self._storage.inflight, self._journal
        if inflight is None or journal is None:
            data = os.read(master, limit)
            self.fed(data)
            return data
        if not inflight.belongs_to(self) or not inflight.has_room(limit):
            inflight.settle()  # Which may be ours, and moves the end of our journal.
            inflight.begin(self, self._name, journal.generation, journal.size)
        return inflight.read(master, limit)

    def settle(self, data: bytes) -> None:
        """Write what was read."""
        self._append(Kind.FED, data)

    def fed(self, data: bytes) -> None:
        """The engine is about to be fed."""
        self._settle_own()
        if data:
            self._append(Kind.FED, data)

    def resized(self, cols: int, rows: int) -> None:
        """The engine is about to have another size."""
        self._settle_own()
        self._append(Kind.RESIZED, SIZE.pack(cols, rows))

    def _settle_own(self) -> None:
        inflight = self._storage.inflight
        if inflight is not None and inflight.belongs_to(self):
            inflight.settle()

    # Snapshots

    def grown(self, engine: TerminalEngine) -> None:
        """The engine has taken what came; a long journal is replaced (Rule 2)."""
        size = self._journal.size if self._journal is not None else 0
        if size < LONG_BYTES:
            return
        now = self._storage.clock.monotonic()
        due = now - self._snapshot_at >= EVERY_S and now - self._storage.typed_at >= TYPING_S
        if due or size >= LONGEST_BYTES or self._leaves_out:
            self._checkpoint(engine, with_text=False)

    def typed(self) -> None:
        """A key's echo is awaited (Rule 2)."""
        self._storage.typed_at = self._storage.clock.monotonic()

    def quiet(self, engine: TerminalEngine) -> None:
        """The program has said nothing for a while: a good moment for what takes time."""
        journal = self._journal
        if journal is None or journal.size >= QUIET_BYTES or self._without_text:
            self._checkpoint(engine, with_text=True)

    def leave(self, engine: TerminalEngine) -> None:
        """The server goes, and one with another engine may come; blocks."""
        if self._without_text or self._journal is None:
            work = self._checkpoint(engine, with_text=True, later=False)
            if work is not None:
                work()
        self.close()

    def close(self) -> None:
        """Write nothing more; what is there stays."""
        self._settle_own()
        self._closed = True
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    def forget(self) -> None:
        """The pane is gone, and its screen with it."""
        self.close()
        try:
            self._files.drop()
        except OSError as error:
            self._storage.failed(error)

    def restart(self, engine: TerminalEngine) -> None:
        """What is on the disk is not what the engine shows: begin anew from the engine."""
        self._checkpoint(engine, with_text=True)

    def _checkpoint(
        self, engine: TerminalEngine, *, with_text: bool, later: bool = True
    ) -> Callable[[], None] | None:
        """Begin a new generation with a snapshot. None, or the work that is still to be done unless `later`."""
        if self._writing or self._closed:
            return None
        self._settle_own()
        state = engine.snapshot(with_history=not self._storage.crowded())
        if state is None:  # A sequence without end is open: the next moment tries again.
            self._leave_out()
            return None
        self._leaves_out = False
        self._open(self._generation + 1)
        if self._journal is None:
            return None
        data = encoded(
            ScreenSnapshot(
                build=self._storage.build,
                generation=self._generation,
                cols=engine.cols,
                rows=engine.rows,
                snapshot=state,
                text=engine.vt_text() if with_text else b"",
            )
        )
        self._snapshot_at = self._storage.clock.monotonic()
        self._without_text = not with_text
        generation, files = self._generation, self._files

        def write() -> None:
            files.write_snapshot(data)
            files.drop_before(generation)

        if not later:
            return write
        self._writing = True
        self._storage.write_later(write, lambda error: self._written(error, len(data)))
        return None

    def _written(self, error: OSError | None, size: int) -> None:
        self._writing = False
        if self._closed:
            return
        if error is None:
            self._snapshot_bytes = size
            self._storage.worked()
        else:
            self._without_text = True
            self._storage.failed(error)

    # The file

    def _open(self, generation: int) -> None:
        before, self._journal = self._journal, None
        if before is not None:
            before.close()
        self._generation = generation
        try:
            self._journal = Journal(self._files.journal(generation), generation)
        except OSError as error:
            self._fail(error)

    def _leave_out(self) -> None:
        """Rule 4."""
        if self._journal is not None and self._journal.size >= LONG_BYTES and not self._leaves_out:
            self._append(Kind.LEFT_OUT, b"")
            self._leaves_out = True

    def _append(self, kind: Kind, payload: bytes) -> None:
        if self._journal is None or self._leaves_out:
            return
        try:
            self._journal.append(kind, payload)
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        """Rule 3."""
        logger.warning("screen not kept: %s", error.strerror, extra={"pane": self._files.pane})
        if self._journal is not None:
            self._journal.close()
            self._journal = None
        try:
            self._files.drop()
        except OSError as worse:
            logger.warning("old screen not removed: %s", worse.strerror, extra={"pane": self._files.pane})
        self._storage.failed(error)
