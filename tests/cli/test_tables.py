"""Aligned columns, durations and harmless text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_tui.cli.tables import aligned, cells, cut, elapsed, plain

LINES = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=30)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "0s"),
        (0, "0s"),
        (59.9, "59s"),
        (60, "1m"),
        (3599, "59m"),
        (3600, "1h00m"),
        (7500, "2h05m"),
        (86399, "23h59m"),
        (86400 * 3 + 5, "3d"),
    ],
)
def test_a_duration_is_told_in_its_largest_units(seconds: float, text: str) -> None:
    assert elapsed(seconds) == text


def test_columns_stand_below_each_other_whatever_is_wide() -> None:
    lines = list(aligned([("a", "漢字", "x"), ("bb", "e\u0301", "y")], None))

    assert lines == ["a   漢字  x", "bb  e\u0301     y"]


def test_columns_that_hold_nothing_vanish() -> None:
    assert list(aligned([("a", "", "b"), ("c", "", "d")], None)) == ["a  b", "c  d"]


def test_no_rows_are_no_lines() -> None:
    assert list(aligned([], 80)) == []


@given(rows=st.lists(st.tuples(LINES, LINES, LINES), max_size=6), width=st.integers(1, 60))
def test_no_line_is_wider_than_the_terminal(rows: list[tuple[str, ...]], width: int) -> None:
    assert all(cells(line) <= width for line in aligned(rows, width))


@given(text=LINES, width=st.integers(1, 40))
def test_what_fits_is_not_cut(text: str, width: int) -> None:
    if cells(text) <= width:
        assert cut(text, width) == text
    else:
        assert cut(text, width).endswith("…")


@given(text=st.text())
def test_plain_text_has_nothing_that_a_terminal_obeys(text: str) -> None:
    assert plain(text).isprintable()


def test_plain_text_stays_what_it_was() -> None:
    assert plain("run “git push” – ünïcode 漢字 🦭") == "run “git push” – ünïcode 漢字 🦭"
    assert plain("two\nlines\x1b]0;x\x07\u202eend") == "two lines ]0;x end"
