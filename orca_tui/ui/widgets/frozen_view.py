"""Draws a pane that is held still: its rows, what is selected, what a search found, the cursor, a line of words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from orca_tui.ui.copying.mode import State
from orca_tui.ui.copying.paper import Match
from orca_tui.ui.frozen_pane import FrozenPane
from orca_tui.ui.highlight import highlighted
from orca_tui.ui.selection import Span, columns
from orca_tui.ui.texts import fitted


class FrozenView(Widget, inherit_bindings=False):
    """`show` gives it the state to draw; its last row is the line of words."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "frozen-view--selection",
        "frozen-view--match",
        "frozen-view--found",
        "frozen-view--cursor",
        "frozen-view--words",
    }

    def __init__(self, frozen: FrozenPane) -> None:
        super().__init__()
        self._frozen = frozen
        self._state: State | None = None
        self._words = ""

    def show(self, state: State, words: str) -> None:
        self._state, self._words = state, words
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        width, height = self.size
        if self._state is None:
            return [Strip.blank(width)] * crop.height
        lines = self._lines(self._state, width, height - 1)
        lines.append(self._words_line(width))
        return [line.crop(crop.x, crop.right) for line in lines[crop.y : crop.bottom]]

    def _lines(self, state: State, width: int, height: int) -> list[Strip]:
        found = self._frozen.strips(state.top, height)
        matches = _in_rows(state, state.top, state.top + height)
        lines = [self._marked(strip, state, matches, state.top + y) for y, strip in enumerate(found)]
        lines += [Strip.blank(width)] * (height - len(lines))
        return [line.adjust_cell_length(width) for line in lines]

    def _marked(self, strip: Strip, state: State, matches: Sequence[tuple[int, Match]], row: int) -> Strip:
        """A row with everything on it that is to be seen, the cursor on top."""
        for index, match in matches:
            if match.first.line <= row <= match.last.line:
                name = "found" if index == state.at_match else "match"
                strip = self._over(strip, _span(match), row, name)
        if state.selection is not None:
            strip = self._over(strip, state.selection.span(self._frozen.paper.text_of), row, "selection")
        if row == state.cursor.line and state.cursor.col < strip.cell_length:
            strip = highlighted(strip, *self._frozen.paper.cells_at(state.cursor), self._style("cursor"))
        return strip

    def _over(self, strip: Strip, span: Span, row: int, name: str) -> Strip:
        where = columns(span, row, strip.cell_length)
        return strip if where is None else highlighted(strip, *where, self._style(name))

    def _words_line(self, width: int) -> Strip:
        text = fitted(self._words, width).ljust(width)
        return Strip([Segment(text, self._style("words"))]).adjust_cell_length(width)

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"frozen-view--{name}")


def _in_rows(state: State, top: int, bottom: int) -> list[tuple[int, Match]]:
    """The matches in view, with their numbers: of thousands, each row is to look at these alone."""
    return [
        (index, match)
        for index, match in enumerate(state.matches)
        if match.first.line < bottom and match.last.line >= top
    ]


def _span(match: Match) -> Span:
    return Span(first=match.first, last=match.last)
