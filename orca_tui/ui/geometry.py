"""Where everything stands: the outer terminal's size and a tab's layout in, rectangles out. Pure.

Rule 1: the first row holds the tabs, the last row the hints, the sidebar and the panes share the rest.
Rule 2: a pane's first row is its title; a place of a single row has no title.
Rule 3: on a narrow terminal the sidebar lies over the panes and takes no room from them.
Rule 4: an outer terminal below 20x5 shows a sentence and nothing else.
"""

from __future__ import annotations

import msgspec

from orca_tui.base.ids import PaneId
from orca_tui.layout import Axis, Node, Rect, Split, Tab, split_rect, visible_rectangles

SMALLEST_COLS = 20
SMALLEST_ROWS = 5
NARROW_COLS = 80
"""Below this the sidebar would leave a pane less than agents are made for."""
PANES_KEEP_COLS = 20
"""What a wide sidebar leaves to the panes at least."""
BORDER_COLS = 1


class SidebarWish(msgspec.Struct, frozen=True, kw_only=True):
    """How the sidebar should be, as settings and keys have it."""

    shown: bool = True
    cols: int = 30
    right: bool = False


class Areas(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of the screen."""

    tabs: Rect
    hints: Rect
    panes: Rect
    sidebar: Rect | None
    border: Rect | None
    """The column between sidebar and panes."""
    over: bool
    """The sidebar lies over the panes."""


def areas(cols: int, rows: int, wish: SidebarWish) -> Areas | None:
    """The parts of a screen of that size; None when it is too small (Rule 4)."""
    if cols < SMALLEST_COLS or rows < SMALLEST_ROWS:
        return None
    whole = Areas(
        tabs=Rect(0, 0, cols, 1),
        hints=Rect(0, rows - 1, cols, 1),
        panes=Rect(0, 1, cols, rows - 2),
        sidebar=None,
        border=None,
        over=cols < NARROW_COLS,
    )
    if not wish.shown:
        return whole
    width = max(1, min(wish.cols, cols - BORDER_COLS - (1 if whole.over else PANES_KEEP_COLS)))
    left = cols - width if wish.right else 0
    border_x = left - BORDER_COLS if wish.right else width
    sidebar, border = Rect(left, 1, width, rows - 2), Rect(border_x, 1, BORDER_COLS, rows - 2)
    if whole.over:
        return msgspec.structs.replace(whole, sidebar=sidebar, border=border)
    panes_x = 0 if wish.right else width + BORDER_COLS
    panes = Rect(panes_x, 1, cols - width - BORDER_COLS, rows - 2)
    return msgspec.structs.replace(whole, sidebar=sidebar, border=border, panes=panes)


class PanePlace(msgspec.Struct, frozen=True, kw_only=True):
    """One visible pane: its title row (None: no room) and what its terminal covers."""

    pane: PaneId
    title: Rect | None
    screen: Rect

    @property
    def whole(self) -> Rect:
        """Title and terminal."""
        if self.title is None:
            return self.screen
        return Rect(self.title.x, self.title.y, self.title.cols, self.screen.rows + 1)


class Border(msgspec.Struct, frozen=True, kw_only=True):
    """A split's border. Side by side it is a column; stacked, it is the title rows of the lower panes."""

    axis: Axis
    path: tuple[int, ...]
    """Which split it belongs to: from the root, 0 = first part, 1 = second part."""
    place: Rect
    """The column, or the row of the lower part's titles."""
    split: Rect
    """What the whole split covers: a ratio is a share of it."""


class Places(msgspec.Struct, frozen=True, kw_only=True):
    """A tab as it is on screen."""

    panes: tuple[PanePlace, ...] = ()
    borders: tuple[Border, ...] = ()


def places(tab: Tab, area: Rect) -> Places:
    """Where the visible panes of a tab stand within an area; what would stick out is cut off."""
    visible = visible_rectangles(tab, area)
    found = [_pane_place(pane, _within(rect, area)) for pane, rect in visible.items()]
    borders = [] if tab.zoomed else list(_borders(tab.root, area, ()))
    return Places(
        panes=tuple(place for place in found if place is not None),
        borders=tuple(border for border in borders if _within(border.place, area) == border.place),
    )


def _pane_place(pane: PaneId, rect: Rect) -> PanePlace | None:
    if rect.cols < 1 or rect.rows < 1:
        return None
    if rect.rows == 1:
        return PanePlace(pane=pane, title=None, screen=rect)
    title = Rect(rect.x, rect.y, rect.cols, 1)
    return PanePlace(pane=pane, title=title, screen=Rect(rect.x, rect.y + 1, rect.cols, rect.rows - 1))


def _within(rect: Rect, area: Rect) -> Rect:
    left, top = max(rect.x, area.x), max(rect.y, area.y)
    right = min(rect.x + rect.cols, area.x + area.cols)
    bottom = min(rect.y + rect.rows, area.y + area.rows)
    return Rect(left, top, max(0, right - left), max(0, bottom - top))


def _borders(node: Node, area: Rect, path: tuple[int, ...]) -> list[Border]:
    if not isinstance(node, Split):
        return []
    first, second = split_rect(node, area)
    if node.axis is Axis.RIGHT:
        place = Rect(first.x + first.cols, area.y, second.x - first.x - first.cols, area.rows)
    else:
        place = Rect(area.x, second.y, area.cols, 1)
    here = Border(axis=node.axis, path=path, place=place, split=area)
    return [here, *_borders(node.first, first, (*path, 0)), *_borders(node.second, second, (*path, 1))]


def ratio_for(border: Border, x: int, y: int) -> float:
    """The share of the first part that puts a split's border at a cell."""
    if border.axis is Axis.RIGHT:
        return (x - border.split.x) / max(1, border.split.cols - border.place.cols)
    return (y - border.split.y) / max(1, border.split.rows)


class Joint(msgspec.Struct, frozen=True, kw_only=True):
    """One cell of a vertical line: do title rows meet it, and does the focused pane touch it?"""

    left: bool = False
    right: bool = False
    focused: bool = False


def joints(column: Rect, panes: tuple[PanePlace, ...], focused: str | None) -> tuple[Joint, ...]:
    """What a vertical line one column wide looks like, from its upper end to its lower end."""
    beside = [place for place in panes if _touches(place.whole, column)]
    return tuple(_joint(column.x, y, beside, focused) for y in range(column.y, column.y + column.rows))


def _joint(x: int, y: int, beside: list[PanePlace], focused: str | None) -> Joint:
    here = [place for place in beside if place.whole.y <= y < place.whole.y + place.whole.rows]
    titled = [place for place in here if place.title is not None and place.title.y == y]
    return Joint(
        left=any(place.whole.x < x for place in titled),
        right=any(place.whole.x > x for place in titled),
        focused=any(place.pane == focused for place in here),
    )


def _touches(rect: Rect, column: Rect) -> bool:
    return column.x in (rect.x - 1, rect.x + rect.cols)
