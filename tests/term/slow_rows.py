"""Rows read cell by cell with one call each: slow, and simple enough to be believed."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from orca_tui.term.cell_style import COLOR_PALETTE, COLOR_RGB, background_style, sgr
from orca_tui.term.engine import Row
from orca_tui.term.ghostty import GhosttyEngine


class SlowReader:
    """Its own render state, so that it shares nothing with the reader that it checks."""

    def __init__(self, engine: GhosttyEngine) -> None:
        self.ffi, self.lib = engine._library.ffi, engine._library.lib
        self.terminal = engine._terminal
        self.state = self.made("GhosttyRenderState*", self.lib.ghostty_render_state_new)
        self.rows = self.made(
            "GhosttyRenderStateRowIterator*", self.lib.ghostty_render_state_row_iterator_new
        )
        self.cells = self.made("GhosttyRenderStateRowCells*", self.lib.ghostty_render_state_row_cells_new)

    def made(self, kind: str, maker: Any) -> Any:
        out = self.ffi.new(kind)
        assert maker(self.ffi.NULL, out) == 0
        return out

    def close(self) -> None:
        self.lib.ghostty_render_state_row_cells_free(self.cells[0])
        self.lib.ghostty_render_state_row_iterator_free(self.rows[0])
        self.lib.ghostty_render_state_free(self.state[0])

    def read(self) -> list[Row]:
        lib = self.lib
        assert lib.ghostty_render_state_update(self.state[0], self.terminal) == 0
        lib.ghostty_render_state_get(self.state[0], lib.GHOSTTY_RENDER_STATE_DATA_ROW_ITERATOR, self.rows)
        found = []
        while lib.ghostty_render_state_row_iterator_next(self.rows[0]):
            found.append(self.row())
        return found

    def row(self) -> Row:
        lib, view = self.lib, self.ffi.new("GhosttyCellsView*")
        lib.ghostty_render_state_row_get(self.rows[0], lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS_RAW, view)
        lib.ghostty_render_state_row_get(self.rows[0], lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS, self.cells)
        cells = [self.cell(x, int(view.ptr[x])) for x in range(view.len)]
        runs, ansi = [], []
        for raw, group in groupby(cells, key=lambda cell: cell[1]):
            text = "".join(char for char, _ in group)
            runs.append((text, raw))
            ansi.append(f"{sgr(raw)}{text}\x1b[m" if raw else text)
        return Row(tuple(runs), "".join(ansi), "".join(char for char, _ in cells))

    def cell(self, x: int, bits: int) -> tuple[str, bytes]:
        """The characters and the raw style of one cell; no character in the right half of a wide one."""
        tag, content, wide = bits & 3, bits >> 2 & 0xFFFFFF, bits >> 42 & 3
        if tag == 2:
            return " ", background_style(COLOR_PALETTE, content)
        if tag == 3:
            return " ", background_style(COLOR_RGB, content)
        if wide == 2:
            return "", self.style(x)
        return self.cluster(x) or " ", self.style(x)

    def cluster(self, x: int) -> str:
        memory = self.ffi.new("uint8_t[]", 1024)
        buffer = self.ffi.new("GhosttyBuffer*", {"ptr": memory, "cap": 1024})
        self.lib.ghostty_render_state_row_cells_select(self.cells[0], x)
        key = self.lib.GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_GRAPHEMES_UTF8
        assert self.lib.ghostty_render_state_row_cells_get(self.cells[0], key, buffer) == 0
        return bytes(self.ffi.buffer(memory, buffer.len)).decode()

    def style(self, x: int) -> bytes:
        style = self.ffi.new("GhosttyStyle*", {"size": self.ffi.sizeof("GhosttyStyle")})
        self.lib.ghostty_render_state_row_cells_select(self.cells[0], x)
        key = self.lib.GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_STYLE
        assert self.lib.ghostty_render_state_row_cells_get(self.cells[0], key, style) == 0
        raw = bytes(self.ffi.buffer(style))[8:]
        return raw if sgr(raw) else b""


def slow_rows(engine: GhosttyEngine) -> list[Row]:
    """Every visible row of an engine."""
    reader = SlowReader(engine)
    try:
        return reader.read()
    finally:
        reader.close()
