"""Where the keys of vi lead."""

from __future__ import annotations

import pytest

from orca_tui.term.engine import RowMarks
from orca_tui.ui.copying import motions
from orca_tui.ui.copying.paper import Paper
from orca_tui.ui.selection import Spot

PAPER = Paper(
    ["$ cd src/app.py", "  two  words", "", "", "端末 x=1", "$ ls", "end."], 20, RowMarks(prompts=(0, 5))
)


def walk(motion: str, start: tuple[int, int], steps: int, *, big: bool = False) -> list[tuple[int, int]]:
    spot, seen = Spot(*start), []
    for _ in range(steps):
        spot = getattr(motions, motion)(PAPER, spot, big=big)
        seen.append((spot.line, spot.col))
    return seen


def test_w_goes_from_word_to_word_and_from_row_to_row() -> None:
    assert walk("next_word", (0, 0), 7) == [(0, 2), (0, 5), (0, 8), (0, 9), (0, 12), (0, 13), (1, 2)]
    assert walk("next_word", (1, 7), 2) == [(4, 0), (4, 5)]


def test_big_words_end_at_blanks_only() -> None:
    assert walk("next_word", (0, 0), 3, big=True) == [(0, 2), (0, 5), (1, 2)]
    assert walk("end_of_word", (0, 5), 2, big=True) == [(0, 14), (1, 4)]


def test_e_goes_to_the_ends_of_words() -> None:
    assert walk("end_of_word", (0, 0), 4) == [(0, 3), (0, 7), (0, 8), (0, 11)]
    assert walk("end_of_word", (1, 11), 2) == [(4, 2), (4, 5)]


def test_b_goes_back_to_the_beginnings_of_words() -> None:
    assert walk("previous_word", (1, 4), 4) == [(1, 2), (0, 13), (0, 12), (0, 9)]
    assert walk("previous_word", (4, 5), 2) == [(4, 0), (1, 7)]


def test_motions_end_at_the_ends_of_the_text() -> None:
    assert walk("next_word", (6, 0), 3)[-1] == (6, 3)
    assert walk("end_of_word", (6, 3), 1) == [(6, 3)]
    assert walk("previous_word", (0, 0), 2) == [(0, 0), (0, 0)]


def test_the_first_sign_of_a_row() -> None:
    assert [motions.first_sign(PAPER, row) for row in range(3)] == [0, 2, 0]


@pytest.mark.parametrize(("row", "down", "there"), [(0, True, 2), (2, True, 6), (6, False, 3), (1, False, 0)])
def test_paragraphs_are_parted_by_empty_rows(row: int, down: bool, there: int) -> None:
    assert motions.paragraph(PAPER, row, down=down) == there


@pytest.mark.parametrize(("row", "down", "there"), [(0, True, 5), (5, True, 5), (6, False, 5), (5, False, 0)])
def test_prompts_are_gone_to(row: int, down: bool, there: int) -> None:
    assert motions.prompt(PAPER, row, down=down) == there


@pytest.mark.parametrize(
    ("char", "backwards", "before", "col"),
    [
        ("s", False, False, 5),
        ("s", False, True, 4),
        ("$", True, False, 0),
        ("$", True, True, 1),
        ("q", False, False, 3),
    ],
)
def test_a_character_of_the_row_is_gone_to(char: str, backwards: bool, before: bool, col: int) -> None:
    assert motions.to_char(PAPER, Spot(0, 3), char, backwards=backwards, before=before) == Spot(0, col)


def test_the_word_at_a_cell_or_the_next_one() -> None:
    assert motions.word_under(PAPER, Spot(0, 6)) == "src"
    assert motions.word_under(PAPER, Spot(0, 0)) == "cd"
    assert motions.word_under(PAPER, Spot(4, 1)) == "端末"
    assert motions.word_under(PAPER, Spot(2, 0)) == ""
