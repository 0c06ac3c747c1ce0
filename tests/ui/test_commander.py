"""Running operations while input waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from orca_tui.base.errors import Conflict, OrcaError
from orca_tui.commands.spec import Empty
from orca_tui.commands.targets import FOCUS, TargetRequest
from orca_tui.config import Keys
from orca_tui.term.key_names import parse_key
from orca_tui.ui.commander import Commander
from orca_tui.ui.keyboard import Keyboard
from orca_tui.ui.keymap import keymap
from orca_tui.ui.world import World
from tests.ui.examples import layout_of, pane, world_of
from tests.ui.frame_table import Time
from tests.ui.test_keyboard import Typist

pytestmark = pytest.mark.anyio


class Server:
    """Answers when it is told to, with a reply or an error."""

    def __init__(self) -> None:
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    async def call(self, command: Any, request: Any) -> Any:
        return await self.answer


class Worlds:
    def __init__(self) -> None:
        self.world = World()
        self.watchers: list[Callable[[World], None]] = []

    def watch(self, watcher: Callable[[World], None]) -> Callable[[], None]:
        self.watchers.append(watcher)
        return lambda: self.watchers.remove(watcher)

    def become(self, world: World) -> None:
        self.world = world
        for watcher in list(self.watchers):
            watcher(world)


class Table:
    def __init__(self, group: asyncio.TaskGroup) -> None:
        self.server, self.worlds, self.typist = Server(), Worlds(), Typist()
        time = Time()
        self.typist.keyboard = Keyboard(keymap(Keys()), time, time, self.typist)
        self.refused: list[OrcaError] = []
        self.commander = Commander(
            caller=self.server,
            worlds=self.worlds,
            keyboard=self.typist.keyboard,
            launch=group.create_task,
            refused=self.refused.append,
        )

    def type(self, key: str) -> None:
        self.typist.keyboard.take(parse_key(key))

    async def focus(self) -> None:
        await self.commander.do(
            FOCUS, TargetRequest(target="p1"), until=lambda world, _: world.focused is not None
        )


async def turns() -> None:
    """Let everything happen that can happen now."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_input_waits_for_the_reply_and_the_layout_in_either_order() -> None:
    async with asyncio.TaskGroup() as group:
        table = Table(group)
        table.commander.start(table.focus())
        table.type("a")

        table.server.answer.set_result(Empty())
        await turns()
        assert table.typist.done == []

        table.worlds.become(world_of(layout_of((("p1",),)), pane("p1")))
        await turns()
        assert table.typist.done == ["a"]

    assert table.worlds.watchers == []


async def test_a_layout_that_came_before_the_reply_is_enough() -> None:
    async with asyncio.TaskGroup() as group:
        table = Table(group)
        table.commander.start(table.focus())
        table.worlds.become(world_of(layout_of((("p1",),)), pane("p1")))
        table.type("a")
        await turns()
        assert table.typist.done == []

        table.server.answer.set_result(Empty())

    assert table.typist.done == ["a"]


async def test_a_refused_command_is_told_and_gives_the_keyboard_back() -> None:
    async with asyncio.TaskGroup() as group:
        table = Table(group)
        table.commander.start(table.focus())
        table.type("a")
        await turns()

        table.server.answer.set_exception(Conflict("an agent works there"))

    assert [error.message for error in table.refused] == ["an agent works there"]
    assert table.typist.done == ["a"]
