"""Rows with pictures as strips, in an outer terminal that has the image and in one that has not."""

from __future__ import annotations

from base64 import b64encode

import pytest
from rich.console import Console
from textual.strip import Strip

from orca_tui.term.engine import PictureCell, Row
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.pictures.store import read_nothing
from orca_tui.ui.picture_strips import pictured_strip
from orca_tui.ui.term_strip import TermStrip

COLS = 20
OUTER = 0x6F123456
SHOW = b"\x1b_Ga=T,f=24,s=8,v=8,c=%d,r=1;" + b64encode(bytes(192)) + b"\x1b\\"


@pytest.fixture
def row() -> Row:
    """`ab`, a picture of three cells, one of two cells of another image, and red text."""
    engine = GhosttyFactory(pictures=read_nothing).new(COLS, 2, scrollback_lines=0)
    engine.feed(b"ab" + SHOW % 3 + SHOW % 2 + b"\x1b[31mred")
    found = engine.all_rows()[0]
    engine.close()
    return found


@pytest.fixture
def images(row: Row) -> list[int]:
    """The pane's own images, from left to right."""
    return list(dict.fromkeys(cell.image for picture in row.pictures for cell in picture.cells))


def seen(text: str) -> list[PictureCell]:
    """The cells with pictures in what an outer terminal is written."""
    engine = GhosttyFactory().new(COLS, 2, scrollback_lines=0)
    engine.feed(text.encode())
    found = [cell for picture in engine.all_rows()[0].pictures for cell in picture.cells]
    engine.close()
    return found


def test_cells_whose_image_the_terminal_has_show_their_parts_of_it(row: Row, images: list[int]) -> None:
    strip = pictured_strip(row, COLS, lambda image, _: OUTER if image == images[0] else None)

    drawn = strip.render(Console())
    assert seen(drawn) == [PictureCell(2 + col, OUTER, 0, 0, col) for col in range(3)]
    assert "\x1b[31mred" in drawn
    assert strip.text == row.text == "ab     red" + " " * 10
    assert strip.cell_length == COLS


def test_pictures_side_by_side_stay_two(row: Row, images: list[int]) -> None:
    strip = pictured_strip(row, COLS, lambda image, _: OUTER + images.index(image))

    cells = seen(strip.render(Console()))
    assert [(cell.image - OUTER, cell.col) for cell in cells] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]


def test_what_the_terminal_has_no_image_for_is_blank(row: Row) -> None:
    strip = pictured_strip(row, COLS, lambda _image, _placement: None)

    assert strip.render(Console()) == TermStrip(row, COLS).render(Console()) == row.ansi
    assert "\U0010eeee" not in row.ansi


@pytest.mark.parametrize(("start", "end"), [(0, 4), (3, 12), (4, 5), (5, 20)])
def test_a_part_of_a_row_shows_its_parts_of_the_pictures(
    row: Row, images: list[int], start: int, end: int
) -> None:
    part: Strip = pictured_strip(row, COLS, lambda image, _: OUTER + images.index(image)).crop(start, end)

    assert part.cell_length == end - start
    cells = seen(part.render(Console(color_system="truecolor")))
    wanted = [(2, 0, 0), (3, 0, 1), (4, 0, 2), (5, 1, 0), (6, 1, 1)]
    assert [(cell.x + start, cell.image - OUTER, cell.col) for cell in cells] == [
        one for one in wanted if start <= one[0] < end
    ]
