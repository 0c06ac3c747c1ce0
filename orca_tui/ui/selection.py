"""A selection in a pane: cells of its scrollback and screen, as text. Pure.

Lines are counted from the oldest row of the scrollback, so that a selection stays on its text while the view
is scrolled and while output pushes rows up.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

import msgspec
from rich.cells import cell_len

WORD_CHARACTERS = frozenset("-_./~:@%+#?&=,")
"""Beside letters and digits: a double click takes a path or a URL whole."""


class Unit(Enum):
    """What a selection grows by: by the number of clicks that began it."""

    CELL = 1
    WORD = 2
    LINE = 3


class Spot(msgspec.Struct, frozen=True, order=True):
    """A cell: line first, so that spots compare in reading order."""

    line: int
    col: int


class Shape(Enum):
    """What lies between the two ends of a selection."""

    FLOW = "flow"
    """Everything from one to the other, as one reads."""
    BLOCK = "block"
    """A rectangle."""


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """The selected cells; of a block, the upper left and the lower right one."""

    first: Spot
    last: Spot
    shape: Shape = Shape.FLOW


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """From where it began to where the pointer is; both cells are part of it."""

    anchor: Spot
    head: Spot
    unit: Unit = Unit.CELL
    """A block knows cells only."""
    shape: Shape = Shape.FLOW

    def span(self, text_of: Callable[[int], str]) -> Span:
        """The cells, grown to whole words or lines."""
        if self.shape is Shape.BLOCK:
            lines, cols = sorted((self.anchor.line, self.head.line)), sorted((self.anchor.col, self.head.col))
            return Span(first=Spot(lines[0], cols[0]), last=Spot(lines[1], cols[1]), shape=Shape.BLOCK)
        first, last = self._ends(text_of)
        return Span(first=first, last=last)

    def _ends(self, text_of: Callable[[int], str]) -> tuple[Spot, Spot]:
        first, last = min(self.anchor, self.head), max(self.anchor, self.head)
        match self.unit:
            case Unit.CELL:
                return first, last
            case Unit.WORD:
                start, _ = word_at(text_of(first.line), first.col)
                _, end = word_at(text_of(last.line), last.col)
                return Spot(first.line, start), Spot(last.line, end)
            case Unit.LINE:
                return Spot(first.line, 0), Spot(last.line, max(0, cell_len(text_of(last.line)) - 1))


def columns(span: Span, line: int, cols: int) -> tuple[int, int] | None:
    """The selected columns of a line, the end excluded; None when nothing of it is selected."""
    first, last = span.first, span.last
    if not first.line <= line <= last.line:
        return None
    block = span.shape is Shape.BLOCK
    start = first.col if block or line == first.line else 0
    end = last.col + 1 if block or line == last.line else cols
    return min(start, cols), min(end, cols)


def selected_text(span: Span, text_of: Callable[[int], str], cols: int) -> str:
    """The text: trailing blanks are dropped; but for a block, a line that fills the pane goes on without a break."""
    parts: list[str] = []
    for line in range(span.first.line, span.last.line + 1):
        start, end = columns(span, line, cols) or (0, 0)
        full = text_of(line)
        part = cells_of(full, start, end)
        flows = span.shape is Shape.FLOW and line < span.last.line
        wraps = flows and cell_len(full.rstrip()) >= cols
        parts.append(part if wraps else f"{part.rstrip()}\n")
    return "".join(parts).removesuffix("\n")


def cells_of(text: str, start: int, end: int) -> str:
    """The characters of a row that lie in cells `start` to `end`; a wide one belongs to where it begins."""
    if text.isascii():
        return text[start:end]
    kept: list[str] = []
    at = 0
    taken = False
    for char in text:
        width = cell_len(char)
        if width:
            taken = start <= at < end
        if taken:
            kept.append(char)
        at += width
    return "".join(kept)


def word_at(text: str, col: int) -> tuple[int, int]:
    """The first and last column of the word under a column; a blank or a lone sign is a word of its own."""
    cells = [char for char in text for _ in range(cell_len(char))]
    if col >= len(cells) or not _of_word(cells[col]):
        return col, col
    start = end = col
    while start > 0 and _of_word(cells[start - 1]):
        start -= 1
    while end + 1 < len(cells) and _of_word(cells[end + 1]):
        end += 1
    return start, end


def _of_word(char: str) -> bool:
    return char.isalnum() or char in WORD_CHARACTERS
