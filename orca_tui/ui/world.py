"""What the server said there is: the layout and the panes. Pure; knows no widget and no connection.

Rule 1: the server's word is the whole truth; nothing here is guessed ahead of it.
Rule 2: an item about a pane that is not in the layout is kept all the same, since the layout follows it.
Rule 3: a pane that is gone is forgotten, even while an older layout still names it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias

import msgspec

from orca_tui.layout import (
    Layout,
    Tab,
    Workspace,
    active_tab,
    active_workspace,
    all_panes,
    focused_pane,
    panes_of,
)
from orca_tui.status.record import Status
from orca_tui.wire import LayoutChanged, PaneChanged, PaneGone, PaneInfo, Synced

WorldItem: TypeAlias = Synced | LayoutChanged | PaneChanged | PaneGone


class World(msgspec.Struct, frozen=True, kw_only=True):
    """`synced` is false until the server told the whole state once."""

    layout: Layout = Layout()
    panes: Mapping[str, PaneInfo] = MappingProxyType({})
    synced: bool = False
    saved_panes: int = 0
    """Of the session that can be restored, while nothing runs."""

    @property
    def tab(self) -> Tab | None:
        return active_tab(self.layout)

    @property
    def workspace(self) -> Workspace | None:
        return active_workspace(self.layout)

    @property
    def focused(self) -> PaneInfo | None:
        """The pane that has the keyboard."""
        pane = focused_pane(self.layout)
        return self.panes.get(pane) if pane is not None else None

    def in_order(self) -> list[PaneInfo]:
        """Every pane, as workspaces and tabs stand."""
        return [self.panes[pane] for pane in all_panes(self.layout) if pane in self.panes]

    def of_tab(self, tab: Tab) -> list[PaneInfo]:
        return [self.panes[pane] for pane in panes_of(tab.root) if pane in self.panes]

    def workspace_name(self, workspace_id: str) -> str:
        """A workspace's name, its id when it has none."""
        found = (one for one in self.layout.workspaces if one.id == workspace_id)
        return next((one.name or one.id for one in found), workspace_id)


def advance(world: World, item: WorldItem) -> World:
    """The world after the server's next word."""
    match item:
        case Synced(layout=layout, panes=panes, saved_panes=saved):
            return World(layout=layout, panes=_by_id(panes), synced=True, saved_panes=saved)
        case LayoutChanged(layout=layout):
            return msgspec.structs.replace(world, layout=layout)
        case PaneChanged(pane=pane):
            return msgspec.structs.replace(world, panes=MappingProxyType({**world.panes, pane.pane: pane}))
        case PaneGone(pane=gone):
            rest = {pane: info for pane, info in world.panes.items() if pane != gone}
            return msgspec.structs.replace(world, panes=MappingProxyType(rest))


def _by_id(panes: Iterable[PaneInfo]) -> Mapping[str, PaneInfo]:
    return MappingProxyType({pane.pane: pane for pane in panes})


def attention(world: World) -> list[PaneInfo]:
    """The panes that want a person: those that wait (oldest ask first), unread errors, unread results."""
    panes = world.in_order()
    waiting = [pane for pane in panes if pane.status is Status.WAITING]
    errors = [pane for pane in panes if pane.status is Status.ERROR and pane.unread]
    done = [pane for pane in panes if pane.status is Status.DONE and pane.unread]
    return [pane for group in (waiting, errors, done) for pane in sorted(group, key=lambda one: one.since)]


def next_needing_you(world: World) -> PaneInfo | None:
    """Where `next` jumps: the first that wants a person and does not have the keyboard already."""
    focused = world.focused
    others = [pane for pane in attention(world) if focused is None or pane.pane != focused.pane]
    return others[0] if others else None


def counts(panes: Iterable[PaneInfo]) -> dict[Status, int]:
    """How many wait, failed, work, and are done and unread: the roll-up. Shells count only when they do."""
    found = dict.fromkeys((Status.WAITING, Status.ERROR, Status.WORKING, Status.DONE), 0)
    for pane in panes:
        if pane.status in found and (pane.status is not Status.DONE or pane.unread):
            found[pane.status] += 1
    return found
