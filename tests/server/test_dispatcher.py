"""Commands to handlers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from orca_tui.base.errors import Unsupported
from orca_tui.commands.events import EVENTS, EventItem, EventsRequest, HelloEvent
from orca_tui.commands.list import LIST, ListReply
from orca_tui.commands.open import OPEN, OpenReply, OpenRequest
from orca_tui.commands.spec import Empty
from orca_tui.server.dispatch import Caller
from orca_tui.server.dispatcher import TableDispatcher
from orca_tui.server.handlers.handler import Deed, Stream, at_once
from orca_tui.server.tasks import Tasks

pytestmark = pytest.mark.anyio

CALLER = Caller(door="http", pid=None)
REPLY = OpenReply(pane="p1", tab="t1", workspace="w1")


async def test_a_command_is_run_by_its_handler() -> None:
    async with asyncio.TaskGroup() as group:
        dispatcher = TableDispatcher([at_once(LIST, lambda _: ListReply(panes=()))], Tasks(group))

        assert await dispatcher.call(LIST, Empty(), CALLER) == ListReply(panes=())


async def test_a_deed_is_finished_although_its_caller_left() -> None:
    go, done = asyncio.Event(), asyncio.Event()

    async def open_(_: OpenRequest, __: Caller) -> OpenReply:
        await go.wait()
        done.set()
        return REPLY

    async with asyncio.TaskGroup() as group:
        dispatcher = TableDispatcher([Deed(OPEN, open_)], Tasks(group))
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
        stream = TableDispatcher([Stream(EVENTS, events)], Tasks(group)).stream(
            EVENTS, EventsRequest(), CALLER
        )
        await anext(stream)
        await stream.aclose()

    assert ended.is_set()


async def test_what_has_no_handler_or_is_no_stream_is_unsupported() -> None:
    async with asyncio.TaskGroup() as group:
        dispatcher = TableDispatcher([at_once(LIST, lambda _: ListReply(panes=()))], Tasks(group))

        with pytest.raises(Unsupported):
            await dispatcher.call(OPEN, OpenRequest(), CALLER)
        with pytest.raises(Unsupported):
            dispatcher.stream(LIST, Empty(), CALLER)
