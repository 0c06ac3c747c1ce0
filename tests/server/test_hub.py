"""Events to followers."""

from __future__ import annotations

import pytest

from orca_tui.commands.events import ClosedEvent, HelloEvent, TitleEvent
from orca_tui.server.hub import MAX_BEHIND, EventHub, FellBehind

pytestmark = pytest.mark.anyio


def title(pane: str, text: str = "") -> TitleEvent:
    return TitleEvent(pane=pane, title=text, at=1.0)


async def test_every_follower_gets_everything_in_order() -> None:
    hub = EventHub()
    followers = [hub.follow(), hub.follow()]
    events = [title("p1"), title("p2"), ClosedEvent(pane="p1", at=2.0)]
    for event in events:
        hub.publish(event)

    for follower in followers:
        assert [await follower.next() for _ in events] == events


async def test_a_follower_of_one_pane_gets_only_that_panes_events() -> None:
    hub = EventHub()
    follower = hub.follow("p2")
    hub.publish(title("p1"))
    hub.publish(title("p2"))
    hub.publish(HelloEvent(server="default", version="1", at=1.0))
    hub.close()

    assert await follower.next() == title("p2")
    assert isinstance(await follower.next(), HelloEvent)
    assert await follower.next() is None


async def test_who_has_left_gets_nothing() -> None:
    hub = EventHub()
    follower = hub.follow()
    hub.leave(follower)
    hub.publish(title("p1"))
    follower.end()

    assert await follower.next() is None


async def test_a_follower_that_does_not_read_fails_rather_than_missing_events_silently() -> None:
    hub = EventHub()
    follower = hub.follow()
    for number in range(MAX_BEHIND + 5):
        hub.publish(title("p1", str(number)))

    with pytest.raises(FellBehind):
        await follower.next()
