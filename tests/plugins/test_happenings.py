"""What happens, for plugins: who gets which event, and until when."""

from __future__ import annotations

import asyncio
import gc
from weakref import ref

import pytest

from orca_tui.commands.events import ClosedEvent, TitleEvent
from orca_tui.plugins.happenings import MOST_BEHIND, FellBehind, Subscriptions

pytestmark = pytest.mark.anyio


def closed(pane: str) -> ClosedEvent:
    return ClosedEvent(pane=pane, at=0.0)


async def test_nothing_comes_before_the_revision_lives_and_all_of_it_afterwards() -> None:
    subscriptions = Subscriptions()
    reader = subscriptions.subscribe()

    subscriptions.put(closed("p1"))
    subscriptions.go_live()
    subscriptions.put(closed("p2"))
    subscriptions.put(closed("p3"))
    subscriptions.end()
    subscriptions.put(closed("p4"))

    assert [event async for event in reader] == [closed("p2"), closed("p3")]


async def test_what_comes_while_its_work_begins_is_there_for_what_that_subscribes_to() -> None:
    subscriptions = Subscriptions()
    subscriptions.go_live()
    subscriptions.put(closed("p1"))
    early = subscriptions.subscribe()
    subscriptions.begun()
    late = subscriptions.subscribe()
    subscriptions.put(closed("p2"))
    subscriptions.end()

    assert [event async for event in early] == [closed("p1"), closed("p2")]
    assert [event async for event in late] == [closed("p2")]


async def test_events_are_handled_when_their_reader_comes_back_for_more() -> None:
    subscriptions = Subscriptions()
    subscriptions.go_live()
    unread, reader = subscriptions.subscribe(), subscriptions.subscribe()
    subscriptions.put(closed("p1"))
    await anext(reader)
    subscriptions.end()

    async with asyncio.TaskGroup() as group:
        handled = group.create_task(subscriptions.handled())
        await asyncio.sleep(0)
        assert not handled.done()
        assert [event async for event in reader] == []

    assert [event async for event in unread] == [closed("p1")]


async def test_a_subscription_that_was_let_go_is_fed_no_longer() -> None:
    subscriptions = Subscriptions()
    subscriptions.go_live()
    event = closed("p1")
    abandoned, reader = subscriptions.subscribe(), subscriptions.subscribe()
    subscriptions.put(closed("p0"))
    async for _ in abandoned:
        break
    gone = ref(abandoned)
    del abandoned
    gc.collect()

    subscriptions.put(event)
    subscriptions.end()

    assert gone() is None
    assert [happened async for happened in reader] == [closed("p0"), event]


async def test_who_waits_for_an_event_keeps_the_subscription() -> None:
    subscriptions = Subscriptions()
    subscriptions.go_live()
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(anext(subscriptions.subscribe()))
        await asyncio.sleep(0)
        gc.collect()
        subscriptions.put(closed("p1"))

    assert waiting.result() == closed("p1")


async def test_a_reader_waits_for_what_comes() -> None:
    subscriptions = Subscriptions()
    subscriptions.go_live()
    reader = subscriptions.subscribe()
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(anext(reader))
        await asyncio.sleep(0)
        subscriptions.put(closed("p1"))

    assert waiting.result() == closed("p1")


async def test_one_pane_can_be_followed() -> None:
    subscriptions = Subscriptions()
    subscriptions.go_live()
    reader = subscriptions.subscribe("p2")

    subscriptions.put(closed("p1"))
    subscriptions.put(TitleEvent(pane="p2", title="x", at=0.0))
    subscriptions.end()

    assert [event async for event in reader] == [TitleEvent(pane="p2", title="x", at=0.0)]


async def test_a_subscription_after_the_end_ends_at_once() -> None:
    subscriptions = Subscriptions()
    subscriptions.end()

    assert [event async for event in subscriptions.subscribe()] == []


async def test_a_reader_that_does_not_read_is_told_of_the_hole() -> None:
    subscriptions = Subscriptions()
    subscriptions.go_live()
    reader = subscriptions.subscribe()
    for _ in range(MOST_BEHIND + 1):
        subscriptions.put(closed("p1"))

    for _ in range(MOST_BEHIND):
        assert await anext(reader) == closed("p1")
    with pytest.raises(FellBehind):
        await anext(reader)
