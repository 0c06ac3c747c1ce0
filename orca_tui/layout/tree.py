"""The split tree of a tab as data: panes, splits, places on a screen. Pure; knows no tab and no widget."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import TypeAlias

import msgspec

from orca_tui.base.errors import Invalid
from orca_tui.base.ids import PaneId

EVEN = 0.5
SMALLEST_SHARE = 0.05  # A pane keeps a twentieth of its split, so that it can be found and dragged again.
SEPARATOR_COLS = 1  # One column is drawn between panes side by side; the title row separates stacked ones.


class Axis(StrEnum):
    """Where the second part of a split lies, seen from the first."""

    RIGHT = "right"
    DOWN = "down"


class Direction(StrEnum):
    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"


class Preset(StrEnum):
    """Ways to arrange all panes of a tab."""

    EVEN_COLUMNS = "even-columns"
    EVEN_ROWS = "even-rows"
    MAIN_LEFT = "main-left"
    TILED = "tiled"


class Leaf(msgspec.Struct, frozen=True, tag="pane"):
    pane: PaneId


class Split(msgspec.Struct, frozen=True, tag="split"):
    """`ratio` is the share of the first part, between 0 and 1."""

    axis: Axis
    first: Node
    second: Node
    ratio: float = EVEN


Node: TypeAlias = Leaf | Split


class Rect(msgspec.Struct, frozen=True):
    x: int
    y: int
    cols: int
    rows: int


def panes_of(node: Node) -> Iterator[PaneId]:
    """The panes of a tree, left to right and top to bottom."""
    match node:
        case Leaf(pane=pane):
            yield pane
        case Split(first=first, second=second):
            yield from panes_of(first)
            yield from panes_of(second)


def arranged(panes: list[PaneId], preset: Preset) -> Node:
    """A tree of all the panes, in their order."""
    leaves: list[Node] = [Leaf(pane) for pane in panes]
    match preset:
        case Preset.EVEN_COLUMNS:
            return _even(leaves, Axis.RIGHT)
        case Preset.EVEN_ROWS:
            return _even(leaves, Axis.DOWN)
        case Preset.MAIN_LEFT:
            return Split(Axis.RIGHT, leaves[0], _even(leaves[1:], Axis.DOWN)) if leaves[1:] else leaves[0]
        case Preset.TILED:
            across = max(1, round(len(leaves) ** 0.5))
            rows = [_even(leaves[at : at + across], Axis.RIGHT) for at in range(0, len(leaves), across)]
            return _even(rows, Axis.DOWN)


def rectangles(node: Node, size: Rect) -> dict[PaneId, Rect]:
    """The place of every pane of a tree within `size`; no place is ever smaller than one cell."""
    match node:
        case Leaf(pane=pane):
            return {pane: size}
        case Split(first=first, second=second):
            one, other = split_rect(node, size)
            return rectangles(first, one) | rectangles(second, other)


def split_rect(split: Split, size: Rect) -> tuple[Rect, Rect]:
    """The two parts of a split; side by side, a separator column lies between them."""
    if split.axis is Axis.RIGHT:
        room = max(2, size.cols - SEPARATOR_COLS)
        first = min(max(1, round(room * split.ratio)), room - 1)
        return (
            Rect(size.x, size.y, first, size.rows),
            Rect(size.x + first + SEPARATOR_COLS, size.y, room - first, size.rows),
        )
    room = max(2, size.rows)
    first = min(max(1, round(room * split.ratio)), room - 1)
    return (
        Rect(size.x, size.y, size.cols, first),
        Rect(size.x, size.y + first, size.cols, room - first),
    )


def neighbour(node: Node, pane: PaneId, direction: Direction, size: Rect) -> PaneId | None:
    """The pane one meets going from `pane` in a direction, the one that shares most of the border."""
    places = rectangles(node, size)
    here = places[pane]
    found = {other: rect for other, rect in places.items() if _lies(rect, direction, here)}
    if not found:
        return None
    return min(
        found,
        key=lambda other: (_gap(found[other], direction, here), -_overlap(found[other], direction, here)),
    )


def _lies(rect: Rect, direction: Direction, here: Rect) -> bool:
    match direction:
        case Direction.LEFT:
            beside = rect.x + rect.cols <= here.x
        case Direction.RIGHT:
            beside = rect.x >= here.x + here.cols
        case Direction.UP:
            beside = rect.y + rect.rows <= here.y
        case Direction.DOWN:
            beside = rect.y >= here.y + here.rows
    return beside and _overlap(rect, direction, here) > 0


def _overlap(rect: Rect, direction: Direction, here: Rect) -> int:
    if direction in (Direction.LEFT, Direction.RIGHT):
        return min(rect.y + rect.rows, here.y + here.rows) - max(rect.y, here.y)
    return min(rect.x + rect.cols, here.x + here.cols) - max(rect.x, here.x)


def _gap(rect: Rect, direction: Direction, here: Rect) -> int:
    match direction:
        case Direction.LEFT:
            return here.x - rect.x - rect.cols
        case Direction.RIGHT:
            return rect.x - here.x - here.cols
        case Direction.UP:
            return here.y - rect.y - rect.rows
        case Direction.DOWN:
            return rect.y - here.y - here.rows


def replace_leaf(node: Node, pane: PaneId, by: Node) -> Node:
    match node:
        case Leaf():
            return by if node.pane == pane else node
        case Split():
            return msgspec.structs.replace(
                node, first=replace_leaf(node.first, pane, by), second=replace_leaf(node.second, pane, by)
            )


def without_leaf(node: Node, pane: PaneId) -> Node | None:
    match node:
        case Leaf():
            return None if node.pane == pane else node
        case Split():
            first, second = without_leaf(node.first, pane), without_leaf(node.second, pane)
            if first is None or second is None:
                return first or second
            return msgspec.structs.replace(node, first=first, second=second)


def map_leaves(node: Node, change: Callable[[PaneId], PaneId]) -> Node:
    match node:
        case Leaf():
            return Leaf(change(node.pane))
        case Split():
            return msgspec.structs.replace(
                node, first=map_leaves(node.first, change), second=map_leaves(node.second, change)
            )


def _even(nodes: list[Node], axis: Axis) -> Node:
    if len(nodes) == 1:
        return nodes[0]
    return Split(axis, nodes[0], _even(nodes[1:], axis), 1 / len(nodes))


def ratio_at(node: Node, path: tuple[int, ...], ratio: float) -> Node:
    if not isinstance(node, Split):
        raise Invalid("no split stands there", path=list(path))
    if not path:
        return msgspec.structs.replace(node, ratio=ratio)
    if path[0] == 0:
        return msgspec.structs.replace(node, first=ratio_at(node.first, path[1:], ratio))
    return msgspec.structs.replace(node, second=ratio_at(node.second, path[1:], ratio))


def move_border(node: Node, pane: PaneId, direction: Direction, share: float) -> Node | None:
    """The tree with the border moved, or None where no split of that axis holds the pane."""
    axis = Axis.RIGHT if direction in (Direction.LEFT, Direction.RIGHT) else Axis.DOWN
    step = share if direction in (Direction.RIGHT, Direction.DOWN) else -share
    wants_first = direction in (Direction.RIGHT, Direction.DOWN)
    path = _path_to(node, pane)
    levels = [(depth, step_taken == 0) for depth, step_taken in enumerate(path)]
    candidates = [
        (depth, in_first)
        for depth, in_first in reversed(levels)
        if _split_at(node, path[:depth]).axis is axis
    ]
    facing = [depth for depth, in_first in candidates if in_first is wants_first]
    chosen = facing[0] if facing else candidates[0][0] if candidates else None
    if chosen is None:
        return None
    split = _split_at(node, path[:chosen])
    return ratio_at(node, path[:chosen], within(split.ratio + step))


def _path_to(node: Node, pane: PaneId) -> tuple[int, ...]:
    if isinstance(node, Leaf):
        return ()
    if pane in panes_of(node.first):
        return (0, *_path_to(node.first, pane))
    return (1, *_path_to(node.second, pane))


def _split_at(node: Node, path: tuple[int, ...]) -> Split:
    for step in path:
        assert isinstance(node, Split)
        node = node.second if step else node.first
    assert isinstance(node, Split)
    return node


def within(ratio: float) -> float:
    return min(max(ratio, SMALLEST_SHARE), 1 - SMALLEST_SHARE)
