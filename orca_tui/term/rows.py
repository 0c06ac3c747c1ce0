"""Reads rows out of a terminal, a whole row at a time; keeps none, and knows nothing of widgets.

A row comes as one array of 64-bit cells. It is taken as a single big integer, so that a mask works on all
cells at once: the codepoints become text by one UTF-32 decode, and only styled, wide, combined and
background-only cells cost more. A styled row is never recognised by its cells: style ids belong to a page
of the engine and are used again, so every row asks for its styles, and only their sequences are kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress

from orca_tui.term.cell_style import COLOR_PALETTE, COLOR_RGB, StyleSequences, background_style, cell_style
from orca_tui.term.cells import (
    CELL_BYTES,
    CODEPOINT_MASK,
    COLOR_MASK,
    CONTENT_SHIFT,
    STYLE_MASK,
    STYLE_SHIFT,
    TAG_MASK,
    WIDE_MASK,
    WIDE_SHIFT,
)
from orca_tui.term.engine import Cursor, PictureCell, PictureRun, Row
from orca_tui.term.ghostty_library import CData, GhosttyLibrary
from orca_tui.term.pictures.cells import PLACEHOLDER, CellReader

GRAPHEME_BYTES = 256
"""The engine keeps at most 64 codepoints in a cell, four bytes each."""

TAIL_MARK = "\U0010ffff"
"""Stands for the right half of a wide character until that is cut out. A noncharacter, so text has none."""

RGB_BACKGROUND = 1 << 24
"""Set in a background id whose lower 24 bits are red, green and blue, not a palette index."""

BACKGROUND_ID = 1 << 32
"""Set in the run id of cells that are only a background, so that it is no style's id."""

PICTURE_ID = 1 << 33
"""The run id of cells that show a part of a picture."""

CELL_BITS_WIDE = 8 * CELL_BYTES
CELL_MASK = (1 << CELL_BITS_WIDE) - 1

CLOSE = "\x1b[m"

CURSOR_SHAPES = ("bar", "block", "underline", "block_hollow")
"""By `GhosttyRenderStateCursorVisualStyle`."""


class RowReader:
    """The visible rows and the cursor of one terminal, and which rows changed since they were last read."""

    def __init__(self, library: GhosttyLibrary, terminal: CData, sequences: StyleSequences) -> None:
        ffi, lib = library.ffi, library.lib
        self._ffi, self._lib, self._terminal = ffi, lib, terminal
        self._state = _made(ffi, "GhosttyRenderState*", lib.ghostty_render_state_new)
        self._iterator = _made(
            ffi, "GhosttyRenderStateRowIterator*", lib.ghostty_render_state_row_iterator_new
        )
        self._cells = _made(ffi, "GhosttyRenderStateRowCells*", lib.ghostty_render_state_row_cells_new)
        self._view = ffi.new("GhosttyCellsView*")
        self._style = ffi.new("GhosttyStyle*", {"size": ffi.sizeof("GhosttyStyle")})
        self._raw_style = ffi.buffer(self._style)
        self._utf8 = ffi.new("uint8_t[]", GRAPHEME_BYTES)
        self._grapheme = ffi.new("GhosttyBuffer*", {"ptr": self._utf8, "cap": GRAPHEME_BYTES})
        self._y = ffi.new("uint16_t*")
        self._cursor = ffi.new("GhosttyRenderStateCursor*", {"size": ffi.sizeof("GhosttyRenderStateCursor")})
        self._style_start = ffi.offsetof("GhosttyStyle", "fg_color")
        self._buffer = ffi.buffer
        self._row_get = lib.ghostty_render_state_row_get
        self._raw_cells = lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS_RAW
        self._select = lib.ghostty_render_state_row_cells_select
        self._cell_get = lib.ghostty_render_state_row_cells_get
        self._cell_style = lib.GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_STYLE
        self._sequences = sequences
        self._set_width(0)

    def close(self) -> None:
        """Give the library's memory back; there are no rows from now on."""
        self._lib.ghostty_render_state_row_cells_free(self._cells[0])
        self._lib.ghostty_render_state_row_iterator_free(self._iterator[0])
        self._lib.ghostty_render_state_free(self._state[0])
        self._cells[0] = self._iterator[0] = self._state[0] = self._terminal = self._ffi.NULL

    def changed(self) -> Iterator[tuple[int, Row]]:
        """Rows changed since this was last read to its end, each with its index from the top."""
        self._start()
        next_dirty, iterator, y = (
            self._lib.ghostty_render_state_row_iterator_next_dirty,
            self._iterator[0],
            self._y,
        )
        while next_dirty(iterator, y):
            yield y[0], self._row()
        self._lib.ghostty_render_state_clean(self._state[0])

    def visible(self) -> list[Row]:
        """Every row of the viewport; what has changed stays changed."""
        self._start()
        next_row, iterator = self._lib.ghostty_render_state_row_iterator_next, self._iterator[0]
        rows = []
        while next_row(iterator):
            rows.append(self._row())
        return rows

    def cursor(self) -> Cursor:
        """The cursor in the viewport; invisible while the viewport does not reach down to it."""
        lib, found = self._lib, self._cursor
        lib.ghostty_render_state_update(self._state[0], self._terminal)
        lib.ghostty_render_state_get(self._state[0], lib.GHOSTTY_RENDER_STATE_DATA_CURSOR, found)
        return Cursor(
            x=found.viewport_x if found.viewport_has_value else 0,
            y=found.viewport_y if found.viewport_has_value else 0,
            visible=bool(found.visible and found.viewport_has_value),
            shape=CURSOR_SHAPES[found.visual_style],
            blinking=bool(found.blinking),
        )

    def _start(self) -> None:
        """Take over the terminal's screen and put the iterator above its first row."""
        lib, state = self._lib, self._state[0]
        lib.ghostty_render_state_update(state, self._terminal)
        lib.ghostty_render_state_get(state, lib.GHOSTTY_RENDER_STATE_DATA_ROW_ITERATOR, self._iterator)

    def _set_width(self, cols: int) -> None:
        """Make the masks for rows of `cols` cells."""
        self._cols = cols
        self._row_bytes = cols * CELL_BYTES
        self._ends = range(1, cols + 1)
        self._last_cell = 1 << CELL_BITS_WIDE * (cols - 1) if cols else 0
        self._ones = ones = sum(1 << CELL_BITS_WIDE * x for x in range(cols))
        self._codepoints = ones * (CODEPOINT_MASK << CONTENT_SHIFT)
        self._special = ones * (TAG_MASK | WIDE_MASK << WIDE_SHIFT)
        self._styles = ones * (STYLE_MASK << STYLE_SHIFT)

    def _row(self) -> Row:
        """The row under the iterator."""
        view = self._view
        self._row_get(self._iterator[0], self._raw_cells, view)
        if view.len != self._cols:
            self._set_width(view.len)
        cells = int.from_bytes(self._buffer(view.ptr, self._row_bytes), "little")
        if cells & self._special:
            return self._special_row(cells)
        chars = self._decoded((cells & self._codepoints) >> CONTENT_SHIFT)
        styles = cells & self._styles
        if PLACEHOLDER in chars:
            self._load_cells()
            return self._picture_row(list(chars), styles >> STYLE_SHIFT, has_tails=False)
        if not styles:
            return Row(((chars, b""),), chars, chars)
        self._load_cells()
        return self._styled_row(chars, styles >> STYLE_SHIFT, has_tails=False)

    def _special_row(self, cells: int) -> Row:
        """A row with wide, combined or background-only cells."""
        backgrounds = cells >> 1 & self._ones
        graphemes = cells & self._ones & ~backgrounds
        tails = cells >> (WIDE_SHIFT + 1) & ~(cells >> WIDE_SHIFT) & self._ones
        codepoints = (cells & self._codepoints) >> CONTENT_SHIFT & ~((backgrounds | tails) * CODEPOINT_MASK)
        text = self._decoded(codepoints | tails * ord(TAIL_MARK))
        if tails.bit_count() != text.count(TAIL_MARK):
            text = _without_false_marks(text, tails, self._row_bytes)
        self._load_cells()
        chars = self._with_graphemes(text, graphemes) if graphemes else text
        ids = (cells & self._styles) >> STYLE_SHIFT & ~(backgrounds * STYLE_MASK)
        if backgrounds:
            colors = cells >> CONTENT_SHIFT & backgrounds * COLOR_MASK
            ids |= colors | (backgrounds & cells) * RGB_BACKGROUND | backgrounds * BACKGROUND_ID
        if PLACEHOLDER in text:
            return self._picture_row(list(chars), ids, has_tails=bool(tails))
        return self._styled_row(chars, ids, has_tails=bool(tails))

    def _decoded(self, codepoints: int) -> str:
        """The characters of a row, blank cells as spaces; `codepoints` has one in the low half of each cell."""
        halves = memoryview(codepoints.to_bytes(self._row_bytes, "little")).cast("I")
        return halves[::2].tobytes().decode("utf-32-le", "replace").replace("\0", " ")

    def _load_cells(self) -> None:
        self._row_get(self._iterator[0], self._lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS, self._cells)

    def _with_graphemes(self, chars: str, graphemes: int) -> list[str]:
        """The characters with whole grapheme clusters in the cells that have more than one codepoint."""
        found = list(chars)
        flags = graphemes.to_bytes(self._row_bytes, "little")
        at = flags.find(1)
        while at >= 0:
            x = at // CELL_BYTES
            found[x] = self._cluster(x) or found[x]
            at = flags.find(1, at + 1)
        return found

    def _cluster(self, x: int) -> str:
        self._select(self._cells[0], x)
        result = self._cell_get(
            self._cells[0], self._lib.GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_GRAPHEMES_UTF8, self._grapheme
        )
        return (
            "" if result else bytes(self._buffer(self._utf8, self._grapheme.len)).decode("utf-8", "replace")
        )

    def _styled_row(self, chars: str | list[str], ids: int, *, has_tails: bool) -> Row:
        """Cut a row into runs of equal ids (0: the default style), one id to a cell.

        Styles are fetched here and not in a method of their own: a call for each is a fifth of a row's time.
        """
        select, get, cells = self._select, self._cell_get, self._cells[0]
        style_data, style, sequences = self._cell_style, self._style, self._sequences
        run_ids = memoryview(ids.to_bytes(self._row_bytes, "little")).cast("Q")
        looks: dict[int, tuple[bytes, str]] = {0: (b"", ""), PICTURE_ID: (b"", "")}
        runs: list[tuple[str, bytes]] = []
        ansi: list[str] = []
        start = 0
        for end in self._run_ends(ids):
            part = chars[start:end]
            text = part if isinstance(part, str) else "".join(part)
            if has_tails:
                text = text.replace(TAIL_MARK, "")
            run_id = run_ids[start]
            look = looks.get(run_id)
            if look is None:
                if run_id & BACKGROUND_ID:
                    raw = _background(run_id)
                else:
                    select(cells, start)
                    get(cells, style_data, style)
                    raw = self._raw_style[self._style_start :]
                look = looks[run_id] = (raw, sequences[raw])
            raw, sequence = look
            runs.append((text, raw))
            ansi.append(f"{sequence}{text}{CLOSE}" if sequence else text)
            start = end
        return Row(tuple(runs), "".join(ansi), "".join([text for text, _ in runs]))

    def _picture_row(self, chars: list[str], ids: int, *, has_tails: bool) -> Row:
        """A row with placeholders: blanks in its text, and beside it what they stand for."""
        reader, found = CellReader(), dict[int, PictureCell]()
        for x, text in enumerate(chars):
            if text.startswith(PLACEHOLDER):
                style = cell_style(self._style_of(x))
                found[x] = reader.read(x, text, style.foreground, style.underline_color)
                chars[x] = " "
                ids = ids & ~(CELL_MASK << CELL_BITS_WIDE * x) | PICTURE_ID << CELL_BITS_WIDE * x
        row = self._styled_row(chars, ids, has_tails=has_tails)
        pictures, start = [], 0
        for run, end in enumerate(self._run_ends(ids)):
            if start in found:
                pictures.append(PictureRun(run, tuple(found[x] for x in range(start, end))))
            start = end
        return Row(row.runs, row.ansi, row.text, tuple(pictures))

    def _style_of(self, x: int) -> bytes:
        self._select(self._cells[0], x)
        self._cell_get(self._cells[0], self._cell_style, self._style)
        return bytes(self._raw_style[self._style_start :])

    def _run_ends(self, ids: int) -> Iterator[int]:
        """Where each run of equal ids ends: after a cell whose id differs from the next one's, and at the edge."""
        changes = ids ^ ids >> CELL_BITS_WIDE | self._last_cell
        return compress(
            self._ends, memoryview(changes.to_bytes(self._row_bytes, "little")).cast("Q").tolist()
        )


def _background(run_id: int) -> bytes:
    """The raw style of cells that are only a background."""
    return background_style(COLOR_RGB if run_id & RGB_BACKGROUND else COLOR_PALETTE, run_id & COLOR_MASK)


def _made(ffi: CData, kind: str, maker: CData) -> CData:
    """A handle of the library in memory of ours: some calls want the handle, others where it is kept."""
    out = ffi.new(kind)
    if maker(ffi.NULL, out):
        raise MemoryError(f"the terminal engine could not make a {kind.rstrip('*')}")
    return out


def _without_false_marks(chars: str, tails: int, row_bytes: int) -> str:
    """The characters with U+10FFFF that a child wrote replaced, so that only tails are marked by it."""
    flags = tails.to_bytes(row_bytes, "little")
    return "".join(
        "\ufffd" if char == TAIL_MARK and not flags[x * CELL_BYTES] else char for x, char in enumerate(chars)
    )
