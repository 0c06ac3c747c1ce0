"""Actions that find what wants a person: the next one, the inbox, the dashboard."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from orca_tui.base.errors import OrcaError
from orca_tui.commands.list import LIST
from orca_tui.commands.spec import Empty
from orca_tui.ui.labels import activity, glyph, pane_name, status_word, where
from orca_tui.ui.operations.host import Host
from orca_tui.ui.pieces import MUTED, STATUS_STYLES, STRONG
from orca_tui.ui.screens.dashboard import Dashboard
from orca_tui.ui.screens.live_picker import LivePicker
from orca_tui.ui.screens.picker import Item
from orca_tui.ui.texts import elapsed, fitted
from orca_tui.ui.world import attention, next_needing_you
from orca_tui.wire import PaneInfo

ASK_CELLS = 60


class Attention:
    def __init__(self, host: Host) -> None:
        self._host = host

    async def next_needing_you(self) -> None:
        """Go to whoever has waited longest; say so when there is nobody."""
        pane = next_needing_you(self._host.world)
        if pane is None:
            self._host.say("nobody else needs you")
        else:
            self._host.focus_pane(pane.pane)

    async def inbox(self) -> None:
        """List asks, errors and unread results; enter goes to one."""

        async def rows() -> Sequence[Item]:
            return [self._item(pane) for pane in attention(self._host.world)]

        choice = await self._host.ask(
            LivePicker("Inbox", await rows(), rows, empty="Nothing waits for you.", keys={})
        )
        if choice is not None:
            self._host.focus_pane(choice.id)

    async def dashboard(self) -> None:
        """The table of all agents; enter goes to one."""
        host = self._host
        screen = Dashboard(self._measured, host.world.workspace_name, host.scene.symbols, host.clock)
        pane = await host.ask(screen)
        if pane is not None:
            host.focus_pane(pane)

    async def _measured(self) -> Sequence[PaneInfo]:
        """All panes with processor and memory; without, when the server cannot say."""
        try:
            return (await self._host.do(LIST, Empty())).panes
        except OrcaError:
            return self._host.world.in_order()

    def _item(self, pane: PaneInfo) -> Item:
        scene = self._host.scene
        style = STATUS_STYLES[pane.status]
        place = where(self._host.world, pane)
        text = Content.assemble(
            (f"{glyph(pane, scene.symbols)} {pane.pane} ", style),
            (pane_name(pane), STRONG),
            (f" {scene.symbols.dot} {place}" if place else "", MUTED),
            (f" {scene.symbols.dot} {status_word(pane)}", style),
            (f" {elapsed(self._host.clock.now() - pane.since)}", MUTED),
        )
        ask = fitted(activity(pane), ASK_CELLS, scene.symbols.ellipsis)
        if ask:
            text = Content("\n").join([text, Content.styled(f"  {ask}", MUTED)])
        return Item(id=pane.pane, text=text)
