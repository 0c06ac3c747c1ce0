"""A pane's engine from what is on the disk. Writes nothing but the cut behind a journal's last whole record."""

from __future__ import annotations

import logging
from typing import NamedTuple, assert_never

from orca_tui.base.errors import EngineMismatch
from orca_tui.server.persist_files import PaneFiles
from orca_tui.server.persist_inflight import Leftover
from orca_tui.server.persist_records import RECORD, SIZE, Kind, header
from orca_tui.server.persist_snapshot import Damaged, ScreenSnapshot, decoded
from orca_tui.term.engine import DirectoryChanged, EngineFactory, Fact, TerminalEngine, TitleChanged

logger = logging.getLogger(__name__)


class RestoredScreen(NamedTuple):
    """An engine as it was when the server died, as far as that is known."""

    engine: TerminalEngine
    exact: bool
    """Else the screen is only about as it was, or blank: the program should draw it anew."""
    why: str
    """What is wrong with it, for people; empty when it is exact."""
    generation: int
    """The journal to go on with."""
    title: str | None
    """As the program said last, where the journal tells."""
    directory: str | None


def put_back(files: PaneFiles, left: Leftover) -> None:
    """Append the read that was under way when the server died; raises `OSError`."""
    path = files.journal(left.generation)
    if not path.exists():
        return  # The pane was closed, or its screen is not kept.
    if path.stat().st_size > left.offset + RECORD.size + len(left.data):
        return  # Others came after it.
    with path.open("r+b") as journal:
        journal.truncate(left.offset)
        journal.seek(left.offset)
        journal.write(header(Kind.FED, left.data) + left.data)


def restored(
    files: PaneFiles, engines: EngineFactory, *, size: tuple[int, int], scrollback_lines: int
) -> RestoredScreen:
    """The engine of a pane; `size` and `scrollback_lines` are for one of which nothing can be read."""
    snapshot, why = _snapshot(files)
    generations = files.generations()
    engine, problem = _engine(snapshot, engines, size, scrollback_lines)
    first = snapshot.generation if snapshot is not None else 0
    if snapshot is None and 0 not in generations:
        problem = why or "nothing of the screen was kept"
        first = generations[0] if generations else 0
    replay = _Replay(engine)
    generation = first
    while generation in generations:
        last = generation + 1 not in generations
        if not _replayed(files, generation, replay, last=last):
            problem = "a part of what the program wrote cannot be read"
        if last:
            break
        generation += 1
    if replay.left_out:
        problem = "a sequence without end was too long to be kept whole"
    return RestoredScreen(
        engine=engine,
        exact=not problem,
        why=problem,
        generation=generation,
        title=replay.title,
        directory=replay.directory,
    )


def _snapshot(files: PaneFiles) -> tuple[ScreenSnapshot | None, str]:
    try:
        return decoded(files.snapshot.read_bytes()), ""
    except FileNotFoundError:
        return None, ""
    except Damaged:
        logger.warning("snapshot not used: it is damaged", extra={"pane": files.pane})
        return None, "the snapshot of the screen is damaged"
    except OSError as error:
        logger.warning("snapshot not used: %s", error.strerror, extra={"pane": files.pane})
        return None, f"the snapshot of the screen cannot be read: {error.strerror}"


def _engine(
    snapshot: ScreenSnapshot | None, engines: EngineFactory, size: tuple[int, int], scrollback_lines: int
) -> tuple[TerminalEngine, str]:
    if snapshot is None:
        return engines.new(*size, scrollback_lines=scrollback_lines), ""
    if snapshot.build == engines.build:
        try:
            return engines.restore(snapshot.snapshot), ""
        except EngineMismatch:
            logger.warning("snapshot not used: EngineMismatch")
    engine = engines.new(snapshot.cols, snapshot.rows, scrollback_lines=scrollback_lines)
    engine.feed(snapshot.text)
    return engine, "the screen was kept by another build of the terminal engine and is only about as it was"


def _replayed(files: PaneFiles, generation: int, replay: _Replay, *, last: bool) -> bool:
    """Feed a journal; False when it should hold more than can be read. The last may end within a record."""
    records, good_bytes = files.records(generation)
    for kind, payload in records:
        replay.take(kind, payload)
    if last:
        files.cut(generation, good_bytes)
        return True
    return good_bytes == files.journal(generation).stat().st_size


class _Replay:
    """Feeds an engine what it was fed before. Its answers are for nobody: the program had them."""

    def __init__(self, engine: TerminalEngine) -> None:
        self._engine = engine
        self.title: str | None = None
        self.directory: str | None = None
        self.left_out = False

    def take(self, kind: Kind, payload: bytes) -> None:
        match kind:
            case Kind.RESIZED:
                self._engine.resize(*SIZE.unpack(payload))
            case Kind.FED:
                for fact in self._engine.feed(payload).facts:
                    self._keep(fact)
            case Kind.LEFT_OUT:
                self.left_out = True
            case _:
                assert_never(kind)

    def _keep(self, fact: Fact) -> None:
        if isinstance(fact, TitleChanged):
            self.title = fact.title
        elif isinstance(fact, DirectoryChanged):
            self.directory = fact.path
