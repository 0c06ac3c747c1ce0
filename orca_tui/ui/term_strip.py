"""A row of a pane as a Textual strip: ready ANSI text, and segments only when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.strip import Strip

from orca_tui.term.engine import Row
from orca_tui.ui.cell_styles import DEFAULT, rich_style
from orca_tui.ui.pinned_text import within_its_cells

StripMaker: TypeAlias = Callable[[Row, int], Strip]
"""Makes the strip of a row that is so many cells wide."""


class TermStrip(Strip):
    """Drawn as the row's own ANSI text, its width taken from the engine and never measured again.

    A strip has eight caches; at 3,000 rows a second they cost more than the drawing, so none is made here.
    What cuts, styles or filters a strip goes to an ordinary one through `plain`.
    """

    __slots__ = ("_plain", "_row", "_width")

    def __init__(self, row: Row, width: int) -> None:
        self._row = row
        self._width = width
        self._plain: Strip | None = None
        self._render_cache = within_its_cells(row.ansi, row.text)
        self._cell_length = width

    @property
    def plain(self) -> Strip:
        """The same row as an ordinary strip."""
        if self._plain is None:
            self._plain = strip_of_segments(self._row, self._width)
        return self._plain

    @property
    def _segments(self) -> list[Segment]:  # type: ignore[override]
        return self.plain._segments

    @property
    def cell_count(self) -> int:
        return len(self._row.text)

    @property
    def text(self) -> str:
        return self._row.text

    @property
    def link_ids(self) -> set[str]:
        return set()

    def __bool__(self) -> bool:
        return self._width > 0

    def divide(self, cuts: Iterable[int]) -> Sequence[Strip]:
        wanted = list(cuts)
        return [self] if wanted == [self._width] else self.plain.divide(wanted)

    def crop(self, start: int, end: int | None = None) -> Strip:
        if start <= 0 and (end is None or end >= self._width):
            return self
        last = self._width if end is None else min(end, self._width)
        return exactly(self.plain.crop(start, last), max(0, last - max(0, start)))

    def crop_extend(self, start: int, end: int, style: Style | None) -> Strip:
        return self.plain.crop_extend(start, end, style)

    def apply_filter(self, filter: LineFilter, background: Color) -> Strip:
        return self.plain.apply_filter(filter, background)

    def apply_style(self, style: Style) -> Strip:
        return self.plain.apply_style(style)

    def apply_offsets(self, x: int, y: int) -> Strip:
        return self.plain.apply_offsets(x, y)

    def adjust_cell_length(self, cell_length: int, style: Style | None = None) -> Strip:
        return self if cell_length == self._width else self.plain.adjust_cell_length(cell_length, style)


def strip_of_segments(row: Row, width: int) -> Strip:
    """A row as an ordinary strip: for outer terminals with fewer colours than the pane's program uses."""
    segments = [Segment(text, rich_style(style)) for text, style in row.runs]
    return exactly(Strip(segments), width)


def exactly(strip: Strip, width: int) -> Strip:
    """A strip that says to be so wide, and is as far as this side can tell.

    The engine and rich may disagree on the width of an emoji sequence. The row is moved to absolutely, so a
    difference stays within the row; the width that counts is the engine's.
    """
    segments = list(strip)
    measured = sum(cell_len(segment.text) for segment in segments)
    if measured < width:
        segments.append(Segment(" " * (width - measured), DEFAULT))
    while measured > width and segments:
        last = segments.pop()
        measured -= cell_len(last.text)
        if measured < width:
            segments.append(Segment(set_cell_size(last.text, width - measured), last.style))
            break
    return Strip(segments, width)


def strip_maker(console: Console) -> StripMaker:
    """Ready ANSI text where the outer terminal shows every colour, converted colours elsewhere."""
    return TermStrip if console.color_system == "truecolor" else strip_of_segments
