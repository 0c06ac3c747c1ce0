"""Actions that change only what this UI shows: sidebar, scrolling, palette, help, leaving."""

from __future__ import annotations

import msgspec
from textual.content import Content

from orca_tui.ui.actions import ACTIONS_BY_ID
from orca_tui.ui.operations.host import Host
from orca_tui.ui.operations.plugins import Plugins, offered
from orca_tui.ui.screens.help import Help
from orca_tui.ui.screens.picker import Item, Picker

SMALLEST_SIDEBAR_COLS = 16
LARGEST_SIDEBAR_COLS = 80


class View:
    def __init__(self, host: Host) -> None:
        self._host = host

    async def toggle_sidebar(self) -> None:
        """Show or hide the sidebar; on a narrow terminal, the one over the panes."""
        mood, areas = self._host.mood, self._host.scene.areas
        if areas is not None and areas.over:
            shown = not (mood.over_shown and mood.sidebar.shown)
            self._host.change_mood(
                over_shown=shown, sidebar=msgspec.structs.replace(mood.sidebar, shown=True)
            )
        else:
            self._host.change_mood(
                sidebar=msgspec.structs.replace(mood.sidebar, shown=not mood.sidebar.shown)
            )

    async def move_sidebar(self) -> None:
        sidebar = self._host.mood.sidebar
        self._host.change_mood(sidebar=msgspec.structs.replace(sidebar, right=not sidebar.right))

    async def widen_sidebar(self, cols: str) -> None:
        self.set_sidebar_cols(self._host.mood.sidebar.cols + int(cols))

    def set_sidebar_cols(self, cols: int) -> None:
        """Make the sidebar so wide, within reason."""
        cols = max(SMALLEST_SIDEBAR_COLS, min(cols, LARGEST_SIDEBAR_COLS))
        self._host.change_mood(sidebar=msgspec.structs.replace(self._host.mood.sidebar, cols=cols))

    async def scroll(self, direction: str) -> None:
        """Half a page of the focused pane."""
        pane = self._host.world.focused
        if pane is not None:
            rows = max(1, self._host.model_of(pane.pane).rows // 2)
            self._host.scroll(pane.pane, rows if direction == "up" else -rows)

    async def palette(self) -> None:
        # Half a hundred milliseconds of imports.
        from orca_tui.ui.screens.palette import Palette, entries, plugin_entries

        host, plugins = self._host, Plugins(self._host)
        found = [
            *entries(host.world, host.scene.keymap, run=host.perform, focus=host.focus_pane),
            *plugin_entries(
                offered(await plugins.rows()),
                run=lambda plugin, command: host.performer.beside(plugins.run(plugin, command)),
            ),
        ]
        await host.ask(Palette(found))

    async def help(self) -> None:
        await self._host.ask(Help(self._host.scene.keymap))

    async def detach(self) -> None:
        self._host.leave("detached")

    async def redraw(self) -> None:
        self._host.change_mood(message="")
        self._host.redraw()

    async def menu(self, pane: str, actions: tuple[str, ...], at: tuple[int, int]) -> None:
        """The menu of a pane, where the mouse is; the pane has the focus by then."""
        items = [Item(id=action, text=Content(ACTIONS_BY_ID[action].title)) for action in actions]
        choice = await self._host.ask(Picker(pane, items, at=at))
        if choice is not None:
            self._host.perform(choice.id)
