"""The numbers that a terminal tells of itself: its size, the cursor's cell, its scrollback. Asked for each time."""

from __future__ import annotations

from orca_tui.term.ghostty_library import CData, GhosttyLibrary

MAX_SIDE = 4096
"""More columns or rows than any screen has; the engine would take 65,535, and all the memory there is."""


def within_limits(side: int) -> int:
    """The nearest number of columns or rows that a terminal can have."""
    return min(max(side, 1), MAX_SIDE)


class TerminalNumbers:
    """Those of one terminal; all are 0 for one that is freed, whose pointer is NULL."""

    def __init__(self, library: GhosttyLibrary, terminal: CData) -> None:
        self._lib, self._terminal = library.lib, terminal
        self._short, self._size = library.ffi.new("uint16_t*"), library.ffi.new("size_t*")

    @property
    def cols(self) -> int:
        return self._told_short(self._lib.GHOSTTY_TERMINAL_DATA_COLS)

    @property
    def rows(self) -> int:
        return self._told_short(self._lib.GHOSTTY_TERMINAL_DATA_ROWS)

    @property
    def cursor(self) -> tuple[int, int]:
        """Column and row of the active screen, from 0."""
        lib = self._lib
        return self._told_short(lib.GHOSTTY_TERMINAL_DATA_CURSOR_X), self._told_short(
            lib.GHOSTTY_TERMINAL_DATA_CURSOR_Y
        )

    @property
    def scrollback_rows(self) -> int:
        return self._told_size(self._lib.GHOSTTY_TERMINAL_DATA_SCROLLBACK_ROWS)

    @property
    def scrollback_max_bytes(self) -> int:
        return self._told_size(self._lib.GHOSTTY_TERMINAL_DATA_SCROLLBACK_MAX_BYTES)

    def _told_short(self, data: int) -> int:
        self._short[0] = 0
        self._lib.ghostty_terminal_get(self._terminal, data, self._short)
        return int(self._short[0])

    def _told_size(self, data: int) -> int:
        self._size[0] = 0
        self._lib.ghostty_terminal_get(self._terminal, data, self._size)
        return int(self._size[0])
