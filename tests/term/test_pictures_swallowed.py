"""Pictures that a pane cannot show are swallowed whole: no stray cell, no answer, no file opened, no memory kept."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.ghostty_engine import GhosttyEngine
from tests.term.terminals import state

PIXELS = b64encode(b"\xff\x00\x00" * 100)
"""Ten by ten, red."""

IN_OPEN = 0x20
INOTIFY_EVENT = struct.Struct("iIII")
"""https://man7.org/linux/man-pages/man7/inotify.7.html"""

MIB = 1 << 20
MORE_MIB = {"kitty": 40, "kitty chunks": 40, "sixel": 10, "iterm2": 40}
"""By itself the library would keep 64 MiB of a kitty image."""


def kitty(control: str, payload: bytes = b"") -> bytes:
    return b"\x1b_G%s;%s\x1b\\" % (control.encode(), payload)


PICTURES = {
    "kitty query": kitty("i=31,s=1,v=1,a=q,t=d,f=24", b"AAAA"),
    "kitty direct": kitty("a=T,f=24,s=10,v=10,i=3", PIXELS),
    "kitty chunks": kitty("a=T,f=24,s=10,v=10,i=4,m=1", PIXELS[:200]) + kitty("m=0", PIXELS[200:]),
    "kitty by number": kitty("a=t,f=24,s=10,v=10,I=13", PIXELS) + kitty("a=p,I=13,c=4,r=2"),
    "kitty display": kitty("a=p,i=3,c=4,r=2"),
    "kitty virtual": kitty("a=p,U=1,i=3,c=4,r=2"),
    "kitty delete": kitty("a=d,d=A") + b"\x1b_Ga=d,d=i,i=3\x1b\\",
    "kitty animation": kitty("a=f,i=3,s=10,v=10,f=24", PIXELS) + b"\x1b_Ga=a,i=3,s=3\x1b\\",
    "kitty without end": b"\x1b_Ga=T,f=24,s=10,v=10;" + PIXELS + b"\x18",
    "sixel": b'\x1bPq"1;1;40;40#0;2;0;0;0#0!40~-!40~-\x1b\\',
    "sixel with parameters": b'\x1bP0;1;0q"1;1;4000;4000#1;2;100;0;0#1!4000~$-\x1b\\',
    "sixel cut": b'\x1bPq"1;1;40;40#0;2;0;0;0#0!40~-!4\x18',
    "iterm2": b"\x1b]1337;File=name=eA==;inline=1;width=10;height=4:" + PIXELS + b"\x07",
    "iterm2 with ST": b"\x1b]1337;File=inline=1:" + PIXELS + b"\x1b\\",
    "iterm2 multipart": b"\x1b]1337;MultipartFile=name=eA==;inline=1\x07\x1b]1337;FilePart="
    + PIXELS
    + b"\x07\x1b]1337;FileEnd\x07",
    "regis": b"\x1bP0p S(E)P[0,0]V[100,100]\x1b\\",
}

ENDLESS = {
    "kitty": b"\x1b_Ga=T,f=24,s=5000,v=5000;",
    "kitty chunks": b"\x1b_Ga=t,f=24,s=5000,v=5000,m=1;AAAA\x1b\\",
    "sixel": b'\x1bPq"1;1;40;40',
    "iterm2": b"\x1b]1337;File=inline=1:",
}

ENDLESS_PIECE = {name: b"A" * MIB for name in ENDLESS} | {
    "kitty chunks": kitty("m=1", b"A" * 4096) * (MIB // 4096),
}


@pytest.fixture
def engine(factory: GhosttyFactory) -> Iterator[GhosttyEngine]:
    made = factory.new(40, 10, scrollback_lines=1000)
    yield made
    made.close()


def every_cut(sequence: bytes) -> Iterator[tuple[bytes, bytes]]:
    for cut in range(len(sequence) + 1):
        yield b"\x1b[1;31mab" + sequence[:cut], sequence[cut:] + b"cd\x1b[m\r\n"


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_leaves_no_trace_in_any_engine_however_it_is_cut(
    factory: GhosttyFactory, engine: GhosttyEngine, name: str
) -> None:
    viewing, without = (factory.new(40, 10, scrollback_lines=1000) for _ in range(2))
    for pieces in every_cut(PICTURES[name]):
        outputs = [engine.feed(piece) for piece in pieces]
        for output in outputs:
            viewing.apply(output.applied)
        without.feed(b"\x1b[1;31mabcd\x1b[m\r\n")

        assert [(output.replies, output.facts) for output in outputs] == [(b"", ())] * 2
    assert state(engine) == state(viewing) == state(without)
    assert set(engine.history_text(unwrap=False).split()) == {"abcd"}


@pytest.mark.parametrize("name", PICTURES)
def test_a_screen_that_is_restored_inside_a_picture_swallows_the_rest(
    factory: GhosttyFactory, engine: GhosttyEngine, name: str
) -> None:
    for before, after in list(every_cut(PICTURES[name]))[::7]:
        engine.feed(before)
        snapshot = engine.snapshot(with_history=True)
        assert snapshot is not None
        restored = factory.restore(snapshot)
        restored.feed(after)
        engine.feed(after)

        assert state(restored) == state(engine)
        restored.close()


@pytest.mark.parametrize("name", ENDLESS)
def test_a_picture_without_end_is_not_kept(engine: GhosttyEngine, name: str) -> None:
    process = psutil.Process()
    piece = ENDLESS_PIECE[name]
    engine.feed(ENDLESS[name] + piece)
    before = process.memory_info().rss
    for _ in range(MORE_MIB[name]):
        engine.feed(piece)

    assert process.memory_info().rss - before < 8 * MIB
    assert engine.feed(b"\x1b\\text").replies == b""
    assert engine.screen_text(unwrap=False) == "text"


@pytest.mark.parametrize("medium", ["f", "t"])
def test_a_file_that_a_program_names_is_left_alone(
    engine: GhosttyEngine, tmp_path: Path, medium: str
) -> None:
    picture = tmp_path / "tty-graphics-protocol.rgb"
    picture.write_bytes(b"\xff\x00\x00" * 100)
    feed_named(engine, medium, str(picture))

    assert picture.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="nothing else tells who opens a file")
def test_what_a_program_names_is_not_opened(engine: GhosttyEngine, tmp_path: Path) -> None:
    file = tmp_path / "tty-graphics-protocol.rgb"
    memory = Path(f"/dev/shm/orca-tui-test-{os.getpid()}")
    for path in (file, memory):
        path.write_bytes(b"\xff\x00\x00" * 100)
    try:
        with opens_of(file, memory) as told:
            feed_named(engine, "f", str(file))
            feed_named(engine, "t", str(file))
            feed_named(engine, "s", memory.name)
            assert told() == 0
            file.read_bytes()

            assert told() == 1
            assert memory.exists()
    finally:
        memory.unlink()


def feed_named(engine: GhosttyEngine, medium: str, name: str) -> None:
    for action in "qtT":
        engine.feed(kitty(f"a={action},i=9,f=24,s=10,v=10,t={medium}", b64encode(name.encode())))


@contextmanager
def opens_of(*paths: Path) -> Iterator[Callable[[], int]]:
    """How often these files were opened since it was last asked."""
    libc = ctypes.CDLL(None, use_errno=True)
    watch = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    assert watch >= 0
    for path in paths:
        assert libc.inotify_add_watch(watch, os.fsencode(path), IN_OPEN) >= 0

    def told() -> int:
        try:
            return len(os.read(watch, 4096)) // INOTIFY_EVENT.size
        except BlockingIOError:
            return 0

    try:
        yield told
    finally:
        os.close(watch)
