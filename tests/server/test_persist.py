"""What a killed server leaves, and what the next one makes of it."""

from __future__ import annotations

import asyncio
import errno
import os
import random
import shutil
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from orca_tui.base.ids import PaneId
from orca_tui.server.persist import CRASHES, WITHIN_S, Attempt, ScreenStore
from orca_tui.server.persist_journal import EVERY_S, LONG_BYTES, QUIET_BYTES, TYPING_S, PaneJournal
from orca_tui.server.persist_restore import RestoredScreen
from orca_tui.server.persist_snapshot import decoded, encoded
from orca_tui.term.engine import EngineFactory, TerminalEngine
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.ghostty_engine import GhosttyEngine
from tests.fakes import FakeClock
from tests.term.terminals import UNSOUND, Recording, State, recordings, state

pytestmark = pytest.mark.anyio

P1 = PaneId("p1")
SIZE = (80, 24)
LINES = 100_000
"""More than any recording fills: where the limit is reached, a snapshot moves the places where it cuts."""


class Disk:
    """A directory and the servers that live on it, one after the other."""

    def __init__(self, root: Path, engines: GhosttyFactory, group: asyncio.TaskGroup) -> None:
        self.root = root
        self.screens = root / "screens"
        self.inflight = root / "inflight"
        self.engines = engines
        self.clock = FakeClock()
        self._group = group
        self.running: set[asyncio.Task[None]] = set()

    def server(self, engines: EngineFactory | None = None, total_bytes: int = 1 << 30) -> ScreenStore:
        """The next server; the one before is dead, whether it knows or not."""
        store = ScreenStore(
            self.screens,
            self.inflight,
            engines or self.engines,
            self.clock,
            self._start,
            total_bytes=total_bytes,
        )
        store.open()
        return store

    def restore(self, store: ScreenStore | None = None) -> RestoredScreen:
        return (store or self.server()).restore(P1, SIZE, LINES)

    async def written(self) -> None:
        """Wait for snapshots that are being written."""
        while self.running:
            await asyncio.wait(self.running)

    def _start(self, work: Coroutine[Any, Any, None], _: str) -> None:
        task = self._group.create_task(work)
        self.running.add(task)
        task.add_done_callback(self.running.discard)


@pytest.fixture
async def disk(tmp_path: Path, engines: GhosttyFactory) -> AsyncIterator[Disk]:
    async with asyncio.TaskGroup() as group:
        yield Disk(tmp_path, engines, group)


class Terminal:
    """A pane's engine with its journal, fed by a PTY stand-in: a pipe."""

    def __init__(self, disk: Disk, journal: PaneJournal, engine: TerminalEngine) -> None:
        self.journal = journal
        self.engine = engine
        self._reading, self._writing = os.pipe()

    def writes(self, data: bytes) -> None:
        """What the program wrote comes in."""
        os.write(self._writing, data)
        data = self.journal.read(self._reading, 65536)
        self.engine.feed(data)
        self.journal.grown(self.engine)

    def is_read(self, data: bytes) -> None:
        """The server dies when it has read, and before it knows."""
        for piece in (data[:100], data[100:]):
            os.write(self._writing, piece)
            if piece:
                self.journal.read(self._reading, 65536)

    def settles(self) -> None:
        """What was read gets into the journal, as it does when the buffer is full."""
        self.journal._settle_own()

    def resizes(self, cols: int, rows: int) -> None:
        self.journal.resized(cols, rows)
        self.engine.resize(cols, rows)

    def close(self) -> None:
        os.close(self._reading)
        os.close(self._writing)


@pytest.fixture
def begun(disk: Disk) -> Callable[..., Terminal]:
    def begin(store: ScreenStore | None = None) -> Terminal:
        journal = (store or disk.server()).begin(P1, *SIZE)
        return Terminal(disk, journal, disk.engines.new(*SIZE, scrollback_lines=LINES))

    return begin


def screen(engine: TerminalEngine) -> tuple[str, object]:
    """Without the scrollback, which is cut at other places where its limit is reached."""
    return engine.screen_text(unwrap=False), engine.cursor()


def same(first: TerminalEngine, second: TerminalEngine) -> bool:
    assert isinstance(first, GhosttyEngine)
    assert isinstance(second, GhosttyEngine)
    return seen(first) == seen(second)


def seen(engine: GhosttyEngine) -> State:
    """All that there is to see and that decides about what follows.

    The library's snapshots forget which blank cells of the scrollback were bold, so that a later change of the
    width may count a blank line of it more or less.
    """
    whole = state(engine)
    words = "\n".join(filter(None, whole.unwrapped.splitlines()))
    return replace(whole, scrollback_rows=0, wrapped="", unwrapped=words, sequences=b"")


@pytest.mark.parametrize("recording", recordings(), ids=lambda recording: recording.name)
async def test_at_any_cut_what_was_kept_and_what_follows_give_the_uninterrupted_screen(
    disk: Disk, recording: Recording
) -> None:
    random_ = random.Random(recording.name)
    for _ in range(4):
        shutil.rmtree(disk.screens, ignore_errors=True)
        await survives_a_cut(disk, recording.data, random_)


async def survives_a_cut(disk: Disk, data: bytes, random_: random.Random) -> None:
    plain = disk.engines.new(*SIZE, scrollback_lines=LINES)
    terminal = Terminal(disk, disk.server().begin(P1, *SIZE), disk.engines.new(*SIZE, scrollback_lines=LINES))
    cut = random_.randrange(len(data))
    at = 0
    while at < cut:
        piece = data[at : min(cut, at + random_.randrange(1, 5000))]
        at += len(piece)
        terminal.writes(piece)
        plain.feed(piece)
        match random_.randrange(4):
            case 0:
                cols, rows = random_.randrange(20, 120), random_.randrange(5, 50)
                terminal.resizes(cols, rows)
                plain.resize(cols, rows)
            case 1:
                terminal.journal.restart(terminal.engine)
                if random_.random() < 0.5:
                    await disk.written()
    read, ring, live = (data[cut : cut + 3000], data[cut + 3000 : cut + 9000], data[cut + 9000 :])
    terminal.is_read(read)
    terminal.close()
    await disk.written()

    store = disk.server()
    screen = disk.restore(store)
    journal = store.resume(P1, screen)

    assert screen.exact
    plain.feed(read)
    assert same(plain, screen.engine)
    for piece in (ring, live):
        journal.fed(piece)
        screen.engine.feed(piece)
        plain.feed(piece)
    assert same(plain, screen.engine)
    assert same(plain, disk.restore().engine)


async def test_a_long_journal_becomes_a_snapshot_and_a_short_one(
    disk: Disk, begun: Callable[..., Terminal]
) -> None:
    terminal = begun()
    disk.clock.jump(EVERY_S)
    line = b"a line of output\r\n" * 1000
    for _ in range(LONG_BYTES // len(line) + 10):
        terminal.writes(line)
    await disk.written()

    assert [path.name for path in sorted(disk.screens.iterdir())] == ["p1.1.journal", "p1.snapshot"]
    assert (disk.screens / "p1.1.journal").stat().st_size < LONG_BYTES
    assert screen(disk.restore().engine) == screen(terminal.engine)


async def test_a_terminal_that_the_library_makes_no_snapshot_of_has_a_short_journal_too(
    disk: Disk, begun: Callable[..., Terminal]
) -> None:
    terminal = begun()
    terminal.writes(UNSOUND + b"\x1b[?47l")
    terminal.resizes(41, 24)
    disk.clock.jump(EVERY_S)
    flood = b"x" * 32768
    for _ in range(LONG_BYTES // len(flood) + 2):
        terminal.writes(flood)
    await disk.written()
    terminal.writes(b"\x1b[Hend")

    assert (disk.screens / "p1.1.journal").stat().st_size < LONG_BYTES
    assert disk.restore().engine.all_rows()[0].text == terminal.engine.all_rows()[0].text == "end" + "x" * 38


async def test_a_sequence_without_end_makes_no_journal_longer_and_its_end_brings_a_snapshot(
    disk: Disk, begun: Callable[..., Terminal]
) -> None:
    terminal = begun()
    terminal.writes(b"before\x1b_G")
    disk.clock.jump(EVERY_S)
    for _ in range(4 * LONG_BYTES // 32768):
        terminal.writes(b"x" * 32768)
    journal = disk.screens / "p1.0.journal"
    restored = disk.restore()

    assert journal.stat().st_size < 2 * LONG_BYTES
    assert not restored.exact
    assert "too long" in restored.why
    assert screen(restored.engine) == screen(terminal.engine)

    terminal.writes(b"\x1b\\ after")
    await disk.written()
    restored = disk.restore()

    assert restored.exact
    assert restored.engine.all_rows()[0].text.rstrip() == "before after"
    assert not journal.exists()


async def test_during_a_flood_there_is_one_snapshot_a_second(
    disk: Disk, begun: Callable[..., Terminal]
) -> None:
    terminal = begun()
    for _ in range(2 * LONG_BYTES // 32768):
        terminal.writes(b"x" * 32768)
    await disk.written()

    assert [path.name for path in disk.screens.iterdir()] == ["p1.0.journal"]


async def test_while_somebody_types_in_any_pane_no_snapshot_holds_the_echo_up(
    disk: Disk, begun: Callable[..., Terminal]
) -> None:
    store = disk.server()
    terminal, typed_in = begun(store), store.begin(PaneId("p2"), *SIZE)
    flood = b"x" * 32768
    disk.clock.jump(EVERY_S)
    typed_in.typed()
    for _ in range(LONG_BYTES // len(flood) + 2):
        terminal.writes(flood)
    await disk.written()
    assert not (disk.screens / "p1.snapshot").exists()

    disk.clock.jump(TYPING_S)
    terminal.writes(flood)
    await disk.written()

    assert (disk.screens / "p1.snapshot").exists()


async def test_a_quiet_pane_gets_a_snapshot_that_other_engines_can_show(
    disk: Disk, begun: Callable[..., Terminal]
) -> None:
    terminal = begun()
    for _ in range(QUIET_BYTES // 3000):
        terminal.writes(b"\x1b[31mred words\x1b[m\r\n" * 200)
    terminal.journal.quiet(terminal.engine)
    await disk.written()
    terminal.writes(b"and some more")

    other = GhosttyFactory()
    other.build = "another"
    screen = disk.restore(disk.server(other))

    assert not screen.exact
    assert "another build" in screen.why
    assert screen.engine.screen_text(unwrap=False).rstrip().endswith("red words\nand some more")


async def test_a_quiet_pane_that_wrote_little_costs_no_snapshot(
    disk: Disk, begun: Callable[..., Terminal]
) -> None:
    terminal = begun()
    terminal.writes(b"a few words")
    terminal.journal.quiet(terminal.engine)
    await disk.written()

    assert [path.name for path in disk.screens.iterdir()] == ["p1.0.journal"]


@pytest.mark.parametrize("flip", [0, 20, 1000, -1])
async def test_a_snapshot_with_a_flipped_bit_is_refused_and_what_follows_is_shown(
    disk: Disk, begun: Callable[..., Terminal], flip: int
) -> None:
    terminal = begun()
    terminal.writes(b"before\r\n")
    terminal.journal.restart(terminal.engine)
    await disk.written()
    terminal.writes(b"after")
    data = bytearray((disk.screens / "p1.snapshot").read_bytes())
    data[flip] ^= 1
    (disk.screens / "p1.snapshot").write_bytes(data)

    screen = disk.restore()

    assert not screen.exact
    assert "damaged" in screen.why
    assert screen.engine.screen_text(unwrap=False).strip() == "after"


@pytest.mark.parametrize("cut", [1, 5, 12])
async def test_a_journal_that_was_cut_goes_on_from_its_last_whole_record(
    disk: Disk, begun: Callable[..., Terminal], cut: int
) -> None:
    terminal = begun()
    terminal.writes(b"kept ")
    terminal.settles()
    size = (disk.screens / "p1.0.journal").stat().st_size
    terminal.writes(b"lost ")
    terminal.settles()
    os.truncate(disk.screens / "p1.0.journal", size + cut)
    store = disk.server()

    journal = store.resume(P1, disk.restore(store))
    journal.fed(b"new")

    assert disk.restore().engine.screen_text(unwrap=False).strip() == "kept new"


async def test_nothing_is_taken_for_a_blank_screen(disk: Disk) -> None:
    screen = disk.restore()

    assert not screen.exact
    assert (screen.engine.cols, screen.engine.rows) == SIZE


async def test_title_and_directory_of_the_journal_are_told(
    disk: Disk, begun: Callable[..., Terminal]
) -> None:
    terminal = begun()
    terminal.writes(b"\x1b]2;my title\x07\x1b]7;file:///srv\x07")

    screen = disk.restore()

    assert (screen.title, screen.directory) == ("my title", "/srv")


async def test_what_is_written_is_private(disk: Disk, begun: Callable[..., Terminal]) -> None:
    terminal = begun()
    terminal.journal.restart(terminal.engine)
    await disk.written()

    assert disk.screens.stat().st_mode & 0o777 == 0o700
    modes = {path.stat().st_mode & 0o777 for path in (*disk.screens.iterdir(), disk.inflight)}
    assert modes == {0o600}


async def test_a_closed_pane_leaves_nothing(disk: Disk, begun: Callable[..., Terminal]) -> None:
    store = disk.server()
    terminal = begun(store)
    terminal.writes(b"words")
    store.forget(P1)

    assert list(disk.screens.iterdir()) == []


async def test_screens_of_panes_that_are_nowhere_go(disk: Disk, begun: Callable[..., Terminal]) -> None:
    begun()
    store = disk.server()
    store.begin(PaneId("p2"), *SIZE)

    store.drop_all_but({"p2"})

    assert [path.name for path in disk.screens.iterdir()] == ["p2.0.journal"]


async def test_a_crowded_disk_keeps_screens_without_scrollback(
    disk: Disk, begun: Callable[..., Terminal]
) -> None:
    terminal = begun(disk.server(total_bytes=1000))
    for number in range(100):
        terminal.writes(b"line %d\r\n" % number * 10)
    terminal.journal.restart(terminal.engine)
    await disk.written()

    snapshot = decoded((disk.screens / "p1.snapshot").read_bytes()).snapshot
    whole = terminal.engine.snapshot(with_history=True)
    assert whole is not None
    assert len(snapshot) < len(whole)
    assert disk.restore().engine.screen_text(unwrap=False) == terminal.engine.screen_text(unwrap=False)


async def test_a_full_disk_costs_the_screens_only_and_they_come_back_with_room(
    disk: Disk, begun: Callable[..., Terminal]
) -> None:
    store = disk.server()
    told: list[str] = []
    store.told = told.append
    terminal = begun(store)
    terminal.writes(b"before ")
    journal = terminal.journal._journal
    assert journal is not None
    full = os.open("/dev/full", os.O_WRONLY)
    own, journal._descriptor = journal._descriptor, full

    terminal.writes(b"while full ")
    terminal.settles()

    os.close(own)
    assert told == [f"screens are not kept in {disk.screens}: {os.strerror(errno.ENOSPC)}"]
    assert list(disk.screens.iterdir()) == []  # It would show a screen that was not.
    terminal.writes(b"and on")
    terminal.journal.quiet(terminal.engine)
    await disk.written()
    assert store.problem == ""
    screen = disk.restore()
    assert screen.exact
    assert screen.engine.screen_text(unwrap=False).strip() == "before while full and on"


async def test_a_directory_that_cannot_be_written_is_told_once(disk: Disk) -> None:
    disk.screens.write_text("in the way")
    told: list[str] = []
    store = ScreenStore(disk.screens, disk.inflight, disk.engines, disk.clock, disk._start)
    store.told = told.append
    store.open()

    journal = store.begin(P1, *SIZE)
    journal.fed(b"words")
    journal.quiet(disk.engines.new(*SIZE, scrollback_lines=10))
    store.forget(P1)

    assert len(told) >= 1
    assert told[0].startswith(f"screens are not kept in {disk.screens}")


async def test_a_screen_that_ends_the_server_again_and_again_is_put_aside(
    disk: Disk, begun: Callable[..., Terminal]
) -> None:
    begun().writes(b"poison")
    for _ in range(CRASHES):
        disk.server()._attempting(P1)  # And then the server crashes.
        disk.clock.jump(1)

    screen = disk.restore()

    assert not screen.exact
    assert "put aside" in screen.why
    assert screen.engine.screen_text(unwrap=False).strip() == ""
    assert [path.name for path in (disk.screens / "quarantine").iterdir()] == ["p1.0.journal"]


@pytest.mark.parametrize(
    "attempts",
    [
        [Attempt(pane="p1", at=0.0)] * CRASHES,
        [Attempt(pane="p2", at=1_700_000_000.0)] * CRASHES,
        [Attempt(pane="p1", at=1_700_000_000.0)] * (CRASHES - 1),
    ],
)
async def test_crashes_of_long_ago_or_of_another_pane_do_not_count(
    disk: Disk, begun: Callable[..., Terminal], attempts: list[Attempt]
) -> None:
    begun().writes(b"words")
    store = disk.server()
    store._attempts = attempts

    assert disk.restore(store).exact


async def test_a_clock_that_was_set_back_still_counts_crashes(
    disk: Disk, begun: Callable[..., Terminal]
) -> None:
    begun().writes(b"poison")
    store = disk.server()
    store._attempts = [Attempt(pane="p1", at=disk.clock.now() + WITHIN_S / 2)] * CRASHES

    assert not disk.restore(store).exact


async def test_a_restore_that_succeeds_is_no_crash(disk: Disk, begun: Callable[..., Terminal]) -> None:
    begun().writes(b"words")
    for _ in range(CRASHES + 1):
        assert disk.restore().exact


def test_a_snapshot_of_other_bytes_is_damaged(engines: GhosttyFactory) -> None:
    from orca_tui.server.persist_snapshot import Damaged, ScreenSnapshot

    whole = encoded(ScreenSnapshot(build="b", generation=1, cols=1, rows=1, snapshot=b"x" * 50))
    assert decoded(whole).snapshot == b"x" * 50
    for at in range(len(whole)):
        for damaged in (whole[:at], whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :]):
            with pytest.raises(Damaged):
                decoded(damaged)
