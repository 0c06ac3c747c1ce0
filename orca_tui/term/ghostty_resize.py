"""Changes a terminal's size so that its state can still be told: the library makes no snapshot of a screen on
which a wide character has lost its other half.

Rule 1: the primary screen is always reflowed, which cuts no character and loses none; by itself the library cuts
it off while autowrap is off.
Rule 2: the alternate screen is cut off, and what is left of a character that was cut is erased.
Rule 3: an unfinished sequence is not disturbed: the erasing waits for its end.
"""

from __future__ import annotations

from collections.abc import Iterator

from orca_tui.term.cells import WIDE, WIDE_MASK, WIDE_SHIFT, WIDE_SPACER_TAIL
from orca_tui.term.engine import CELL_PX
from orca_tui.term.ghostty_format import cell_ref, pen_sequences
from orca_tui.term.ghostty_library import CData, GhosttyLibrary
from orca_tui.term.ghostty_modes import AUTOWRAP, ORIGIN, TerminalModes
from orca_tui.term.ghostty_numbers import TerminalNumbers
from orca_tui.term.ghostty_snapshot import is_sound
from orca_tui.term.workarounds import (
    ERASE_CELL,
    NORMAL_PEN,
    ORIGIN_OFF,
    ORIGIN_ON,
    TO_ALTERNATE,
    TO_PRIMARY,
    Write,
    move_to,
)


class Resizer:
    """The size of one terminal."""

    def __init__(self, library: GhosttyLibrary, terminal: CData, modes: TerminalModes) -> None:
        self._library, self._terminal = library, terminal
        self._modes = modes
        self._numbers = TerminalNumbers(library, terminal)
        self._cut = False
        """Characters may have been cut since the screens were last looked at."""

    def resize(self, cols: int, rows: int) -> None:
        """Change the size; `mend` is to follow. Raises `MemoryError`."""
        self._cut = True  # Even when it gets wider: it may take back a program's own switch to fewer columns.
        as_is = self._modes.is_set(AUTOWRAP)
        self._modes.set(AUTOWRAP, True)
        failed = self._library.lib.ghostty_terminal_resize(self._terminal, cols, rows, *CELL_PX)
        self._modes.set(AUTOWRAP, as_is)
        if failed:
            raise MemoryError(f"the terminal engine has no memory for {cols} x {rows} cells")

    def mend(self, write: Write) -> bytes:
        """Erase what is left of cut characters; what was written. Cursor, pen and modes are as before, but the next
        character does not wrap if that was due."""
        if not self._cut or self._modes.in_sequence():
            return b""
        self._cut = False
        if is_sound(self._library, self._terminal):
            return b""
        written = self._erase_halves(write)
        if not self._modes.alternate_screen() and not is_sound(self._library, self._terminal):
            written += write(TO_ALTERNATE) + self._erase_halves(write) + write(TO_PRIMARY)
        return written

    def _erase_halves(self, write: Write) -> bytes:
        """On the screen that is shown."""
        erasures = b"".join(move_to(x, y) + ERASE_CELL for x, y in self._halves())
        if not erasures:
            return b""
        (x, y), pen = self._numbers.cursor, pen_sequences(self._library, self._terminal)
        if not self._modes.is_set(ORIGIN):
            return write(NORMAL_PEN + erasures + pen + move_to(x, y))
        written = write(ORIGIN_OFF + NORMAL_PEN + erasures + pen + ORIGIN_ON)
        left, top = self._numbers.cursor  # Where the mode has its origin, and the cursor is when it begins.
        return written + write(move_to(x - left, y - top))

    def _halves(self) -> Iterator[tuple[int, int]]:
        """Column and row of each cell that is half a character."""
        cols = self._numbers.cols
        for y in range(self._numbers.rows):
            widths = [self._width(x, y) for x in range(cols)]
            for x, width in enumerate(widths):
                headless = width == WIDE_SPACER_TAIL and (x == 0 or widths[x - 1] != WIDE)
                tailless = width == WIDE and (x + 1 == cols or widths[x + 1] != WIDE_SPACER_TAIL)
                if headless or tailless:
                    yield x, y

    def _width(self, x: int, y: int) -> int:
        """Which part of a character is in a cell of the screen: `WIDE`, `WIDE_SPACER_TAIL` ..."""
        library = self._library
        cell = library.ffi.new("GhosttyCell*")
        ref = cell_ref(library, self._terminal, library.lib.GHOSTTY_POINT_TAG_ACTIVE, x, y)
        if ref is None or library.lib.ghostty_grid_ref_cell(ref, cell):
            return 0
        return int(cell[0] >> WIDE_SHIFT) & WIDE_MASK
