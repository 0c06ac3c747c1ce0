"""Workspaces, tabs and what can be done to them. Pure: every function returns a new layout.

A workspace has tabs, a tab has a split tree of panes. A tab always has a focused pane, a workspace an active
tab, and a layout an active workspace as long as there is one.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from orca_tui.base.errors import Invalid, NotFound, PaneNotFound
from orca_tui.base.ids import PaneId, TabId, WorkspaceId
from orca_tui.layout.tree import (
    Axis,
    Direction,
    Leaf,
    Node,
    Preset,
    Rect,
    Split,
    arranged,
    map_leaves,
    move_border,
    panes_of,
    ratio_at,
    rectangles,
    replace_leaf,
    within,
    without_leaf,
)

RESIZE_STEP = 0.04  # One key press moves a border by about two rows or four columns of a usual screen.


class Tab(msgspec.Struct, frozen=True, kw_only=True):
    id: TabId
    name: str
    """Given by a person, or empty: then the focused pane's title is shown."""
    root: Node
    focused: PaneId
    zoomed: bool = False


class Workspace(msgspec.Struct, frozen=True, kw_only=True):
    id: WorkspaceId
    name: str
    tabs: tuple[Tab, ...]
    active: TabId


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """Everything there is to show, and the next free numbers, so that an id is never used twice."""

    workspaces: tuple[Workspace, ...] = ()
    active: WorkspaceId | None = None
    next_pane: int = 1
    next_tab: int = 1
    next_workspace: int = 1


def all_panes(layout: Layout) -> Iterator[PaneId]:
    """Every pane, in the order in which workspaces and tabs stand."""
    for workspace in layout.workspaces:
        for tab in workspace.tabs:
            yield from panes_of(tab.root)


def places_of(layout: Layout) -> dict[PaneId, tuple[WorkspaceId, TabId]]:
    """The workspace and the tab of every pane."""
    return {
        pane: (workspace.id, tab.id)
        for workspace in layout.workspaces
        for tab in workspace.tabs
        for pane in panes_of(tab.root)
    }


def active_workspace(layout: Layout) -> Workspace | None:
    return next((one for one in layout.workspaces if one.id == layout.active), None)


def active_tab(layout: Layout) -> Tab | None:
    workspace = active_workspace(layout)
    return next((tab for tab in workspace.tabs if tab.id == workspace.active), None) if workspace else None


def focused_pane(layout: Layout) -> PaneId | None:
    """The pane that has the keyboard."""
    tab = active_tab(layout)
    return tab.focused if tab else None


def find_pane(layout: Layout, pane: str) -> tuple[Workspace, Tab]:
    """Where a pane stands; raises `PaneNotFound`."""
    for workspace in layout.workspaces:
        for tab in workspace.tabs:
            if any(one == pane for one in panes_of(tab.root)):
                return workspace, tab
    raise PaneNotFound(pane)


def find_tab(layout: Layout, tab_id: str) -> tuple[Workspace, Tab]:
    """A tab and its workspace; raises `NotFound`."""
    for workspace in layout.workspaces:
        for tab in workspace.tabs:
            if tab.id == tab_id:
                return workspace, tab
    raise NotFound(f"no tab {tab_id!r}", tab=tab_id)


def find_workspace(layout: Layout, workspace_id: str) -> Workspace:
    """A workspace by id; raises `NotFound`."""
    for workspace in layout.workspaces:
        if workspace.id == workspace_id:
            return workspace
    raise NotFound(f"no workspace {workspace_id!r}", workspace=workspace_id)


# Opening


def new_pane_id(layout: Layout) -> tuple[Layout, PaneId]:
    """Take the next pane number."""
    pane = PaneId(f"p{layout.next_pane}")
    return msgspec.structs.replace(layout, next_pane=layout.next_pane + 1), pane


def open_in_workspace(layout: Layout, pane: PaneId, name: str = "") -> Layout:
    """Put a pane into a new tab of a new workspace and focus it."""
    tab = Tab(id=TabId(f"t{layout.next_tab}"), name="", root=Leaf(pane), focused=pane)
    workspace = Workspace(id=WorkspaceId(f"w{layout.next_workspace}"), name=name, tabs=(tab,), active=tab.id)
    return msgspec.structs.replace(
        layout,
        workspaces=(*layout.workspaces, workspace),
        active=workspace.id,
        next_tab=layout.next_tab + 1,
        next_workspace=layout.next_workspace + 1,
    )


def open_in_tab(layout: Layout, pane: PaneId, workspace_id: str | None = None) -> Layout:
    """Put a pane into a new tab, after the active one, of a workspace (default: the active one)."""
    target = workspace_id or layout.active
    if target is None:
        return open_in_workspace(layout, pane)
    workspace = find_workspace(layout, target)
    tab = Tab(id=TabId(f"t{layout.next_tab}"), name="", root=Leaf(pane), focused=pane)
    at = [one.id for one in workspace.tabs].index(workspace.active) + 1
    tabs = (*workspace.tabs[:at], tab, *workspace.tabs[at:])
    layout = msgspec.structs.replace(layout, next_tab=layout.next_tab + 1, active=workspace.id)
    return _with_workspace(layout, msgspec.structs.replace(workspace, tabs=tabs, active=tab.id))


def open_split(layout: Layout, pane: PaneId, beside: PaneId, axis: Axis) -> Layout:
    """Split the place of `beside` in two, give the second half to `pane` and focus it."""
    workspace, tab = find_pane(layout, beside)
    root = replace_leaf(tab.root, beside, Split(axis, Leaf(beside), Leaf(pane)))
    tab = msgspec.structs.replace(tab, root=root, focused=pane, zoomed=False)
    return _activate(_with_tab(layout, workspace, tab), workspace.id, tab.id)


# Closing


def close_pane(layout: Layout, pane: PaneId) -> Layout:
    """Take a pane away; its sibling takes its place, and an empty tab or workspace goes too."""
    workspace, tab = find_pane(layout, pane)
    root = without_leaf(tab.root, pane)
    if root is None:
        return _close_tab(layout, workspace, tab)
    order = list(panes_of(tab.root))
    focused = tab.focused
    if focused == pane:
        at = order.index(pane)
        focused = order[at - 1] if at else order[1]
    still_zoomed = tab.zoomed and focused == tab.focused and isinstance(root, Split)
    return _with_tab(
        layout, workspace, msgspec.structs.replace(tab, root=root, focused=focused, zoomed=still_zoomed)
    )


def _close_tab(layout: Layout, workspace: Workspace, tab: Tab) -> Layout:
    order = [one.id for one in workspace.tabs]
    at = order.index(tab.id)
    tabs = tuple(one for one in workspace.tabs if one.id != tab.id)
    if tabs:
        active = workspace.active if workspace.active != tab.id else tabs[max(0, at - 1)].id
        return _with_workspace(layout, msgspec.structs.replace(workspace, tabs=tabs, active=active))
    rest = tuple(one for one in layout.workspaces if one.id != workspace.id)
    at = [one.id for one in layout.workspaces].index(workspace.id)
    left = layout.active if layout.active != workspace.id else rest[max(0, at - 1)].id if rest else None
    return msgspec.structs.replace(layout, workspaces=rest, active=left)


# Focus


def focus(layout: Layout, target: str) -> Layout:
    """Focus a pane, a tab or a workspace by id; a zoomed tab shows the pane that gets the focus."""
    match target[:1]:
        case "w":
            return msgspec.structs.replace(layout, active=find_workspace(layout, target).id)
        case "t":
            workspace, tab = find_tab(layout, target)
            return _activate(layout, workspace.id, tab.id)
        case _:
            workspace, tab = find_pane(layout, target)
            tab = msgspec.structs.replace(tab, focused=PaneId(target))
            return _activate(_with_tab(layout, workspace, tab), workspace.id, tab.id)


# Changing


def rename(layout: Layout, target: str, name: str) -> Layout:
    """Name a tab or a workspace; a pane's name is not part of the layout."""
    if target.startswith("w"):
        return _with_workspace(layout, msgspec.structs.replace(find_workspace(layout, target), name=name))
    workspace, tab = find_tab(layout, target)
    return _with_tab(layout, workspace, msgspec.structs.replace(tab, name=name))


def zoom(layout: Layout, pane: PaneId, on: bool | None = None) -> Layout:
    """Show one pane alone in its tab, or all again; None turns it over. The pane gets the focus."""
    workspace, tab = find_pane(layout, pane)
    wanted = not (tab.zoomed and tab.focused == pane) if on is None else on
    several = isinstance(tab.root, Split)
    return _with_tab(layout, workspace, msgspec.structs.replace(tab, focused=pane, zoomed=wanted and several))


def resize(layout: Layout, pane: PaneId, direction: Direction, share: float = RESIZE_STEP) -> Layout:
    """Move the nearest border of `pane` that can move in a direction, by a share of its split.

    The border towards the direction moves away from the pane; where the pane has none there (it is at the
    edge), its opposite border moves the same way, as in tmux.
    """
    workspace, tab = find_pane(layout, pane)
    root = move_border(tab.root, pane, direction, share)
    return _with_tab(layout, workspace, msgspec.structs.replace(tab, root=root)) if root else layout


def set_ratio(layout: Layout, tab_id: str, path: tuple[int, ...], ratio: float) -> Layout:
    """Set the split at a path (0 = first, 1 = second, from the root), as a drag of its border does."""
    workspace, tab = find_tab(layout, tab_id)
    root = ratio_at(tab.root, path, within(ratio))
    return _with_tab(layout, workspace, msgspec.structs.replace(tab, root=root))


def swap(layout: Layout, one: PaneId, other: PaneId) -> Layout:
    """Exchange two panes of one tab; the focus stays with the pane that had it."""
    workspace, tab = find_pane(layout, one)
    if other not in panes_of(tab.root):
        raise Invalid(f"panes {one} and {other} are in different tabs", pane=one, other=other)
    swapped = {one: other, other: one}
    root = map_leaves(tab.root, lambda pane: swapped.get(pane, pane))
    return _with_tab(layout, workspace, msgspec.structs.replace(tab, root=root))


def move_to_tab(layout: Layout, pane: PaneId, tab_id: str) -> Layout:
    """Take a pane out of its tab and split the focused pane of another tab with it."""
    _, source = find_pane(layout, pane)
    if source.id == tab_id:
        return layout
    _, target = find_tab(layout, tab_id)
    return open_split(close_pane(layout, pane), pane, target.focused, Axis.RIGHT)


def move_to_new_tab(layout: Layout, pane: PaneId, workspace_id: str | None = None) -> Layout:
    """Take a pane out of its tab and give it one of its own, in a workspace (default: its own)."""
    workspace, tab = find_pane(layout, pane)
    target = workspace_id or workspace.id
    find_workspace(layout, target)
    if isinstance(tab.root, Leaf) and target == workspace.id:
        return layout
    closed = close_pane(layout, pane)
    if all(one.id != target for one in closed.workspaces):
        return layout  # It was alone in the workspace that it should move to.
    return open_in_tab(closed, pane, target)


def move_to_new_workspace(layout: Layout, pane: PaneId, name: str = "") -> Layout:
    """Take a pane out of its tab into a workspace of its own."""
    return open_in_workspace(close_pane(layout, pane), pane, name)


def arrange(layout: Layout, tab_id: str, preset: Preset) -> Layout:
    """Arrange all panes of a tab anew, in their order."""
    workspace, tab = find_tab(layout, tab_id)
    root = arranged(list(panes_of(tab.root)), preset)
    return _with_tab(layout, workspace, msgspec.structs.replace(tab, root=root, zoomed=False))


def visible_rectangles(tab: Tab, size: Rect) -> dict[PaneId, Rect]:
    """What of a tab is on screen: every pane, or the zoomed one alone."""
    return {tab.focused: size} if tab.zoomed else rectangles(tab.root, size)


def _with_tab(layout: Layout, workspace: Workspace, tab: Tab) -> Layout:
    tabs = tuple(tab if one.id == tab.id else one for one in workspace.tabs)
    return _with_workspace(layout, msgspec.structs.replace(workspace, tabs=tabs))


def _with_workspace(layout: Layout, workspace: Workspace) -> Layout:
    spaces = tuple(workspace if one.id == workspace.id else one for one in layout.workspaces)
    return msgspec.structs.replace(layout, workspaces=spaces)


def _activate(layout: Layout, workspace_id: WorkspaceId, tab_id: TabId) -> Layout:
    workspace = msgspec.structs.replace(find_workspace(layout, workspace_id), active=tab_id)
    return msgspec.structs.replace(_with_workspace(layout, workspace), active=workspace_id)
