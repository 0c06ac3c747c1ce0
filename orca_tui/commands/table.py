"""The one table of commands, all loaded. The command line loads one at a time, by `index.py`."""

from __future__ import annotations

from typing import Any

from orca_tui.commands import index
from orca_tui.commands.spec import Command

COMMANDS: tuple[Command[Any, Any], ...] = tuple(index.load(name) for name in index.PLACES)
"""Every command that a server answers, in the order in which help shows them."""

COMMANDS_BY_NAME: dict[str, Command[Any, Any]] = {command.name: command for command in COMMANDS}
