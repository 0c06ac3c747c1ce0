"""Cells of a row in another style."""

from __future__ import annotations

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from orca_tui.ui.highlight import highlighted

MARK = Style(bgcolor="red")
ROW = Strip([Segment("端末", Style(bold=True)), Segment(" plain")])


@pytest.mark.parametrize(
    ("start", "end", "marked"), [(0, 4, "端末"), (4, 7, " pl"), (2, 6, "末 p"), (3, 3, "")]
)
def test_only_the_wanted_cells_are_marked_and_the_width_stays(start: int, end: int, marked: str) -> None:
    row = highlighted(ROW, start, end, MARK)

    red = [text for text, style, _ in row if style is not None and style.bgcolor == MARK.bgcolor]
    assert "".join(red) == marked
    assert (row.text, row.cell_length) == (ROW.text, ROW.cell_length)


def test_a_marked_cell_keeps_its_own_looks() -> None:
    first = next(iter(highlighted(ROW, 0, 4, MARK)))

    assert first.style is not None
    assert first.style.bold
