"""Runs operations and the commands they send, and keeps input waiting meanwhile: it goes where they lead."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypeVar

import msgspec

from orca_tui.base.errors import OrcaError
from orca_tui.commands.spec import Command
from orca_tui.ui.keyboard import Hold, Keyboard
from orca_tui.ui.world import World

Q = TypeVar("Q", bound=msgspec.Struct)
R = TypeVar("R", bound=msgspec.Struct)

SETTLED_S = 2.0
"""How long the layout that follows from a command may take; then input goes where it is."""


class Caller(Protocol):
    """Sends commands (`link.py`)."""

    async def call(self, command: Command[Q, R], request: Q) -> R: ...


class Worlds(Protocol):
    """Knows the world and tells when it changes (`desk.py`)."""

    world: World

    def watch(self, watcher: Callable[[World], None]) -> Callable[[], None]: ...


class Commander:
    """`launch` runs a coroutine in the background; `refused` is told what could not be done."""

    def __init__(
        self,
        *,
        caller: Caller,
        worlds: Worlds,
        keyboard: Keyboard,
        launch: Callable[[Coroutine[Any, Any, None]], object],
        refused: Callable[[OrcaError], None],
    ) -> None:
        self._caller = caller
        self._worlds = worlds
        self._keyboard = keyboard
        self._launch = launch
        self._refused = refused

    def start(self, operation: Coroutine[Any, Any, None]) -> None:
        """Run an operation; input waits from now on until it is over."""
        self._launch(self._guarded(operation, self._keyboard.hold()))

    def ask(self, question: Coroutine[Any, Any, None]) -> None:
        """Run an operation for which nobody waits, such as what the server has asked for; input goes on."""
        self._launch(self._told(question))

    async def do(
        self, command: Command[Q, R], request: Q, *, until: Callable[[World, R], bool] | None = None
    ) -> R:
        """Run a command while input waits; the reply may be here before the layout that follows from it."""
        hold = self._keyboard.hold()
        try:
            reply = await self._caller.call(command, request)
            if until is not None:
                await self._settled(lambda world: until(world, reply))
            return reply
        finally:
            hold.release()

    async def call(self, command: Command[Q, R], request: Q) -> R:
        """Run a command that may take its time, while input goes on."""
        return await self._caller.call(command, request)

    async def _guarded(self, operation: Coroutine[Any, Any, None], hold: Hold) -> None:
        try:
            await self._told(operation)
        finally:
            hold.release()

    async def _told(self, operation: Coroutine[Any, Any, None]) -> None:
        try:
            await operation
        except OrcaError as error:
            self._refused(error)

    async def _settled(self, condition: Callable[[World], bool]) -> None:
        """Wait for a world; not for ever, since somebody else may have changed it again."""
        settled = asyncio.Event()

        def look(world: World) -> None:
            if condition(world):
                settled.set()

        stop = self._worlds.watch(look)
        try:
            look(self._worlds.world)
            async with asyncio.timeout(SETTLED_S):
                await settled.wait()
        except TimeoutError:
            return
        finally:
            stop()
