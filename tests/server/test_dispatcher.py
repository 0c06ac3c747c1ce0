"""Commands to handlers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import msgspec
import pytest

from orca_tui.base.errors import Refused, Unsupported
from orca_tui.commands.events import EVENTS, EventItem, EventsRequest, HelloEvent
from orca_tui.commands.list import LIST, ListReply
from orca_tui.commands.open import OPEN, OpenReply, OpenRequest
from orca_tui.commands.spec import Command, Empty
from orca_tui.server.dispatch import Caller
from orca_tui.server.dispatcher import TableDispatcher
from orca_tui.server.handlers.handler import Deed, Stream, at_once
from orca_tui.server.tasks import Tasks

pytestmark = pytest.mark.anyio

CALLER = Caller(door="http", pid=None)


class Door:
    """A guard that lets everybody in, or nobody."""

    def __init__(self, *, open: bool) -> None:
        self._open = open

    def check(self, command: Command[Any, Any], request: msgspec.Struct, caller: Caller) -> None:
        if not self._open:
            raise Refused("not here")


OPEN_GATE, SHUT_GATE = Door(open=True), Door(open=False)
REPLY = OpenReply(pane="p1", tab="t1", workspace="w1")


async def test_a_command_is_run_by_its_handler() -> None:
    async with asyncio.TaskGroup() as group:
        dispatcher = TableDispatcher([at_once(LIST, lambda _: ListReply(panes=()))], Tasks(group), OPEN_GATE)

        assert await dispatcher.call(LIST, Empty(), CALLER) == ListReply(panes=())


async def test_a_deed_is_finished_although_its_caller_left() -> None:
    go, done = asyncio.Event(), asyncio.Event()

    async def open_(_: OpenRequest, __: Caller) -> OpenReply:
        await go.wait()
        done.set()
        return REPLY

    async with asyncio.TaskGroup() as group:
        dispatcher = TableDispatcher([Deed(OPEN, open_)], Tasks(group), OPEN_GATE)
        caller = group.create_task(dispatcher.call(OPEN, OpenRequest(), CALLER))
        await asyncio.sleep(0)
        caller.cancel()
        await asyncio.sleep(0)
        go.set()

    assert done.is_set()


async def test_closing_a_stream_ends_its_handler() -> None:
    ended = asyncio.Event()

    async def events(_: EventsRequest, __: Caller) -> AsyncGenerator[EventItem, None]:
        try:
            while True:
                yield EventItem(event=HelloEvent(server="default", version="1", at=1.0))
        finally:
            ended.set()

    async with asyncio.TaskGroup() as group:
        stream = TableDispatcher([Stream(EVENTS, events)], Tasks(group), OPEN_GATE).stream(
            EVENTS, EventsRequest(), CALLER
        )
        await anext(stream)
        await stream.aclose()

    assert ended.is_set()


async def test_what_has_no_handler_or_is_no_stream_is_unsupported() -> None:
    async with asyncio.TaskGroup() as group:
        dispatcher = TableDispatcher([at_once(LIST, lambda _: ListReply(panes=()))], Tasks(group), OPEN_GATE)

        with pytest.raises(Unsupported):
            await dispatcher.call(OPEN, OpenRequest(), CALLER)
        with pytest.raises(Unsupported):
            dispatcher.stream(LIST, Empty(), CALLER)


async def test_nothing_is_run_or_streamed_that_the_guard_refuses() -> None:
    run = []
    async with asyncio.TaskGroup() as group:
        handler = at_once(LIST, lambda _: run.append("list") or ListReply(panes=()))
        dispatcher = TableDispatcher([handler], Tasks(group), SHUT_GATE)

        with pytest.raises(Refused):
            await dispatcher.call(LIST, Empty(), CALLER)
        with pytest.raises(Refused):
            dispatcher.stream(EVENTS, EventsRequest(), CALLER)

    assert run == []
