"""The one table of commands."""

from __future__ import annotations

from typing import Any

from orca_tui.commands import arranging, targets, ui
from orca_tui.commands.detach import DETACH
from orca_tui.commands.events import EVENTS
from orca_tui.commands.explain import EXPLAIN
from orca_tui.commands.get import GET
from orca_tui.commands.input import INPUT
from orca_tui.commands.keys import KEYS
from orca_tui.commands.list import LIST
from orca_tui.commands.open import OPEN
from orca_tui.commands.paste import PASTE
from orca_tui.commands.read import READ
from orca_tui.commands.server_status import SERVER_STATUS
from orca_tui.commands.server_stop import SERVER_STOP
from orca_tui.commands.spec import Command
from orca_tui.commands.type import TYPE
from orca_tui.commands.wait import WAIT

COMMANDS: tuple[Command[Any, Any], ...] = (
    DETACH,
    SERVER_STATUS,
    SERVER_STOP,
    OPEN,
    LIST,
    GET,
    WAIT,
    EVENTS,
    READ,
    TYPE,
    PASTE,
    KEYS,
    INPUT,
    targets.FOCUS,
    targets.SEEN,
    targets.RENAME,
    targets.CLOSE,
    arranging.MOVE,
    arranging.RESIZE,
    arranging.ZOOM,
    arranging.ARRANGE,
    EXPLAIN,
    arranging.SET_RATIO,
    ui.ATTACH,
    ui.VIEW,
    ui.HISTORY,
)
"""Every command that a server answers, in the order in which help shows them."""

COMMANDS_BY_NAME: dict[str, Command[Any, Any]] = {command.name: command for command in COMMANDS}
