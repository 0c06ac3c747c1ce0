"""Where everything stands."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from orca_tui.base.ids import PaneId
from orca_tui.layout import Axis, Rect, Tab, active_tab, open_split, zoom
from orca_tui.ui.geometry import SidebarWish, areas, joints, places, ratio_for
from tests.ui.examples import layout_of

HIDDEN = SidebarWish(shown=False)
SIZES = st.tuples(st.integers(20, 300), st.integers(5, 100))


def tab_of(*panes: str) -> Tab:
    tab = active_tab(layout_of((panes,)))
    assert tab is not None
    return tab


def stacked() -> Tab:
    """p1 above p2, p3 to the right of both."""
    layout = open_split(layout_of((("p1", "p3"),)), PaneId("p2"), PaneId("p1"), Axis.DOWN)
    tab = active_tab(layout)
    assert tab is not None
    return tab


def cells(rect: Rect) -> set[tuple[int, int]]:
    return {(x, y) for x in range(rect.x, rect.x + rect.cols) for y in range(rect.y, rect.y + rect.rows)}


@given(SIZES, st.integers(16, 80), st.booleans(), st.booleans())
def test_the_parts_cover_the_screen_and_no_cell_twice(
    size: tuple[int, int], width: int, right: bool, shown: bool
) -> None:
    found = areas(*size, SidebarWish(shown=shown, cols=width, right=right))

    assert found is not None
    parts = [found.tabs, found.hints, found.panes]
    if not found.over:
        parts += [part for part in (found.sidebar, found.border) if part is not None]
    covered = [cell for part in parts for cell in cells(part)]
    assert sorted(covered) == sorted(cells(Rect(0, 0, *size)))


def test_a_terminal_below_twenty_by_five_has_no_parts() -> None:
    assert areas(19, 24, HIDDEN) is None
    assert areas(80, 4, HIDDEN) is None
    assert areas(20, 5, HIDDEN) is not None


def test_on_a_narrow_terminal_the_sidebar_takes_no_room() -> None:
    found = areas(79, 24, SidebarWish())

    assert found is not None
    assert found.over
    assert found.panes == Rect(0, 1, 79, 22)
    assert found.sidebar == Rect(0, 1, 30, 22)


def test_a_sidebar_on_the_right_leaves_the_left_to_the_panes() -> None:
    found = areas(120, 40, SidebarWish(cols=30, right=True))

    assert found is not None
    assert found.panes == Rect(0, 1, 89, 38)
    assert (found.border, found.sidebar) == (Rect(89, 1, 1, 38), Rect(90, 1, 30, 38))


def test_a_pane_has_its_title_above_its_terminal() -> None:
    (place,) = places(tab_of("p1"), Rect(31, 1, 89, 38)).panes

    assert place.title == Rect(31, 1, 89, 1)
    assert place.screen == Rect(31, 2, 89, 37)
    assert place.whole == Rect(31, 1, 89, 38)


def test_a_place_of_one_row_has_no_title() -> None:
    (place,) = places(tab_of("p1"), Rect(0, 1, 40, 1)).panes

    assert place.title is None
    assert place.screen == Rect(0, 1, 40, 1)


@given(st.tuples(st.integers(1, 120), st.integers(1, 60)))
def test_no_pane_sticks_out_of_its_area_however_small_it_is(size: tuple[int, int]) -> None:
    area = Rect(3, 1, *size)

    found = places(stacked(), area)

    for place in found.panes:
        assert cells(place.whole) <= cells(area)
        assert place.screen.cols >= 1
        assert place.screen.rows >= 1
    for border in found.borders:
        assert cells(border.place) <= cells(area)


def test_a_zoomed_pane_is_alone() -> None:
    layout = zoom(layout_of((("p1", "p2"),)), PaneId("p2"))
    tab = active_tab(layout)
    assert tab is not None

    found = places(tab, Rect(0, 0, 80, 24))

    assert [place.pane for place in found.panes] == ["p2"]
    assert found.borders == ()


def test_borders_know_their_split() -> None:
    column, row = places(stacked(), Rect(0, 0, 81, 24)).borders

    assert (column.axis, column.path, column.place) == (Axis.RIGHT, (), Rect(40, 0, 1, 24))
    assert (row.axis, row.path, row.place) == (Axis.DOWN, (0,), Rect(0, 12, 40, 1))


def test_a_border_dragged_to_a_cell_has_the_ratio_that_puts_it_there() -> None:
    column, row = places(stacked(), Rect(0, 0, 81, 24)).borders

    assert ratio_for(column, 20, 5) == 0.25
    assert ratio_for(row, 3, 6) == 0.25


def test_titles_are_joined_to_the_line_that_they_meet() -> None:
    area = Rect(0, 0, 81, 24)
    found = places(stacked(), area)
    column = found.borders[0]

    line = joints(column.place, found.panes, "p2")

    assert (line[0].left, line[0].right) == (True, True)
    assert (line[5].left, line[5].right) == (False, False)
    assert (line[12].left, line[12].right) == (True, False)


def test_only_the_rows_beside_the_focused_pane_are_marked() -> None:
    found = places(stacked(), Rect(0, 0, 81, 24))

    line = joints(found.borders[0].place, found.panes, "p2")

    assert [joint.focused for joint in line] == [False] * 12 + [True] * 12
