"""The action on what a pane's programs may do: give and take back, and see what holds."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from orca_tui.commands.authority import GRANT, REVOKE, GrantRequest, RevokeRequest
from orca_tui.ui.labels import pane_name
from orca_tui.ui.operations.host import Host
from orca_tui.ui.pieces import MUTED, STRONG
from orca_tui.ui.screens.picker import Item, Picker
from orca_tui.wire import PaneInfo

TAB, ALL = "tab", "all"
ABOUT = (
    "Programs there may always drive their own pane and those that they open, and see names and statuses. "
    "What you grant holds until you take it back or the pane is closed."
)


class Authority:
    """Needs a focused pane; without one the action is not offered."""

    def __init__(self, host: Host) -> None:
        self._host = host

    async def grant(self) -> None:
        """Choose what the focused pane's programs may drive; what was granted is taken back by choosing it again."""
        pane = self._host.world.focused
        if pane is None:
            return
        title = f"What may {pane_name(pane)} ({pane.pane}) drive?"
        choice = await self._host.ask(Picker(title, list(self._items(pane)), about=ABOUT))
        if choice is None:
            return
        if choice.id in pane.granted:
            await self._host.do(REVOKE, RevokeRequest(pane=pane.pane, over=(choice.id,)))
            self._host.say(f"{pane.pane} may not drive {choice.id} any more")
        else:
            await self._host.do(GRANT, GrantRequest(pane=pane.pane, over=(choice.id,)))
            self._host.say(f"{pane.pane} may drive {choice.id} until you take that back")

    def _items(self, pane: PaneInfo) -> Iterator[Item]:
        """The panes first: the least is nearest."""
        for other in self._host.world.in_order():
            if other.pane != pane.pane:
                yield self._item(pane, other.pane, f"{other.pane} {pane_name(other)}")
        yield self._item(pane, TAB, "read the panes of its tab and leave them notices")
        yield self._item(pane, ALL, "everything: all panes, and the server")

    def _item(self, pane: PaneInfo, over: str, text: str) -> Item:
        if over not in pane.granted:
            return Item(id=over, text=Content(text))
        return Item(id=over, text=Content.assemble((text, STRONG), (" (granted: take back)", MUTED)))
