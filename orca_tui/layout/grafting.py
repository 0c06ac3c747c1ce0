"""Bringing a layout of another time into this one. Pure."""

from __future__ import annotations

from msgspec.structs import replace

from orca_tui.base.ids import PaneId, TabId, WorkspaceId
from orca_tui.layout.tree import map_leaves
from orca_tui.layout.workspaces import Layout, Tab, Workspace, all_panes

Renamed = dict[PaneId, PaneId]
"""The new id of every pane of the other layout."""


def grafted(layout: Layout, other: Layout) -> tuple[Layout, Renamed]:
    """Both layouts in one, the workspaces of `other` last and in front.

    Into a layout that never held anything it comes as it is, ids included; else everything gets new ids, since
    an id is never used twice.
    """
    if layout == Layout():
        return other, {pane: pane for pane in all_panes(other)}
    renamed: Renamed = {}
    for pane in all_panes(other):
        renamed[pane] = PaneId(f"p{layout.next_pane + len(renamed)}")
    layout = replace(layout, next_pane=layout.next_pane + len(renamed))
    for workspace in other.workspaces:
        layout = _with_workspace(layout, workspace, renamed, in_front=workspace.id == other.active)
    return layout, renamed


def _with_workspace(layout: Layout, workspace: Workspace, renamed: Renamed, *, in_front: bool) -> Layout:
    tabs: list[Tab] = []
    active = TabId("")
    for number, tab in enumerate(workspace.tabs, start=layout.next_tab):
        tabs.append(_new_tab(tab, TabId(f"t{number}"), renamed))
        if tab.id == workspace.active:
            active = tabs[-1].id
    new = replace(
        workspace,
        id=WorkspaceId(f"w{layout.next_workspace}"),
        tabs=tuple(tabs),
        active=active,
    )
    return replace(
        layout,
        workspaces=(*layout.workspaces, new),
        active=new.id if in_front else layout.active,
        next_tab=layout.next_tab + len(tabs),
        next_workspace=layout.next_workspace + 1,
    )


def _new_tab(tab: Tab, tab_id: TabId, renamed: Renamed) -> Tab:
    root = map_leaves(tab.root, lambda pane: renamed[pane])
    return replace(tab, id=tab_id, root=root, focused=renamed[tab.focused])
