"""Text of our chrome."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from orca_tui.ui.texts import ago, elapsed, fitted, one_line, reading_s, size_of


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\nlines\tand   blanks", "two lines and blanks"),
        ("\x1b[31mred\x1b[m", "[31mred[m"),
        ("a\u202egnp.exe", "agnp.exe"),
        ("\u2066hidden\u2069 \x07bell\x9b", "hidden bell"),
        ("  端末 ✓  ", "端末 ✓"),
        ("", ""),
    ],
)
def test_text_is_brought_to_one_line_without_control_or_bidi_characters(text: str, shown: str) -> None:
    assert one_line(text) == shown


@given(st.text())
def test_nothing_that_moves_a_cursor_is_left(text: str) -> None:
    assert one_line(text).replace("\u200d", "").isprintable()


@given(st.text(), st.integers(0, 30))
def test_fitted_text_is_never_wider_than_its_place(text: str, cells: int) -> None:
    assert cell_len(fitted(one_line(text), cells)) <= cells


def test_what_was_cut_is_shown() -> None:
    assert fitted("a long name", 7) == "a long…"
    assert fitted("端末端末", 5) == "端末…"
    assert fitted("short", 5) == "short"
    assert fitted("short", 0) == ""


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, "now"), (59.9, "now"), (60, "1m"), (3599, "59m"), (3600, "1h"), (86_399, "23h"), (200_000, "2d")],
)
def test_elapsed_time_is_told_in_its_largest_unit(seconds: float, shown: str) -> None:
    assert elapsed(seconds) == shown


@pytest.mark.parametrize(("seconds", "shown"), [(0, "just now"), (59, "just now"), (60, "1m ago")])
def test_a_moment_is_told_by_how_long_ago_it_was(seconds: float, shown: str) -> None:
    assert ago(seconds) == shown


def test_a_size_that_is_unknown_is_a_dash() -> None:
    assert size_of(None) == "-"
    assert size_of(48 << 20) == "48M"
    assert size_of(3 << 29) == "1.5G"


def test_a_long_text_is_shown_for_longer() -> None:
    assert reading_s("done") == 5.0
    assert reading_s("x" * 300) == 20.0
