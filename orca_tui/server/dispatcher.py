"""Runs commands: one handler each, found by the command's name, and none before the guard. Knows no socket."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from typing import Any

import msgspec

from orca_tui.base.errors import Unsupported
from orca_tui.commands.spec import Command
from orca_tui.server.dispatch import Caller, Guard
from orca_tui.server.handlers.handler import AnyHandler, Call, Deed, Stream
from orca_tui.server.tasks import Tasks


class TableDispatcher:
    """The `Dispatcher` over a table of handlers."""

    def __init__(self, handlers: Iterable[AnyHandler], tasks: Tasks, guard: Guard) -> None:
        self._handlers = {handler.command.name: handler for handler in handlers}
        self._tasks = tasks
        self._guard = guard

    async def call(
        self, command: Command[Any, Any], request: msgspec.Struct, caller: Caller
    ) -> msgspec.Struct:
        """Run a command that is no stream. A deed goes on to its end even when its caller hangs up."""
        self._guard.check(command, request, caller)
        reply: msgspec.Struct
        match self._handlers.get(command.name):
            case Call(run=run):
                reply = await run(request, caller)
            case Deed(run=run):
                reply = await self._tasks.finish(run(request, caller), command.name)
            case _:
                raise Unsupported(f"this server does not answer {command.name!r}")
        return reply

    def stream(
        self, command: Command[Any, Any], request: msgspec.Struct, caller: Caller
    ) -> AsyncGenerator[msgspec.Struct, None]:
        """Run a streaming command; `aclose` ends it."""
        self._guard.check(command, request, caller)
        match self._handlers.get(command.name):
            case Stream(run=run):
                items: AsyncGenerator[msgspec.Struct, None] = run(request, caller)
                return items
            case _:
                raise Unsupported(f"this server does not stream {command.name!r}")
