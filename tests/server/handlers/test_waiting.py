"""wait and events against a running server, with statuses that a program reports by itself (OSC 7501)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

import pytest

from orca_tui.base.errors import NotFound, OrcaError, TimedOut
from orca_tui.commands.events import (
    EVENTS,
    ClosedEvent,
    Event,
    EventsRequest,
    HelloEvent,
    OpenedEvent,
    RingEvent,
    SeenEvent,
    StatusEvent,
    TitleEvent,
)
from orca_tui.commands.targets import CLOSE, SEEN, CloseRequest, SeenRequest
from orca_tui.commands.type import TYPE, TypeRequest
from orca_tui.commands.wait import WAIT, WaitRequest
from orca_tui.status.record import Source, Status
from orca_tui.wire import PaneInfo, PaneView, Rang
from tests.server.running import LIMIT_S, Api, Server

pytestmark = pytest.mark.anyio

AGENT = 'stty -echo; while read -r state; do printf "\\033]7501;state=$state\\007"; done'
"""Reports each line that is typed as its state."""


async def agent(api: Api) -> str:
    return await api.open("/bin/sh", "-c", AGENT, agent="claude")


async def become(api: Api, pane: str, state: str) -> None:
    await api.call(TYPE, TypeRequest(pane=pane, text=f"{state}\r"))


async def wait(
    api: Api, pane: str, *statuses: Status, next_: bool = False, limit: float | None = LIMIT_S
) -> PaneInfo:
    return await api.call(WAIT, WaitRequest(pane=pane, status=statuses, next=next_, timeout=limit))


class Followed:
    def __init__(self) -> None:
        self.events: list[Event] = []
        self._changed = asyncio.Event()

    async def until(self, kind: type[Event]) -> None:
        """Wait until the last event is of a kind."""
        async with asyncio.timeout(LIMIT_S):
            while not (self.events and isinstance(self.events[-1], kind)):
                self._changed.clear()
                await self._changed.wait()

    async def follow(self, api: Api, pane: str | None) -> None:
        async with aclosing(api.client.stream(EVENTS, EventsRequest(pane=pane))) as items:  # type: ignore[type-var]
            async for item in items:
                self.events.append(item.event)
                self._changed.set()


@asynccontextmanager
async def followed(api: Api, pane: str | None = None) -> AsyncIterator[Followed]:
    """Events, from the hello on."""
    following = Followed()
    async with asyncio.TaskGroup() as group:
        task = group.create_task(following.follow(api, pane))
        await following.until(HelloEvent)
        yield following
        task.cancel()


async def test_waiting_returns_at_once_when_it_holds(api: Api) -> None:
    pane = await agent(api)
    await become(api, pane, "working")

    assert (await wait(api, pane, Status.WORKING)).status is Status.WORKING
    info = await wait(api, pane, Status.DONE, Status.WORKING)

    assert (info.status, info.agent) == (Status.WORKING, "claude")
    assert info.evidence is not None
    assert info.evidence.source is Source.PROGRAM_STATUS


async def test_next_counts_only_what_happens_after_the_call(api: Api) -> None:
    pane = await agent(api)
    await become(api, pane, "working")
    before = await wait(api, pane, Status.WORKING)

    with pytest.raises(TimedOut):
        await wait(api, pane, Status.WORKING, next_=True, limit=0.1)
    waiting = asyncio.gather(wait(api, pane, Status.WORKING, next_=True))
    await become(api, pane, "blocked:kind=permission")
    await become(api, pane, "working")

    assert (await waiting)[0].since > before.since


async def test_a_timeout_says_so(api: Api) -> None:
    pane = await agent(api)

    with pytest.raises(TimedOut, match="not done or error within"):
        await wait(api, pane, Status.DONE, Status.ERROR, limit=0.05)


async def test_waiting_ends_with_the_program_or_the_pane(api: Api) -> None:
    ending, closing = await agent(api), await agent(api)
    waits = [
        asyncio.gather(wait(api, pane, Status.DONE), return_exceptions=True) for pane in (ending, closing)
    ]
    exited = asyncio.gather(wait(api, ending, Status.EXITED))
    await asyncio.sleep(0)

    await api.call(TYPE, TypeRequest(pane=ending, text="\x04"))
    await api.call(CLOSE, CloseRequest(target=closing, force=True))

    for outcome in [(await waiting)[0] for waiting in waits]:
        assert isinstance(outcome, OrcaError)
        assert outcome.exit_code == 1
    assert (await exited)[0].exit_code == 0


async def test_waiting_for_a_pane_that_has_ended_already_ends_at_once(api: Api) -> None:
    pane = await api.open("/bin/true")
    await api.exits(pane)

    assert (await wait(api, pane, Status.EXITED)).status is Status.EXITED
    with pytest.raises(OrcaError, match="has ended"):
        await wait(api, pane, Status.DONE, limit=None)
    with pytest.raises(NotFound):
        await wait(api, "p99", Status.DONE)


async def test_a_turn_is_told_event_by_event_in_its_order(api: Api) -> None:
    async with followed(api) as following:
        pane = await agent(api)
        await become(api, pane, "idle")
        await wait(api, pane, Status.IDLE)
        await become(api, pane, "working")
        await wait(api, pane, Status.WORKING)
        await become(api, pane, "done")
        await following.until(RingEvent)
        await api.call(SEEN, SeenRequest(pane=pane))
        await following.until(SeenEvent)
        await api.call(CLOSE, CloseRequest(target=pane))
        await following.until(ClosedEvent)

    statuses = [(event.from_, event.to) for event in following.events if isinstance(event, StatusEvent)]
    assert statuses == [
        (Status.UNKNOWN, Status.IDLE),
        (Status.IDLE, Status.WORKING),
        (Status.WORKING, Status.DONE),
    ]
    kinds = [type(event) for event in following.events]
    assert kinds[:2] == [HelloEvent, OpenedEvent]
    assert kinds[-4:] == [StatusEvent, RingEvent, SeenEvent, ClosedEvent]
    times = [event.at for event in following.events]
    assert times == sorted(times)


async def test_one_panes_events_are_those_of_that_pane_and_end_with_it(api: Api) -> None:
    pane, other = await agent(api), await agent(api)
    following = Followed()
    async with asyncio.TaskGroup() as group:
        task = group.create_task(following.follow(api, pane))
        await following.until(HelloEvent)
        await become(api, other, "working")
        await api.call(TYPE, TypeRequest(pane=other, text="\x04"))
        await api.exits(other)
        await api.call(CLOSE, CloseRequest(target=pane, force=True))
        await task

    assert {getattr(event, "pane", pane) for event in following.events} == {pane}
    assert isinstance(following.events[-1], ClosedEvent)


async def test_a_title_is_an_event_and_only_the_last_of_many_at_once(api: Api) -> None:
    async with followed(api) as following:
        await api.open("/bin/sh", "-c", r"printf '\033]2;one\007\033]2;two\007'; read x")
        await following.until(TitleEvent)

    assert [event.title for event in following.events if isinstance(event, TitleEvent)] == ["two"]


async def test_a_watched_pane_rings_nobody_and_an_unwatched_one_the_ui_used_last(
    server: Server, api: Api
) -> None:
    watched, other = await agent(api), await agent(api)
    ui = await server.ui()
    await ui.show(PaneView(pane=watched, channel=1, cols=80, rows=24), focused=watched)

    for pane in (watched, other):
        await become(api, pane, "working")
        await wait(api, pane, Status.WORKING)
        await become(api, pane, "done")
        await wait(api, pane, Status.DONE)

    rang = await ui.item(Rang)
    assert rang.pane == other
    assert rang.title == f"claude ({other}) is done"
    assert [item.pane for item in ui.items if isinstance(item, Rang)] == [other]
    assert not (await api.info(watched)).unread
    assert (await api.info(other)).unread


async def test_looking_at_a_pane_takes_its_mark_away(server: Server, api: Api) -> None:
    pane = await agent(api)
    await become(api, pane, "working")
    await become(api, pane, "done")
    await wait(api, pane, Status.DONE)
    assert (await api.info(pane)).unread
    ui = await server.ui()

    async with followed(api) as following:
        await ui.show(PaneView(pane=pane, channel=1, cols=80, rows=24), focused=pane, terminal_focused=False)
        assert (await api.info(pane)).unread
        await ui.show(PaneView(pane=pane, channel=1, cols=80, rows=24), focused=pane)
        await following.until(SeenEvent)

    assert not (await api.info(pane)).unread
