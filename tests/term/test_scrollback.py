"""Lines of scrollback and the bytes they take."""

from __future__ import annotations

import pytest

from orca_tui.term.scrollback import limit_for_lines, lines_of_limit


@pytest.mark.parametrize("cols", [1, 2, 80, 500])
@pytest.mark.parametrize("lines", [0, 1, 7, 10_000])
def test_the_lines_asked_for_are_found_again_in_the_limit(lines: int, cols: int) -> None:
    assert lines_of_limit(limit_for_lines(lines, cols), cols) == lines


def test_the_limit_grows_with_lines_and_columns() -> None:
    assert limit_for_lines(0, 80) == 0
    assert limit_for_lines(10_000, 80) < limit_for_lines(10_000, 120) < limit_for_lines(20_000, 120)
