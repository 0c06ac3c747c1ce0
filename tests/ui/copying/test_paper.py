"""The text of a pane held still."""

from __future__ import annotations

import pytest

from orca_tui.base.errors import TooSlow
from orca_tui.base.patterns import Pattern
from orca_tui.term.engine import RowMarks
from orca_tui.ui.copying.paper import Match, Paper, column_of, index_of
from orca_tui.ui.selection import Spot
from tests.fakes import FakeClock

ROWS = ["$ make test", "a line that is longe", "r than the pane", "", "端末 test"]
PAPER = Paper(ROWS, 20, RowMarks(wrapped=(1,), prompts=(0,)))


def found(pattern: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    matches = PAPER.find(Pattern(text=pattern))
    return [((one.first.line, one.first.col), (one.last.line, one.last.col)) for one in matches]


def test_text_is_found_in_every_row_by_its_cells() -> None:
    assert found("test") == [((0, 7), (0, 10)), ((4, 5), (4, 8))]


def test_text_is_found_across_the_rows_of_one_line_but_not_from_line_to_line() -> None:
    assert found("longer than") == [((1, 15), (2, 5))]
    assert found("pane.*端") == []


def test_the_blanks_at_the_end_of_a_row_that_goes_on_count() -> None:
    paper = Paper(["ends in blank", "goes on"], 15, RowMarks(wrapped=(0,)))

    assert paper.find(Pattern(text="blank  goes")) == [Match(Spot(0, 8), Spot(1, 3))]


def test_a_pattern_that_matches_nothing_at_all_places_finds_nothing() -> None:
    assert found("x*") == []


class Hurried(FakeClock):
    """A tenth of a second is over whenever one looks."""

    def monotonic(self) -> float:
        self.jump(0.1)
        return super().monotonic()


def test_a_search_is_limited_in_all_and_not_only_in_each_line() -> None:
    few = Paper(["text"] * 3, 20, clock=Hurried())
    many = Paper(["text"] * 10, 20, clock=Hurried())

    assert len(few.find(Pattern(text="text"))) == 3
    with pytest.raises(TooSlow):
        many.find(Pattern(text="text"))


def test_cells_outside_are_brought_in() -> None:
    assert PAPER.within(Spot(-3, -1)) == Spot(0, 0)
    assert PAPER.within(Spot(99, 99)) == Spot(4, 19)


def test_wide_characters_cover_two_columns() -> None:
    assert [PAPER.char_at(Spot(4, col)) for col in (0, 1, 2, 4, 5, 99)] == ["端", "端", "末", " ", "t", " "]
    assert [PAPER.cells_at(Spot(4, col)) for col in (1, 2, 5, 12)] == [(0, 2), (2, 4), (5, 6), (12, 13)]
    assert (PAPER.end_of(4), PAPER.end_of(3)) == (8, 0)


@pytest.mark.parametrize(
    ("text", "col", "index"), [("abc", 1, 1), ("端末x", 3, 1), ("e\u0301x", 1, 2), ("", 5, 0)]
)
def test_columns_and_characters_are_told_apart(text: str, col: int, index: int) -> None:
    assert index_of(text, col) == index
    assert column_of(text, index) <= col


def test_a_row_knows_the_rows_of_its_line() -> None:
    assert [PAPER.line_rows(row) for row in range(5)] == [(0, 0), (1, 2), (1, 2), (3, 3), (4, 4)]


def test_no_rows_are_one_empty_row() -> None:
    assert Paper([], 80).rows == ("",)
