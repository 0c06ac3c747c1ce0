"""Recordings of real agents: the same screens however their output is cut, and nothing of them left behind.

The screens in `tests/captured/pty/golden` were compared with what tmux shows of the same bytes when they were taken.
`python -m tests.term.test_recordings` takes them anew; they are read before they are committed.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from orca_tui.term.engine import InputModes
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.ghostty_engine import GhosttyEngine
from tests.term.terminals import RECORDINGS, Recording, recordings, screen, texts

GOLDEN = RECORDINGS / "golden"
LARGEST_CHUNK = 9000
DRAWN = re.compile("(?:[^\x00-\x1f\x7f-\x9f]|\x1b\\[[0-9;:]*m)*")
"""All that a row may write to the outer terminal: text and SGR."""


def chunks(data: bytes, random_: random.Random) -> Iterator[bytes]:
    while data:
        size = random_.randrange(1, LARGEST_CHUNK)
        yield data[:size]
        data = data[size:]


def moments(recording: Recording) -> list[int]:
    """Offsets at which the screen is looked at: before the longest silence, and at the end."""
    told = msgspec.json.decode((RECORDINGS / f"{recording.name}.json").read_bytes())
    read = [(at, offset + length) for at, offset, length in told["chunks_t_off_len"]]
    silences = [(later[0] - earlier[0], earlier[1]) for earlier, later in pairwise(read)]
    return sorted({max(silences)[1], len(recording.data)} if silences else {len(recording.data)})


def looked_at(engine: GhosttyEngine, recording: Recording, random_: random.Random) -> str:
    """The screens of all moments as text."""
    parts, before = [], 0
    for offset in moments(recording):
        for chunk in chunks(recording.data[before:offset], random_):
            engine.feed(chunk)
        before = offset
        shown = "\n".join(texts(engine)).rstrip()
        parts.append(f"== after {offset} bytes\n{shown}\n")
    return "\n".join(parts)


def new(factory: GhosttyFactory, recording: Recording) -> GhosttyEngine:
    return factory.new(recording.cols, recording.rows, scrollback_lines=1000)


every_recording = pytest.mark.parametrize("recording", recordings(), ids=lambda recording: recording.name)


@every_recording
def test_the_screens_of_marked_moments_are_the_golden_ones(
    factory: GhosttyFactory, recording: Recording
) -> None:
    shown = looked_at(new(factory, recording), recording, random.Random(recording.name))

    assert shown == (GOLDEN / f"{recording.name}.txt").read_text(encoding="utf-8")


@every_recording
def test_random_chunks_and_the_whole_give_the_same_screen(
    factory: GhosttyFactory, recording: Recording
) -> None:
    whole, cut = new(factory, recording), new(factory, recording)
    whole.feed(recording.data)
    for chunk in chunks(recording.data, random.Random(len(recording.data))):
        cut.feed(chunk)

    assert screen(cut) == screen(whole)
    assert cut.history_text(unwrap=False) == whole.history_text(unwrap=False)


@every_recording
def test_after_its_end_nothing_of_it_is_left_on(factory: GhosttyFactory, recording: Recording) -> None:
    engine = new(factory, recording)
    engine.feed(recording.data)

    engine.feed(engine.reset_modes_bytes())

    assert engine.modes() == InputModes()
    assert not engine.held()
    assert engine.cursor().visible
    assert engine.reset_modes_bytes() == b""


@every_recording
def test_its_rows_write_text_and_colours_to_the_outer_terminal_and_nothing_else(
    factory: GhosttyFactory, recording: Recording
) -> None:
    engine = new(factory, recording)
    for chunk in chunks(recording.data, random.Random(3)):
        engine.feed(chunk)
        for _, row in engine.dirty_rows():
            assert DRAWN.fullmatch(row.ansi)
            assert row.ansi.count("\x1b[m") * 2 == row.ansi.count("\x1b[")


def take_anew(folder: Path) -> None:
    """Write the golden screens."""
    factory = GhosttyFactory()
    folder.mkdir(exist_ok=True)
    for recording in recordings():
        shown = looked_at(new(factory, recording), recording, random.Random(0))
        (folder / f"{recording.name}.txt").write_text(shown, encoding="utf-8")


if __name__ == "__main__":
    take_anew(GOLDEN)
