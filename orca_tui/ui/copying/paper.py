"""The text of a pane held still: rows of cells, the lines that programs wrote over several rows, places in them.

Pure.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

import msgspec
from rich.cells import cell_len, set_cell_size

from orca_tui.base.clock import Clock, SystemClock
from orca_tui.base.errors import TooSlow
from orca_tui.base.patterns import Pattern
from orca_tui.term.engine import RowMarks
from orca_tui.ui.selection import Spot

MOST_MATCHES = 10_000
"""Of a search: nobody goes through more, and each is a region to draw."""
SEARCH_S = 0.5
"""A search of all that a pane holds takes a tenth of it; it comes with every key that is typed."""


NO_MARKS = RowMarks()


class Match(msgspec.Struct, frozen=True, order=True):
    """A place that a search found; both cells are part of it."""

    first: Spot
    last: Spot


class Paper:
    """Rows from the oldest on, without their trailing blanks, and which of them go on or begin with a prompt."""

    def __init__(
        self, rows: Sequence[str], cols: int, marks: RowMarks = NO_MARKS, clock: Clock | None = None
    ) -> None:
        """`clock` limits searches; the system's unless given."""
        self.rows = tuple(rows) or ("",)
        self.cols = max(1, cols)
        self.prompts = marks.prompts
        self._clock = clock or SystemClock()
        self._wrapped = frozenset(marks.wrapped)

    @property
    def last_row(self) -> int:
        return len(self.rows) - 1

    def text_of(self, row: int) -> str:
        """A row's text; empty where there is none."""
        return self.rows[row] if 0 <= row < len(self.rows) else ""

    def end_of(self, row: int) -> int:
        """The column of a row's last character; 0 for an empty row."""
        return max(0, min(cell_len(self.text_of(row)), self.cols) - 1)

    def within(self, spot: Spot) -> Spot:
        """The nearest cell that there is."""
        return Spot(min(max(spot.line, 0), self.last_row), min(max(spot.col, 0), self.cols - 1))

    def char_at(self, spot: Spot) -> str:
        """The character in a cell; a blank behind the end of a row."""
        text = self.text_of(spot.line)
        index = index_of(text, spot.col)
        return text[index] if index < len(text) else " "

    def cells_at(self, spot: Spot) -> tuple[int, int]:
        """The columns of the character in a cell, the end excluded."""
        text = self.text_of(spot.line)
        index = index_of(text, spot.col)
        if index >= len(text):
            return spot.col, spot.col + 1
        start = column_of(text, index)
        return start, start + max(1, cell_len(text[index]))

    def find(self, pattern: Pattern) -> list[Match]:
        """Where the pattern matches, top to bottom, also across the rows of one line; empty matches are none.

        Raises `TooSlow` for one that takes more than `SEARCH_S` in all.
        """
        found: list[Match] = []
        until = self._clock.monotonic() + SEARCH_S
        for start, text in zip(self._starts, self._lines, strict=True):
            left_s = until - self._clock.monotonic()
            if left_s <= 0:
                raise TooSlow(pattern.text, SEARCH_S)
            for first, end in pattern.spans(text, within_s=left_s):
                if end > first:
                    found.append(Match(self._spot(start, first), self._spot(start, end - 1)))
                if len(found) >= MOST_MATCHES:
                    return found
        return found

    def line_rows(self, row: int) -> tuple[int, int]:
        """The first and the last row of the line that a row belongs to."""
        at = bisect_right(self._starts, row) - 1
        following = self._starts[at + 1] if at + 1 < len(self._starts) else len(self.rows)
        return self._starts[at], following - 1

    @cached_property
    def _starts(self) -> list[int]:
        """The first row of each line."""
        return [0] + [row + 1 for row in range(self.last_row) if row not in self._wrapped]

    @cached_property
    def _lines(self) -> list[str]:
        """The text of each line; a row that goes on fills the pane."""
        ends = [*self._starts[1:], len(self.rows)]
        return [
            "".join(map(self._whole, range(start, end)))
            for start, end in zip(self._starts, ends, strict=True)
        ]

    def _whole(self, row: int) -> str:
        """A row's text with the blanks that it ends with, if it goes on."""
        text = self.rows[row]
        return set_cell_size(text, self.cols) if row in self._wrapped and cell_len(text) < self.cols else text

    def _spot(self, row: int, index: int) -> Spot:
        """The cell of a line's character; `row` is the line's first."""
        while index >= (length := len(self._whole(row))) and row < self.last_row:
            index -= length
            row += 1
        return Spot(row, column_of(self.rows[row], index))


def column_of(text: str, index: int) -> int:
    """The column where a character begins."""
    return index if text.isascii() else cell_len(text[:index])


def index_of(text: str, col: int) -> int:
    """The character that covers a column; the length of the text behind its end."""
    if text.isascii():
        return min(col, len(text))
    at = 0
    for index, char in enumerate(text):
        width = cell_len(char)
        if width and at + width > col:
            return index
        at += width
    return len(text)
