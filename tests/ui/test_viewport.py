"""The part of a pane that has room on screen."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from orca_tui.ui.viewport import Viewport, following, thumb

SIDES = st.integers(1, 60)


@given(SIDES, SIDES, SIDES, SIDES, st.data())
def test_the_cursor_is_always_in_the_window(
    cols: int, rows: int, pane_cols: int, pane_rows: int, data: st.DataObject
) -> None:
    window = Viewport()
    for _ in range(3):
        cursor = (data.draw(st.integers(0, pane_cols - 1)), data.draw(st.integers(0, pane_rows - 1)))
        window = following(window, size=(cols, rows), pane=(pane_cols, pane_rows), cursor=cursor)

        assert window.on_window(*cursor) is not None
        assert 0 <= window.x <= max(0, pane_cols - cols)
        assert 0 <= window.y <= max(0, pane_rows - rows)


def test_a_pane_that_fits_is_shown_from_its_first_cell() -> None:
    window = following(Viewport(x=4, y=4), size=(80, 24), pane=(80, 24), cursor=(79, 23))

    assert (window.x, window.y) == (0, 0)


def test_the_window_moves_as_little_as_needed() -> None:
    window = following(Viewport(), size=(10, 5), pane=(40, 20), cursor=(3, 12))
    assert (window.x, window.y) == (0, 8)

    window = following(window, size=(10, 5), pane=(40, 20), cursor=(3, 9))
    assert (window.x, window.y) == (0, 8)


def test_cells_of_window_and_pane_belong_together() -> None:
    window = Viewport(x=3, y=7, cols=10, rows=5)

    assert window.on_pane(2, 1) == (5, 8)
    assert window.on_window(5, 8) == (2, 1)
    assert window.on_window(2, 8) is None
    assert window.on_window(5, 12) is None


@given(st.integers(1, 100), st.integers(0, 10_000), st.data())
def test_the_thumb_stays_in_its_track(track: int, above: int, data: st.DataObject) -> None:
    total = above + track
    first = data.draw(st.integers(0, above))

    start, length = thumb(track_rows=track, total_rows=total, first_row=first, shown_rows=track)

    assert length >= 1
    assert 0 <= start <= track - length


def test_the_thumb_is_at_the_ends_where_the_view_is() -> None:
    assert thumb(track_rows=10, total_rows=100, first_row=0, shown_rows=10) == (0, 1)
    assert thumb(track_rows=10, total_rows=100, first_row=90, shown_rows=10) == (9, 1)
