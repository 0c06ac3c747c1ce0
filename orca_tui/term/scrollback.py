"""How many bytes the engine needs for the lines of scrollback that were asked for.

Its limit by lines would be exact, but makes scrolling 5 to 13 times slower than its limit by bytes.
"""

from __future__ import annotations

from orca_tui.term.cells import CELL_BYTES

ROW_OVERHEAD_BYTES = 64
"""Roughly what the engine keeps for a row beside its cells."""

ALLOWANCE = 3, 2
"""Heavily colored lines need up to half as much again; with it, even these are kept."""

PAGE_BYTES = 512 * 1024
"""Over its limit the engine drops a whole page, which is not much smaller than this."""


def limit_for_lines(lines: int, cols: int) -> int:
    """The limit in bytes that keeps `lines` lines of `cols` cells."""
    if lines == 0:
        return 0
    return PAGE_BYTES + lines * (cols * CELL_BYTES + ROW_OVERHEAD_BYTES) * ALLOWANCE[0] // ALLOWANCE[1]


def lines_of_limit(limit_bytes: int, cols: int) -> int:
    """The lines that the limit was made for: a snapshot holds only the bytes."""
    line_bytes = ALLOWANCE[0] * (cols * CELL_BYTES + ROW_OVERHEAD_BYTES)
    return -(-max(limit_bytes - PAGE_BYTES, 0) * ALLOWANCE[1] // line_bytes)
