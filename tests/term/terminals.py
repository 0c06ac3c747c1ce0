"""What tests of the engine share: recordings, whole states to compare, and a slow reader of rows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from orca_tui.term.engine import Cursor, InputModes, Row
from orca_tui.term.ghostty import GhosttyEngine
from orca_tui.term.ghostty_snapshot import continuation

RECORDINGS = Path(__file__).parent.parent / "captured" / "pty"

PROBES = (
    b"\x1b[6n\x1b[?6n\x1b[?u\x1b[c"
    b"\x1bP$qm\x1b\\\x1bP$qr\x1b\\\x1bP$qs\x1b\\\x1bP$q q\x1b\\"
    b"\x1b]4;0;?;1;?;15;?\x07\x1b]10;?\x07\x1b]11;?\x07\x1b]12;?\x07"
) + b"".join(
    b"\x1b[?%d$p" % mode
    for mode in (
        1,
        3,
        5,
        6,
        7,
        12,
        25,
        40,
        45,
        66,
        67,
        69,
        1000,
        1002,
        1003,
        1004,
        1006,
        1007,
        1016,
        2004,
        2026,
        2027,
    )
)
"""Queries whose answers tell the state that no method of the engine does."""


@dataclass(frozen=True)
class Recording:
    name: str
    cols: int
    rows: int
    data: bytes


def recordings() -> list[Recording]:
    """What real agents wrote to their terminals."""
    found = []
    for path in sorted(RECORDINGS.glob("*.bin")):
        size = msgspec.json.decode(path.with_suffix(".json").read_bytes())
        found.append(Recording(path.stem, size["cols"], size["rows"], path.read_bytes()))
    return found


@dataclass(frozen=True)
class State:
    """Everything of an engine that can be compared."""

    size: tuple[int, int]
    rows: list[Row]
    cursor: Cursor
    modes: InputModes
    held: bool
    scrollback_rows: int
    wrapped: str
    unwrapped: str
    sequences: bytes
    """Palette, modes, margins, tab stops, directory, keyboard, charsets and styles as well."""
    unfinished: bytes
    title: str


def state(engine: GhosttyEngine) -> State:
    lib = engine._library.lib
    return State(
        size=(engine.cols, engine.rows),
        rows=engine.all_rows(),
        cursor=engine.cursor(),
        modes=engine.modes(),
        held=engine.held(),
        scrollback_rows=engine.scrollback_rows(),
        wrapped=engine.history_text(unwrap=False),
        unwrapped=engine.history_text(unwrap=True),
        sequences=engine.vt_text(),
        unfinished=continuation(engine._library, engine._terminal),
        title=engine._callbacks._told(engine._terminal, lib.GHOSTTY_TERMINAL_DATA_TITLE),
    )


def screen(engine: GhosttyEngine) -> tuple[list[Row], Cursor, InputModes]:
    """What a person sees of an engine, and how their keys are encoded."""
    return engine.all_rows(), engine.cursor(), engine.modes()


def texts(engine: GhosttyEngine) -> list[str]:
    """The visible rows without styles and trailing blanks."""
    return [row.text.rstrip() for row in engine.all_rows()]


UNSOUND = b"\x1b[?47h\x1bV" + "漢".encode() * 40 + b"\x1bW"
"""At 80 columns, and then narrowed to 41, a terminal that the library makes no snapshot of: what is left of the cut
character is guarded against erasure."""
