"""Lines of pieces."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from orca_tui.status.record import Status
from orca_tui.ui.pieces import STATUS_STYLES, Piece, content, cut, spread, target_at, width_of
from orca_tui.ui.symbols import ASCII, UNICODE
from orca_tui.ui.texts import one_line

LINES = st.lists(st.text(max_size=8).map(one_line).map(lambda text: Piece(text=text)), max_size=5).map(tuple)


@given(LINES, LINES, st.integers(0, 40))
def test_a_spread_line_has_its_width(left: tuple[Piece, ...], right: tuple[Piece, ...], cells: int) -> None:
    assert width_of(spread(left, right, cells, ellipsis="…")) == cells


@given(LINES, st.integers(0, 40))
def test_a_cut_line_is_no_wider_than_it_may(line: tuple[Piece, ...], cells: int) -> None:
    assert width_of(cut(line, cells, "…")) <= cells


def test_a_click_between_pieces_means_the_piece_under_it() -> None:
    line = (Piece(text="端", target="wide"), Piece(text="  "), Piece(text="x", target="x"))

    assert [target_at(line, x) for x in range(6)] == ["wide", "wide", "", "", "x", ""]


def test_content_has_the_text_of_the_lines() -> None:
    lines = ((Piece(text="[b]no markup[/b]", style="bold"),), (Piece(text="two"),))

    assert content(lines).plain == "[b]no markup[/b]\ntwo"


def test_every_status_has_a_style_and_a_glyph() -> None:
    assert set(STATUS_STYLES) == set(UNICODE.statuses) == set(ASCII.statuses) == set(Status)
