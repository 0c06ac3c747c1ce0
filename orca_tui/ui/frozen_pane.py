"""A pane's screen and history as they were at one moment, in an engine of their own: output goes on without it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from textual.strip import Strip

from orca_tui.term.engine import TerminalEngine
from orca_tui.ui.copying.paper import Paper, index_of
from orca_tui.ui.selection import Spot
from orca_tui.ui.term_strip import StripMaker

URL = re.compile(r"(?:https?|ftp|file)://[^\s<>\"'`{}|\\^]+|mailto:[^\s<>\"'`]+")
CLOSING = ".,;:!?)]"
"""Signs that end a sentence or a bracket around a link rather than belong to it."""


class FrozenPane:
    """`paper` is the text of all rows; `strips` draws them."""

    def __init__(self, engine: TerminalEngine, strip_of: StripMaker) -> None:
        """Takes the engine over: `close` frees it."""
        self._engine = engine
        self._strip_of = strip_of
        self._on_screen: Sequence[Strip] = ()
        """Kept, since pictures are asked for only as long as a strip waits for them."""
        self.cols, self.rows = engine.cols, engine.rows
        self.text = engine.history_text(unwrap=True)
        rows = engine.history_text(unwrap=False).split("\n")
        missing = engine.scrollback_rows() + engine.rows - len(rows)
        self.paper = Paper([*rows, *[""] * missing], engine.cols, engine.row_marks())

    def close(self) -> None:
        self._engine.close()

    @property
    def cursor(self) -> Spot:
        """Where the program's own cursor was."""
        cursor = self._engine.cursor()
        return self.paper.within(Spot(self._engine.scrollback_rows() + cursor.y, cursor.x))

    def strips(self, top: int, count: int) -> Sequence[Strip]:
        """The rows from `top` on, at most `count`."""
        first = self._show(top)
        rows = self._engine.all_rows()[top - first : top - first + count]
        self._on_screen = [self._strip_of(row, self.cols) for row in rows]
        return self._on_screen

    def link_at(self, spot: Spot) -> str:
        """The link at a cell: the program's own (OSC 8), else what reads as one; empty when there is none."""
        first = self._show(spot.line)
        return self._engine.link_at(spot.col, spot.line - first) or url_at(self.paper, spot)

    def _show(self, row: int) -> int:
        """Bring a row into the engine's view; returns the row on top of it."""
        history = self._engine.scrollback_rows()
        self._engine.scroll(max(0, history - row))
        return history - self._engine.scroll_offset()


def url_at(paper: Paper, spot: Spot) -> str:
    """The link whose text covers a cell, also where it goes on in the next row."""
    first, last = paper.line_rows(spot.line)
    rows = [paper.text_of(row) for row in range(first, last + 1)]
    at = sum(map(len, rows[: spot.line - first])) + index_of(paper.text_of(spot.line), spot.col)
    for match in URL.finditer("".join(rows)):
        link = match[0].rstrip(CLOSING)
        if match[0].startswith(f"{link})") and "(" in link:
            link += ")"  # It has an open bracket of its own, as Wikipedia's do.
        if match.start() <= at < match.start() + len(link):
            return link
    return ""
