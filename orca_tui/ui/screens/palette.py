"""The command palette: every action and every pane, searched by Textual's own palette."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import ClassVar

import msgspec
from textual.binding import BindingType
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider

from orca_tui.commands.plugins import PluginCommand
from orca_tui.ui.actions import ACTIONS
from orca_tui.ui.keymap import Keymap
from orca_tui.ui.labels import pane_name, status_word
from orca_tui.ui.screens.dialog import CTRL_C_LEAVES, HEIGHTS, LOOKS, AnsweredOnce
from orca_tui.ui.texts import one_line
from orca_tui.ui.which_key import DIGIT_ACTIONS
from orca_tui.ui.world import World


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the palette."""

    title: str
    help: str
    chosen: Callable[[], None]


def entries(
    world: World, keymap: Keymap, *, run: Callable[[str], None], focus: Callable[[str], None]
) -> Iterator[Entry]:
    """Actions with their keys, then panes with what they are doing."""
    for action in ACTIONS:
        if action.id not in DIGIT_ACTIONS:
            keys = keymap.keys_of(action.id)
            key = f"  ({keymap.pressed(keys[0])})" if keys else ""
            yield Entry(title=action.title, help=f"{action.description}{key}", chosen=partial(run, action.id))
    for pane in world.in_order():
        yield Entry(
            title=f"Go to {pane.pane} {pane_name(pane)}",
            help=status_word(pane),
            chosen=partial(focus, pane.pane),
        )


def plugin_entries(
    commands: Iterable[tuple[str, PluginCommand]], *, run: Callable[[str, str], None]
) -> Iterator[Entry]:
    """What plugins offer, with the plugins' ids."""
    for plugin, command in commands:
        yield Entry(
            title=one_line(f"{command.title} ({plugin})"),
            help=one_line(command.description) or f"A command of the plugin {plugin}.",
            chosen=partial(run, plugin, command.id),
        )


class Palette(CommandPalette, AnsweredOnce[None]):
    """The palette over a fixed list of entries."""

    CSS_PATH = LOOKS
    VERTICAL_BREAKPOINTS = HEIGHTS
    BINDINGS: ClassVar[list[BindingType]] = [CTRL_C_LEAVES]

    def __init__(self, found: list[Entry]) -> None:
        super().__init__([_provider(found)], placeholder="Search actions and panes")

    async def action_leave(self) -> None:
        await self.run_action("escape")


def _provider(found: list[Entry]) -> type[Provider]:
    """A provider class of these entries: Textual makes the instance itself."""

    class Entries(Provider):
        async def discover(self) -> Hits:
            for entry in found:
                yield DiscoveryHit(entry.title, entry.chosen, help=entry.help)

        async def search(self, query: str) -> Hits:
            matcher = self.matcher(query)
            for entry in found:
                if (score := matcher.match(entry.title)) > 0:
                    yield Hit(score, matcher.highlight(entry.title), entry.chosen, help=entry.help)

    return Entries
