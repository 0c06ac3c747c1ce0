"""The commands that one revision of a plugin offers: what the palette shows, and what runs when one is chosen."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from orca_tui.base.errors import Invalid
from orca_tui.commands.plugins import PluginCommand

COMMAND_ID = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}")
MOST_COMMANDS = 100  # Per plugin: beyond it the palette would be the plugin's alone.

CommandRunner: TypeAlias = Callable[[str | None], Awaitable[object]]
"""Runs a command; it is given the pane that had the keyboard, None where there was none."""


class Offers:
    """By id; `changed` is called when there are others."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._runners: dict[str, CommandRunner] = {}
        self._commands: dict[str, PluginCommand] = {}

    def add(self, id: str, title: str, run: CommandRunner, description: str = "") -> None:
        """Offer a command; raises `Invalid` for an id that is none or is taken."""
        if not COMMAND_ID.fullmatch(id):
            raise Invalid(f"{id!r} is no id of a command; use lower case letters, digits, '-', '_' and '.'")
        if id in self._commands:
            raise Invalid(f"the command {id!r} is registered already")
        if not (isinstance(title, str) and title.strip() and callable(run)):
            raise Invalid("a command needs a title and something to run")
        if len(self._commands) == MOST_COMMANDS:
            raise Invalid(f"more than {MOST_COMMANDS} commands")
        self._commands[id] = PluginCommand(id=id, title=title, description=str(description))
        self._runners[id] = run
        self._changed()

    def all(self) -> tuple[PluginCommand, ...]:
        return tuple(self._commands.values())

    def runner(self, id: str) -> CommandRunner | None:
        return self._runners.get(id)
