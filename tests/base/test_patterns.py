"""Expressions that take too long, and those that are none."""

from __future__ import annotations

import pytest

from orca_tui.base.errors import Invalid, TooSlow
from orca_tui.base.patterns import Pattern

SLOW, SLOW_TEXT = "(?:a|aa)+$", "a" * 60 + "b"
"""As many ways as there are of adding up ones and twos to 60."""
SOON_S = 0.05
PLENTY_S = 60.0


@pytest.mark.parametrize("text", ["(", "[", "*a", "a{99999999999}", "(?i", "\\", "(?P<a", "(" * 9999])
def test_what_is_no_expression_is_invalid(text: str) -> None:
    with pytest.raises(Invalid, match="no regular expression"):
        Pattern(text=text)


def test_an_expression_that_takes_too_long_is_given_up() -> None:
    pattern = Pattern(text=SLOW)

    with pytest.raises(TooSlow):
        pattern.finds(SLOW_TEXT, within_s=SOON_S)
    with pytest.raises(TooSlow):
        pattern.first_group(SLOW_TEXT, within_s=SOON_S)
    with pytest.raises(TooSlow):
        list(pattern.spans(SLOW_TEXT, within_s=SOON_S))


def test_what_matches_is_told_with_its_place_and_its_first_group() -> None:
    pattern = Pattern(text="^(b+)|c", of_lines=True)

    assert pattern.finds("a\nbb", within_s=PLENTY_S)
    assert list(pattern.spans("a\nbb c", within_s=PLENTY_S)) == [(2, 4), (5, 6)]
    assert pattern.first_group("a\nbb", within_s=PLENTY_S) == "bb"
    assert pattern.first_group("c", within_s=PLENTY_S) is None
    assert not pattern.finds("B", within_s=PLENTY_S)
    assert Pattern(text="b", ignore_case=True).finds("B", within_s=PLENTY_S)
