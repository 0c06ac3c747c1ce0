"""DECRQCRA: the checksum of a rectangle of cells. By it a conformance test reads the screen it has written.

https://vt100.net/docs/vt510-rm/DECRQCRA.html says what is asked; what is summed up is what xterm sums: the
characters and, as bits, the attributes that a VT420 has; the sum is told as its negative in 16 bits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from orca_tui.term.ghostty_format import cell_ref
from orca_tui.term.ghostty_library import CData, GhosttyLibrary

BLANK = 0x20
"""What a cell counts that nothing was written to."""

ATTRIBUTE_BITS = (
    ("invisible", 0x08),
    ("underline", 0x10),
    ("inverse", 0x20),
    ("blink", 0x40),
    ("bold", 0x80),
)
PROTECTED_BIT = 0x04

MARGINS = re.compile(rb"\x1bP1\$r(\d+);(\d+)([rs])\x1b\\")
"""The answers to `ASK_MARGINS`; there are none for the sides while mode 69 is off."""

MOST_CODEPOINTS = 64
"""The engine keeps no more in a cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """Cells from 0, both ends included; empty when an end lies before its beginning."""

    top: int
    left: int
    bottom: int
    right: int


def area_asked(numbers: tuple[int, ...], cols: int, rows: int, margins: bytes) -> Area:
    """The area in the numbers of a request: id, page (there is one), top, left, bottom, right.

    In origin mode `margins` holds the answers to `ASK_MARGINS`, and the numbers count from those.
    """
    told = {kind: (int(first) - 1, int(last) - 1) for first, last, kind in MARGINS.findall(margins)}
    first_row, last_row = told.get(b"r", (0, rows - 1))
    first_col, last_col = told.get(b"s", (0, cols - 1))
    top, left, bottom, right = (*numbers[2:6], 0, 0, 0, 0)[:4]
    return Area(
        top=first_row + max(top, 1) - 1,
        left=first_col + max(left, 1) - 1,
        bottom=min(first_row + bottom - 1, last_row) if bottom else last_row,
        right=min(first_col + right - 1, last_col) if right else last_col,
    )


def checksum_report(library: GhosttyLibrary, terminal: CData, request: int, area: Area) -> bytes:
    """The answer to a request of that id."""
    cells = CellSums(library, terminal)
    total = sum(
        cells.sum_of(x, y) for y in range(area.top, area.bottom + 1) for x in range(area.left, area.right + 1)
    )
    return b"\x1bP%d!~%04X\x1b\\" % (request, -total & 0xFFFF)


class CellSums:
    """What the cells of the active screen add to a checksum, each asked for by itself."""

    def __init__(self, library: GhosttyLibrary, terminal: CData) -> None:
        ffi = library.ffi
        self._library, self._terminal = library, terminal
        self._codepoints = ffi.new("uint32_t[]", MOST_CODEPOINTS)
        self._count = ffi.new("size_t*")
        self._style = ffi.new("GhosttyStyle*", {"size": ffi.sizeof("GhosttyStyle")})
        self._cell, self._protected = ffi.new("GhosttyCell*"), ffi.new("bool*")

    def sum_of(self, x: int, y: int) -> int:
        lib = self._library.lib
        ref = cell_ref(self._library, self._terminal, lib.GHOSTTY_POINT_TAG_ACTIVE, x, y)
        if ref is None:
            return 0
        self._count[0] = 0
        lib.ghostty_grid_ref_graphemes(ref, self._codepoints, MOST_CODEPOINTS, self._count)
        characters = sum(self._codepoints[0 : self._count[0]]) or BLANK
        lib.ghostty_grid_ref_style(ref, self._style)
        attributes = sum(bit for name, bit in ATTRIBUTE_BITS if getattr(self._style, name))
        lib.ghostty_grid_ref_cell(ref, self._cell)
        lib.ghostty_cell_get(self._cell[0], lib.GHOSTTY_CELL_DATA_PROTECTED, self._protected)
        return int(characters) + attributes + (PROTECTED_BIT if self._protected[0] else 0)
