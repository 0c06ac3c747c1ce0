"""Looks up what an action does and has it done, when there is what it needs."""

from __future__ import annotations

from collections.abc import Coroutine
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from orca_tui.commands.spec import Command
from orca_tui.ui.action import Action, Needs
from orca_tui.ui.actions import ACTIONS_BY_ID
from orca_tui.ui.commander import Commander
from orca_tui.wire import ConsentAsked

if TYPE_CHECKING:
    from orca_tui.ui.operations import Host, Operations

Q = TypeVar("Q", bound=msgspec.Struct)
R = TypeVar("R", bound=msgspec.Struct)


class Performer:
    """The way from an action's id to its method."""

    def __init__(self, host: Host, commander: Commander) -> None:
        self._host = host
        self._commander = commander

    @cached_property
    def operations(self) -> Operations:
        """What actions do; imported with the dialogs at the first of them, not before the first picture."""
        from orca_tui.ui.operations import Operations

        return Operations.of(self._host)

    def perform(self, action: str) -> None:
        """Do an action of the table; input waits for what follows from it."""
        found = ACTIONS_BY_ID[action]
        if not self._possible(found):
            self._host.change_mood(message=f"{found.title}: there is no pane for that")
            return
        part, method = found.handler.split(".")
        operation = getattr(getattr(self.operations, part), method)
        arguments = () if found.argument is None else (found.argument,)
        self._commander.start(operation(*arguments))

    def ask_consent(self, asked: ConsentAsked) -> None:
        """Ask for the server. Nothing that was typed ahead is an answer, so no input waits for the dialog."""
        self._commander.ask(self.operations.consent.ask(asked))

    def open_link(self, url: str) -> None:
        """Open a link that was clicked; a slow browser keeps nobody from typing."""
        self._commander.ask(self.operations.copying.open_link(url))

    def beside(self, operation: Coroutine[Any, Any, None]) -> None:
        """Run an operation while input goes on; what it fails with is told."""
        self._commander.ask(operation)

    async def call(self, command: Command[Q, R], request: Q) -> R:
        """Run a command while input goes on."""
        return await self._commander.call(command, request)

    def _possible(self, action: Action) -> bool:
        world = self._host.world
        match action.needs:
            case Needs.NOTHING:
                return True
            case Needs.PANE:
                return world.focused is not None
            case Needs.SEVERAL_PANES:
                return world.tab is not None and len(world.of_tab(world.tab)) > 1
