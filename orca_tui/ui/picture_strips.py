"""Rows with pictures as strips: the outer terminal's own placeholders where it has the picture, blanks elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import TypeAlias

from textual.strip import Strip

from orca_tui.term.cell_style import number_style, sgr
from orca_tui.term.engine import PictureCell, Row
from orca_tui.term.pictures.cells import PLACEHOLDER, color_sgr, goes_on, placeholder
from orca_tui.ui.term_strip import TermStrip

CLOSE = "\x1b[m"


class Wish:
    """A picture that is still to come. It lives as long as a strip waits for it."""

    __slots__ = ("__weakref__",)


OuterImage: TypeAlias = Callable[[int, int], int | Wish | None]
"""The outer terminal's image for the image and placement of a pane's cell, one to come, or None: there is none."""


class PicturedStrip(TermStrip):
    """A row with pictures, and what is still missing in it."""

    __slots__ = ("_wishes",)

    def __init__(self, row: Row, width: int, wishes: tuple[Wish, ...]) -> None:
        super().__init__(row, width)
        self._wishes = wishes


def pictured_strip(row: Row, width: int, outer_image: OuterImage) -> Strip:
    """The strip of a row that is so many cells wide."""
    named = {(cell.image, cell.placement) for picture in row.pictures for cell in picture.cells}
    found = {name: outer_image(*name) for name in named}
    images = {name: image for name, image in found.items() if isinstance(image, int)}
    wishes = tuple(wish for wish in found.values() if isinstance(wish, Wish))
    return PicturedStrip(_pictured(row, images) if images else row, width, wishes)


def _pictured(row: Row, images: Mapping[tuple[int, int], int]) -> Row:
    """A row whose blanks are placeholders where the outer terminal has an image for them."""
    pictures = {picture.run: picture.cells for picture in row.pictures}
    runs: list[tuple[str, bytes]] = []
    ansi: list[str] = []
    for number, (text, style) in enumerate(row.runs):
        parts = groupby(pictures.get(number, ()), key=lambda cell: images.get((cell.image, cell.placement)))
        for image, cells in parts:
            more, shown = _part(image, tuple(cells))
            runs += more
            ansi.append(shown)
        if number not in pictures:
            runs.append((text, style))
            ansi.append(f"{sgr(style)}{text}{CLOSE}" if style else text)
    return Row(tuple(runs), "".join(ansi), row.text)


def _part(image: int | None, cells: tuple[PictureCell, ...]) -> tuple[list[tuple[str, bytes]], str]:
    """Cells of one image, or of none: as runs, and as text with SGR sequences."""
    if image is None:
        blanks = " " * len(cells)
        return [(blanks, b"")], blanks
    # One run a cell: wherever such a row is cut, each cell says by itself what it shows.
    runs = [(_cell(cell, image), number_style(image)) for cell in cells]
    return runs, f"{color_sgr(38, image)}{''.join(_short(cells, image))}{CLOSE}"


def _short(cells: tuple[PictureCell, ...], image: int) -> Iterator[str]:
    before = None
    for cell in cells:
        yield PLACEHOLDER if goes_on(cell, before) else _cell(cell, image)
        before = cell


def _cell(cell: PictureCell, image: int) -> str:
    return placeholder(cell.row, cell.col, image >> 24)
