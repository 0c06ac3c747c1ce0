"""What is searched for, and what comes next."""

from __future__ import annotations

import pytest

from orca_tui.base.errors import Invalid
from orca_tui.ui.copying.paper import Match
from orca_tui.ui.copying.search import Search, next_match
from orca_tui.ui.selection import Spot

MATCHES = [Match(Spot(row, 4), Spot(row, 6)) for row in (1, 3, 3 + 1, 9)]


@pytest.mark.parametrize(
    ("search", "text", "finds"),
    [
        (Search(text="error"), "An ERROR here", True),
        (Search(text="Error"), "an error here", False),
        (Search(text="a.c"), "abc", False),
        (Search(text="a.c", regex=True), "abc", True),
        (Search(text="(["), "x ([ y", True),
    ],
)
def test_small_letters_are_found_in_any_case_and_signs_mean_themselves(
    search: Search, text: str, finds: bool
) -> None:
    pattern = search.pattern()

    assert pattern is not None
    assert pattern.finds(text, within_s=60.0) is finds


def test_nothing_is_searched_for_an_empty_text() -> None:
    assert Search().pattern() is None


@pytest.mark.parametrize("text", ["(", "a{99999999999}", "[z-a]"])
def test_a_broken_expression_is_refused_with_its_reason(text: str) -> None:
    with pytest.raises(Invalid, match="no regular expression: "):
        Search(text=text, regex=True).pattern()


@pytest.mark.parametrize(
    ("at", "backwards", "here", "index"),
    [
        (Spot(0, 0), False, False, 0),
        (Spot(1, 4), False, False, 1),
        (Spot(1, 4), False, True, 0),
        (Spot(9, 4), False, False, 0),
        (Spot(9, 5), True, False, 3),
        (Spot(1, 4), True, False, 3),
        (Spot(1, 4), True, True, 0),
        (Spot(0, 0), True, False, 3),
    ],
)
def test_the_nearest_match_comes_next_and_the_ends_are_joined(
    at: Spot, backwards: bool, here: bool, index: int
) -> None:
    assert next_match(MATCHES, at, backwards=backwards, here=here) == index


def test_without_matches_there_is_no_next() -> None:
    assert next_match([], Spot(0, 0), backwards=False) is None
