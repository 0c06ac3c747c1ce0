"""The part of a pane that its place on the screen shows, when another UI gave the pane another size. Pure."""

from __future__ import annotations

import msgspec


class Viewport(msgspec.Struct, frozen=True, kw_only=True):
    """A window of `cols` x `rows` cells whose first cell is column `x`, row `y` of the pane."""

    x: int = 0
    y: int = 0
    cols: int = 0
    rows: int = 0

    def on_pane(self, x: int, y: int) -> tuple[int, int]:
        """The pane's cell at a cell of the window."""
        return self.x + x, self.y + y

    def on_window(self, x: int, y: int) -> tuple[int, int] | None:
        """Where a cell of the pane is in the window; None outside of it."""
        col, row = x - self.x, y - self.y
        return (col, row) if 0 <= col < self.cols and 0 <= row < self.rows else None


def following(
    window: Viewport, *, size: tuple[int, int], pane: tuple[int, int], cursor: tuple[int, int]
) -> Viewport:
    """The window, moved as little as needed to have the cursor in it; never beyond the pane's edges."""
    cols, rows = size
    return Viewport(
        x=_start(window.x, cols, pane[0], cursor[0]),
        y=_start(window.y, rows, pane[1], cursor[1]),
        cols=cols,
        rows=rows,
    )


def _start(start: int, room: int, whole: int, cursor: int) -> int:
    start = min(max(start, cursor - room + 1), cursor)
    return max(0, min(start, whole - room))


def thumb(*, track_rows: int, total_rows: int, first_row: int, shown_rows: int) -> tuple[int, int]:
    """The rows of a scrollbar that its thumb covers: the first and how many; at least one."""
    length = max(1, round(track_rows * shown_rows / max(1, total_rows)))
    hidden = max(1, total_rows - shown_rows)
    start = round((track_rows - length) * min(first_row, hidden) / hidden)
    return start, length
