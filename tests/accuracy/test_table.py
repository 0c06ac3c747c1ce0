"""The table and its place in a document."""

from __future__ import annotations

import pytest

from tests.accuracy.figures import Figures
from tests.accuracy.table import BEGIN, END, table, with_table

ROW = Figures(
    agent="claude",
    version="2.1.332",
    recordings=6,
    replays=18,
    transitions=1208,
    asks=30,
    asks_shown=30,
    false_done=0,
    false_idle=0,
    unknown=2,
    median_ms=41.0,
    longest_ms=640.0,
    faults=0,
)


def test_a_row_says_how_often_it_was_right() -> None:
    assert table([ROW]).splitlines()[-1] == (
        "| Claude Code | 2.1.332 | 6 | 1,208 | 30 of 30 | 0 | 0 | 2 | 0.0 s, 0.6 s |"
    )


def test_the_table_takes_the_place_of_an_older_one() -> None:
    document = f"before\n{BEGIN}\nold\n{END}\nafter"

    assert with_table(document, "new") == f"before\n{BEGIN}\nnew\n{END}\nafter"


def test_a_document_without_a_place_for_it_is_told() -> None:
    with pytest.raises(ValueError, match="no place"):
        with_table("before", "new")
