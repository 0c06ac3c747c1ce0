"""Carries out a program's picture commands in a terminal: cells are written at the cursor, answers and facts told.

What is written is returned, for engines that follow. Pen and modes are as before; the cursor is where the protocol
has it: behind the last row of the picture, in the next line when there is no room, or where it was.
"""

from __future__ import annotations

import secrets

from orca_tui.term.engine import Picture, PicturesChanged
from orca_tui.term.ghostty_callbacks import Outbox
from orca_tui.term.ghostty_format import pen_sequences
from orca_tui.term.ghostty_library import CData, GhosttyLibrary
from orca_tui.term.ghostty_modes import AUTOWRAP, TerminalModes
from orca_tui.term.ghostty_numbers import TerminalNumbers
from orca_tui.term.pictures.cells import color_sgr, placeholder
from orca_tui.term.pictures.scan import PictureSeen
from orca_tui.term.pictures.showing import NUMBER_BITS, OURS, Showing, Taken
from orca_tui.term.pictures.store import PictureStore, ReadMedium
from orca_tui.term.workarounds import NORMAL_PEN, Write

ANSI_MODE = 1 << 15
"""Marks a mode of the library as one that is not private."""
INSERT = 4 | ANSI_MODE

WRAP_OFF, WRAP_ON = b"\x1b[?7l", b"\x1b[?7h"
INSERT_OFF, INSERT_ON = b"\x1b[4l", b"\x1b[4h"
INDEX = b"\x1bD"
"""One line down; at the bottom everything scrolls."""
DOWN = b"\x1b[B"
TO_BOTTOM = b"\x1b[9999B"
"""As far down as the screen, or its region that scrolls, goes."""


def new_store(read: ReadMedium) -> PictureStore:
    """The store of a new terminal, on whose screen there may be cells of an earlier one."""
    return PictureStore(secrets.randbelow(1 << NUMBER_BITS), read)


class PictureHands:
    """The pictures of one terminal; without a store there are none."""

    def __init__(
        self, library: GhosttyLibrary, terminal: CData, modes: TerminalModes, store: PictureStore | None
    ) -> None:
        self._library, self._terminal = library, terminal
        self._modes = modes
        self._numbers = TerminalNumbers(library, terminal)
        self._store = store

    def take(self, seen: PictureSeen, outbox: Outbox, write: Write) -> bytes:
        """Carry a command out; what was written to the terminal."""
        if self._store is None:
            return b""
        taken = self._store.take(seen)
        self._tell(taken, outbox)
        return self._shown(taken.showing, write) if taken.showing is not None else b""

    def answer(self, shown: bool) -> None:
        """See `TerminalEngine.answer_pictures`."""
        if self._store is not None:
            self._store.seen = shown

    def reset(self, outbox: Outbox) -> None:
        """The terminal was reset."""
        if self._store is not None:
            self._tell(self._store.reset(), outbox)

    def picture(self, image: int, placement: int) -> Picture | None:
        """See `TerminalEngine.picture`."""
        return self._store.picture(image, placement) if self._store is not None else None

    def close(self) -> None:
        """The terminal is freed: forget all pictures."""
        self._store = None

    def _tell(self, taken: Taken, outbox: Outbox) -> None:
        if taken.changed:
            outbox.facts.append(PicturesChanged(images=tuple(sorted(taken.changed))))
        if taken.answer:
            outbox.replies.append(taken.answer)

    def _shown(self, showing: Showing, write: Write) -> bytes:
        """Write a picture's cells."""
        modes = ((AUTOWRAP, WRAP_OFF, WRAP_ON), (INSERT, INSERT_OFF, INSERT_ON))
        changed = [(off, on) for mode, off, on in modes if self._modes.is_set(mode)]
        pen = pen_sequences(self._library, self._terminal)
        parts = [NORMAL_PEN, *(off for off, _ in changed), color_sgr(38, showing.number).encode()]
        before = write(b"".join(parts))
        cells = self._placed(showing, write) if showing.keep_cursor else self._flowing(showing, write)
        return before + cells + write(b"".join([pen, *(on for _, on in changed)]))

    def _flowing(self, showing: Showing, write: Write) -> bytes:
        """All rows, for which lines scroll away; the cursor goes behind the last one."""
        (x, _), width = self._numbers.cursor, self._numbers.cols
        cols = min(showing.cols, width - x)
        lines = (_cells(row, cols) for row in range(showing.rows))
        end = _column(x + cols) if x + cols < width else b"\r" + INDEX
        return write((_column(x) + INDEX).join(lines) + end)

    def _placed(self, showing: Showing, write: Write) -> bytes:
        """As many rows as there is room for; nothing scrolls, and the cursor stays."""
        x, y = self._numbers.cursor
        down = write(TO_BOTTOM)
        room = self._numbers.cursor[1] - y
        cols, rows = min(showing.cols, self._numbers.cols - x), min(showing.rows, room + 1)
        lines = (_cells(row, cols) for row in range(rows))
        back = _up(rows - 1) + _column(x)
        return down + write(_up(room) + _column(x) + (_column(x) + DOWN).join(lines) + back)


def _cells(row: int, cols: int) -> bytes:
    return "".join(placeholder(row, col, OURS) for col in range(cols)).encode()


def _column(x: int) -> bytes:
    return b"\x1b[%dG" % (x + 1)


def _up(rows: int) -> bytes:
    return b"\x1b[%dA" % rows if rows else b""
