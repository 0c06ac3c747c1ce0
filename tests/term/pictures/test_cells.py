"""Placeholders are written and read as kitty's protocol has them."""

from __future__ import annotations

import unicodedata

import pytest

from orca_tui.term.engine import PictureCell
from orca_tui.term.pictures.cells import (
    DIACRITICS,
    MOST_CELLS,
    PLACEHOLDER,
    CellReader,
    color_sgr,
    goes_on,
    number_of_color,
    placeholder,
    without_placeholders,
)


def test_the_diacritics_are_those_of_the_protocol() -> None:
    assert MOST_CELLS == len(set(DIACRITICS)) == 297
    assert [ord(DIACRITICS[number]) for number in (0, 1, 2, 3, 16, 29, 30, 296)] == [
        0x305, 0x30D, 0x30E, 0x310, 0x35B, 0x36F, 0x483, 0x1D244,
    ]  # fmt: skip
    assert all(unicodedata.combining(one) == 230 and not unicodedata.decomposition(one) for one in DIACRITICS)


def test_what_is_written_is_read() -> None:
    cell = CellReader().read(4, placeholder(3, 17, 0x6F), (0x12, 0x34, 0x56), (0, 1, 2))

    assert cell == PictureCell(4, 0x6F123456, 0x000102, 3, 17)


def test_a_palette_entry_is_a_number_too() -> None:
    assert [number_of_color(color) for color in (None, 42, (1, 2, 3))] == [0, 42, 0x010203]


@pytest.mark.parametrize(
    ("texts", "cells"),
    [
        ([placeholder(2, 5, 7), PLACEHOLDER, PLACEHOLDER], [(2, 5), (2, 6), (2, 7)]),
        ([PLACEHOLDER + DIACRITICS[1], PLACEHOLDER + DIACRITICS[1]], [(1, 0), (1, 1)]),
        ([placeholder(2, 5, 7), PLACEHOLDER + DIACRITICS[3]], [(2, 5), (3, 0)]),
        ([PLACEHOLDER], [(0, 0)]),
    ],
    ids=["nothing told", "rows told", "another row", "alone"],
)
def test_what_is_left_out_goes_on_from_the_left(texts: list[str], cells: list[tuple[int, int]]) -> None:
    reader = CellReader()

    read = [reader.read(x, text, (0, 0, 9), None) for x, text in enumerate(texts)]
    assert [(cell.row, cell.col) for cell in read] == cells
    if len(cells) == 3:
        assert {cell.image for cell in read} == {7 << 24 | 9}


def test_nothing_goes_on_over_a_gap_or_from_another_image() -> None:
    reader = CellReader()
    reader.read(0, placeholder(2, 5, 7), (0, 0, 9), None)

    assert reader.read(1, PLACEHOLDER, (0, 0, 8), None) == PictureCell(1, 8, 0, 0, 0)
    assert reader.read(3, PLACEHOLDER, (0, 0, 8), None) == PictureCell(3, 8, 0, 0, 0)


def test_a_cell_need_not_say_what_the_one_before_it_says() -> None:
    first = PictureCell(4, 9, 0, 2, 5)

    assert goes_on(PictureCell(5, 9, 0, 2, 6), first)
    assert not goes_on(PictureCell(5, 9, 0, 2, 7), first)
    assert not goes_on(PictureCell(5, 8, 0, 2, 6), first)
    assert not goes_on(first, None)


def test_a_number_is_a_color() -> None:
    assert color_sgr(38, 0xFF123456) == "\x1b[38;2;18;52;86m"


def test_texts_have_blanks_for_placeholders_and_none_at_the_ends_of_lines() -> None:
    text = f"a{placeholder(0, 0, 9)}{PLACEHOLDER}b\n{placeholder(1, 0, 9) * 3}\nplain  "

    assert without_placeholders(text) == "a  b\n\nplain  "
    assert without_placeholders("a\u0305b") == "a\u0305b"
