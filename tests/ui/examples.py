"""Worlds and panes to show, made of values."""

from __future__ import annotations

from typing import Any

from orca_tui.base.ids import PaneId
from orca_tui.layout import Axis, Layout, open_in_tab, open_in_workspace, open_split
from orca_tui.status.record import Status
from orca_tui.ui.world import World, advance
from orca_tui.wire import PaneInfo, Synced

NOW = 1_700_000_000.0


def pane(pane_id: str, status: Status = Status.WORKING, **facts: Any) -> PaneInfo:
    """A pane with an agent, unless said otherwise."""
    return PaneInfo(
        **{"agent": "claude", "since": NOW - 60, "tab": "t1", "workspace": "w1", **facts},
        pane=pane_id,
        status=status,
    )


def layout_of(*workspaces: tuple[tuple[str, ...], ...]) -> Layout:
    """Workspaces of tabs of panes, which are split to the right; the last pane has the focus."""
    layout = Layout()
    for tabs in workspaces:
        for number, tab in enumerate(tabs):
            first, *rest = (PaneId(one) for one in tab)
            layout = open_in_tab(layout, first) if number else open_in_workspace(layout, first)
            for other in rest:
                layout = open_split(layout, other, first, Axis.RIGHT)
                first = other
    return layout


def world_of(layout: Layout, *panes: PaneInfo) -> World:
    return advance(World(), Synced(layout=layout, panes=panes))
