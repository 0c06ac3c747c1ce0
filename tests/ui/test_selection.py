"""Cells of a pane as text."""

from __future__ import annotations

import pytest

from orca_tui.ui.selection import (
    Selection,
    Shape,
    Span,
    Spot,
    Unit,
    cells_of,
    columns,
    selected_text,
    word_at,
)

LINES = [
    "$ cat src/app.ts         ",
    "端末 is a terminal       ",
    "a line that fills it all!",
    "and goes on here         ",
]
COLS = 25


def text_of(line: int) -> str:
    return LINES[line] if 0 <= line < len(LINES) else ""


def copied(anchor: tuple[int, int], head: tuple[int, int], unit: Unit = Unit.CELL) -> str:
    selection = Selection(anchor=Spot(*anchor), head=Spot(*head), unit=unit)
    return selected_text(selection.span(text_of), text_of, COLS)


def test_both_ends_belong_to_the_selection_in_either_direction() -> None:
    assert copied((0, 2), (0, 4)) == "cat"
    assert copied((0, 4), (0, 2)) == "cat"


def test_lines_are_joined_and_trailing_blanks_dropped() -> None:
    assert copied((0, 2), (1, 8)) == "cat src/app.ts\n端末 is a"


def test_a_line_that_fills_the_pane_goes_on_without_a_break() -> None:
    assert copied((2, 0), (3, 7)) == "a line that fills it all!and goes"


def test_a_double_click_takes_a_path_whole() -> None:
    assert copied((0, 8), (0, 8), Unit.WORD) == "src/app.ts"
    assert copied((0, 8), (1, 6), Unit.WORD) == "src/app.ts\n端末 is"


def test_a_triple_click_takes_the_line() -> None:
    assert copied((1, 9), (1, 9), Unit.LINE) == "端末 is a terminal"


@pytest.mark.parametrize(
    ("text", "start", "end", "found"),
    [("abcdef", 1, 3, "bc"), ("端末x", 0, 2, "端"), ("端末x", 1, 4, "末"), ("e\u0301x", 0, 1, "e\u0301")],
)
def test_cells_are_cut_where_characters_begin(text: str, start: int, end: int, found: str) -> None:
    assert cells_of(text, start, end) == found


def test_a_blank_is_no_word() -> None:
    assert word_at("two words", 3) == (3, 3)
    assert word_at("two words", 99) == (99, 99)
    assert word_at("端末 x", 1) == (0, 3)


def test_lines_between_the_ends_are_selected_whole() -> None:
    span = Span(first=Spot(1, 5), last=Spot(3, 2))

    assert columns(span, 0, COLS) is None
    assert columns(span, 1, COLS) == (5, COLS)
    assert columns(span, 2, COLS) == (0, COLS)
    assert columns(span, 3, COLS) == (0, 3)
    assert columns(span, 4, COLS) is None


def test_a_block_takes_the_same_columns_of_every_line() -> None:
    for ends in ((Spot(0, 12), Spot(3, 3)), (Spot(3, 12), Spot(0, 3)), (Spot(3, 3), Spot(0, 12))):
        selection = Selection(anchor=ends[0], head=ends[1], shape=Shape.BLOCK)

        assert selected_text(selection.span(text_of), text_of, COLS) == (
            "at src/app\n is a ter\nine that f\n goes on h"
        )
