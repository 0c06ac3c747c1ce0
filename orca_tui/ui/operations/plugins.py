"""The user's own plugins: how they stand, setting one up again, and the commands that they offer."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from orca_tui.base.errors import Unsupported
from orca_tui.commands.plugins import (
    PLUGINS,
    RELOAD,
    RUN,
    PluginCommand,
    PluginRow,
    PluginState,
    ReloadRequest,
    RunRequest,
)
from orca_tui.commands.spec import Empty
from orca_tui.ui.operations.host import Host
from orca_tui.ui.pieces import MUTED, STRONG
from orca_tui.ui.screens.picker import Item, Picker
from orca_tui.ui.texts import elapsed, fitted, one_line

FAULT_CELLS = 70
NONE_YET = "None yet: `orca-tui plugins new NAME` writes one."


class Plugins:
    def __init__(self, host: Host) -> None:
        self._host = host

    async def rows(self) -> Sequence[PluginRow]:
        """All there are; none from a server that knows no plugins."""
        try:
            return (await self._host.do(PLUGINS, Empty())).plugins
        except Unsupported:
            return ()

    async def show(self) -> None:
        """List them; the chosen one is set up again."""
        rows = await self.rows()
        choice = await self._host.ask(
            Picker(
                "Plugins",
                [self._item(row) for row in rows],
                empty=NONE_YET,
                about="Enter sets one up again; a changed file is taken by itself." if rows else "",
            )
        )
        if choice is not None:
            [row] = [row for row in rows if row.file == choice.id]
            self._host.performer.beside(self._reload(row.id))

    async def run(self, plugin: str, command: str) -> None:
        """Run a command of a plugin about the focused pane; it may take its time."""
        focused = self._host.world.focused
        pane = focused.pane if focused is not None else None
        await self._host.performer.call(RUN, RunRequest(plugin=plugin, command=command, pane=pane))

    async def _reload(self, plugin: str) -> None:
        row = await self._host.performer.call(RELOAD, ReloadRequest(plugin=plugin))
        self._host.say(f"plugin {row.id} is {row.state}")

    def _item(self, row: PluginRow) -> Item:
        symbols = self._host.scene.symbols
        age = elapsed(self._host.clock.now() - row.since)
        offers = f" {symbols.dot} {_commands(row.commands)}" if row.commands else ""
        text = Content.assemble((f"{row.id} ", STRONG), f"{row.state} {age}", (offers, MUTED))
        if row.fault is None:
            return Item(id=row.file, text=text)
        fault = fitted(one_line(row.fault.sentence()), FAULT_CELLS, symbols.ellipsis)
        return Item(id=row.file, text=Content("\n").join([text, Content.styled(f"  {fault}", MUTED)]))


def offered(rows: Sequence[PluginRow]) -> list[tuple[str, PluginCommand]]:
    """The commands of the plugins that run, with the plugins' ids."""
    return [(row.id, command) for row in rows if row.state is PluginState.RUNNING for command in row.commands]


def _commands(commands: Sequence[PluginCommand]) -> str:
    return "1 command" if len(commands) == 1 else f"{len(commands)} commands"
