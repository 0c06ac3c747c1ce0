"""The split tree: how panes share a screen and who is whose neighbour."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_tui.base.errors import Invalid
from orca_tui.base.ids import PaneId
from orca_tui.layout import Axis, Direction, Leaf, Node, Preset, Rect, Split, neighbour, panes_of, rectangles
from orca_tui.layout.tree import (
    SEPARATOR_COLS,
    SMALLEST_SHARE,
    arranged,
    move_border,
    ratio_at,
    replace_leaf,
    split_rect,
    without_leaf,
)

SCREEN = Rect(0, 0, 121, 40)


def pane(number: int) -> PaneId:
    return PaneId(f"p{number}")


def leaf(number: int) -> Leaf:
    return Leaf(pane(number))


RATIOS = st.floats(SMALLEST_SHARE, 1 - SMALLEST_SHARE)


@st.composite
def trees(draw: st.DrawFn, most: int = 8) -> Node:
    """A tree of panes p1, p2 ... in order."""
    count = draw(st.integers(1, most))

    def grow(first: int, last: int) -> Node:
        if first == last:
            return leaf(first)
        middle = draw(st.integers(first, last - 1))
        axis = draw(st.sampled_from(list(Axis)))
        return Split(axis, grow(first, middle), grow(middle + 1, last), draw(RATIOS))

    return grow(1, count)


def needed(node: Node) -> tuple[int, int]:
    """The smallest size in which every pane of a tree has room at any ratio that is allowed."""
    if isinstance(node, Leaf):
        return 1, 1
    # A twentieth of the room must be enough for the needier part.
    (first_cols, first_rows), (second_cols, second_rows) = needed(node.first), needed(node.second)
    factor = round(1 / SMALLEST_SHARE)
    if node.axis is Axis.RIGHT:
        return max(first_cols, second_cols) * factor + SEPARATOR_COLS, max(first_rows, second_rows)
    return max(first_cols, second_cols), max(first_rows, second_rows) * factor


@given(tree=trees(4), origin=st.tuples(st.integers(0, 50), st.integers(0, 50)))
def test_panes_tile_a_screen_that_is_large_enough(tree: Node, origin: tuple[int, int]) -> None:
    cols, rows = needed(tree)
    screen = Rect(*origin, cols, rows)

    places = rectangles(tree, screen)

    areas = [rect.cols * rect.rows for rect in places.values()]
    separators = _separator_cells(tree, screen)
    assert sum(areas) + separators == cols * rows
    for rect in places.values():
        assert rect.x >= screen.x
        assert rect.y >= screen.y
        assert rect.x + rect.cols <= screen.x + cols
        assert rect.y + rect.rows <= screen.y + rows
    rects = list(places.values())
    assert not any(_overlap(a, b) for i, a in enumerate(rects) for b in rects[i + 1 :])


def _overlap(one: Rect, other: Rect) -> bool:
    return (
        one.x < other.x + other.cols
        and other.x < one.x + one.cols
        and one.y < other.y + other.rows
        and other.y < one.y + one.rows
    )


def _separator_cells(node: Node, screen: Rect) -> int:
    if isinstance(node, Leaf):
        return 0
    first, second = split_rect(node, screen)
    own = screen.rows * SEPARATOR_COLS if node.axis is Axis.RIGHT else 0
    return own + _separator_cells(node.first, first) + _separator_cells(node.second, second)


@given(tree=trees(), cols=st.integers(1, 30), rows=st.integers(1, 30))
def test_no_pane_is_ever_smaller_than_a_cell(tree: Node, cols: int, rows: int) -> None:
    places = rectangles(tree, Rect(0, 0, cols, rows))

    assert list(places) == list(panes_of(tree))
    assert all(rect.cols >= 1 and rect.rows >= 1 for rect in places.values())


@given(tree=trees(5), direction=st.sampled_from(list(Direction)))
def test_a_neighbour_is_another_pane_that_lies_there(tree: Node, direction: Direction) -> None:
    cols, rows = needed(tree)
    screen = Rect(0, 0, cols, rows)
    places = rectangles(tree, screen)
    for here in panes_of(tree):
        found = neighbour(tree, here, direction, screen)
        if found is None:
            continue
        one, other = places[here], places[found]
        assert found != here
        match direction:
            case Direction.LEFT:
                assert other.x + other.cols <= one.x
            case Direction.RIGHT:
                assert other.x >= one.x + one.cols
            case Direction.UP:
                assert other.y + other.rows <= one.y
            case Direction.DOWN:
                assert other.y >= one.y + one.rows


def test_the_neighbour_shares_most_of_the_border() -> None:
    # p1 | p2 over p3, p3 taking three quarters of the height
    tree = Split(Axis.RIGHT, leaf(1), Split(Axis.DOWN, leaf(2), leaf(3), 0.25))

    assert neighbour(tree, pane(1), Direction.RIGHT, SCREEN) == "p3"
    assert neighbour(tree, pane(2), Direction.LEFT, SCREEN) == "p1"
    assert neighbour(tree, pane(2), Direction.DOWN, SCREEN) == "p3"
    assert neighbour(tree, pane(1), Direction.UP, SCREEN) is None


@given(count=st.integers(1, 12), preset=st.sampled_from(list(Preset)))
def test_a_preset_keeps_all_panes_in_their_order(count: int, preset: Preset) -> None:
    panes = [pane(number) for number in range(1, count + 1)]

    assert list(panes_of(arranged(panes, preset))) == panes


@pytest.mark.parametrize(
    ("preset", "shape"),
    [
        (Preset.EVEN_COLUMNS, [(40, 40), (40, 40), (40, 40)]),
        (Preset.EVEN_ROWS, [(122, 13), (122, 14), (122, 13)]),
        (Preset.MAIN_LEFT, [(60, 40), (61, 20), (61, 20)]),
        (Preset.TILED, [(60, 20), (61, 20), (122, 20)]),
    ],
)
def test_presets_share_the_screen_evenly(preset: Preset, shape: list[tuple[int, int]]) -> None:
    tree = arranged([pane(1), pane(2), pane(3)], preset)

    places = rectangles(tree, Rect(0, 0, 122, 40))

    assert [(rect.cols, rect.rows) for rect in places.values()] == shape


@given(tree=trees(), data=st.data())
def test_a_pane_taken_out_leaves_the_others_in_their_order(tree: Node, data: st.DataObject) -> None:
    panes = list(panes_of(tree))
    gone = data.draw(st.sampled_from(panes))

    rest = without_leaf(tree, gone)

    assert [one for one in panes if one != gone] == (list(panes_of(rest)) if rest else [])


def test_a_pane_that_leaves_gives_its_place_to_its_sibling() -> None:
    tree = Split(Axis.RIGHT, leaf(1), Split(Axis.DOWN, leaf(2), leaf(3)), 0.3)

    assert without_leaf(tree, pane(2)) == Split(Axis.RIGHT, leaf(1), leaf(3), 0.3)
    assert without_leaf(tree, pane(1)) == Split(Axis.DOWN, leaf(2), leaf(3))


def test_a_pane_is_replaced_by_a_whole_tree() -> None:
    tree = replace_leaf(Split(Axis.RIGHT, leaf(1), leaf(2)), pane(2), Split(Axis.DOWN, leaf(2), leaf(3)))

    assert list(panes_of(tree)) == ["p1", "p2", "p3"]


# Borders


def test_the_border_towards_the_direction_moves_away() -> None:
    tree = Split(Axis.RIGHT, leaf(1), leaf(2))

    assert move_border(tree, pane(1), Direction.RIGHT, 0.1) == Split(Axis.RIGHT, leaf(1), leaf(2), 0.6)
    assert move_border(tree, pane(2), Direction.LEFT, 0.1) == Split(Axis.RIGHT, leaf(1), leaf(2), 0.4)


def test_a_pane_at_the_edge_moves_its_other_border_the_same_way() -> None:
    tree = Split(Axis.RIGHT, leaf(1), leaf(2))

    assert move_border(tree, pane(2), Direction.RIGHT, 0.1) == Split(Axis.RIGHT, leaf(1), leaf(2), 0.6)
    assert move_border(tree, pane(1), Direction.LEFT, 0.1) == Split(Axis.RIGHT, leaf(1), leaf(2), 0.4)


def test_the_nearest_border_that_faces_the_direction_is_the_one_that_moves() -> None:
    tree = Split(Axis.RIGHT, Split(Axis.RIGHT, leaf(1), leaf(2)), leaf(3))

    moved = move_border(tree, pane(2), Direction.RIGHT, 0.1)

    assert isinstance(moved, Split)
    assert moved.ratio == 0.6
    assert moved.first == tree.first


def test_without_a_split_of_that_axis_nothing_moves() -> None:
    assert move_border(Split(Axis.RIGHT, leaf(1), leaf(2)), pane(1), Direction.UP, 0.1) is None
    assert move_border(leaf(1), pane(1), Direction.LEFT, 0.1) is None


@given(tree=trees(), direction=st.sampled_from(list(Direction)), data=st.data())
def test_a_border_never_leaves_its_range(tree: Node, direction: Direction, data: st.DataObject) -> None:
    here = data.draw(st.sampled_from(list(panes_of(tree))))
    for _ in range(5):
        tree = move_border(tree, here, direction, 0.4) or tree

    assert all(SMALLEST_SHARE <= ratio <= 1 - SMALLEST_SHARE for ratio in ratios(tree))


def ratios(node: Node) -> list[float]:
    if isinstance(node, Leaf):
        return []
    return [node.ratio, *ratios(node.first), *ratios(node.second)]


def test_a_ratio_is_set_by_the_path_from_the_root() -> None:
    tree = Split(Axis.RIGHT, leaf(1), Split(Axis.DOWN, leaf(2), leaf(3)))

    assert ratio_at(tree, (1,), 0.7) == Split(Axis.RIGHT, leaf(1), Split(Axis.DOWN, leaf(2), leaf(3), 0.7))
    assert ratio_at(tree, (), 0.2) == Split(Axis.RIGHT, tree.first, tree.second, 0.2)


@pytest.mark.parametrize("path", [(0,), (1, 0), (1, 1, 0), (0, 0)])
def test_a_path_that_leads_to_no_split_is_invalid(path: tuple[int, ...]) -> None:
    tree = Split(Axis.RIGHT, leaf(1), Split(Axis.DOWN, leaf(2), leaf(3)))

    with pytest.raises(Invalid):
        ratio_at(tree, path, 0.5)
