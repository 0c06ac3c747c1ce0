"""What the status core wants done, done: on a clock that stands."""

from __future__ import annotations

import pytest

from orca_tui.commands.events import RingEvent, SeenEvent, StatusEvent
from orca_tui.server.hub import Follower
from orca_tui.status.effects import WakeAt
from orca_tui.status.events import Seen
from orca_tui.status.record import Source, Status
from tests.server.rooms import Rooms
from tests.server.running import until

pytestmark = pytest.mark.anyio


async def drained(follower: Follower) -> list[object]:
    follower.end()
    found: list[object] = []
    while (event := await follower.next()) is not None:
        found.append(event)
    return found


async def test_a_turn_is_published_with_its_evidence_and_rings_once(inside: Rooms) -> None:
    pane = inside.pane("claude")
    follower = inside.session.events.follow()

    for state in ("working", "done"):
        inside.writes(pane, f"\x1b]7501;state={state}\x07".encode())
        inside.jump(1.0)
    inside.session.observe(pane.id, [Seen(at=inside.clock.now())])

    events = await drained(follower)
    assert [type(event) for event in events[-4:]] == [StatusEvent, StatusEvent, RingEvent, SeenEvent]
    done, ring = events[-3:-1]
    assert isinstance(done, StatusEvent)
    assert (done.from_, done.to, done.source) == (Status.WORKING, Status.DONE, Source.PROGRAM_STATUS)
    assert ring == RingEvent(pane=pane.id, status=Status.DONE, at=done.at)


async def test_a_new_panes_first_record_is_no_change_of_status(inside: Rooms) -> None:
    follower = inside.session.events.follow()

    inside.pane("claude")

    assert not [event for event in await drained(follower) if isinstance(event, StatusEvent)]


async def test_a_later_wake_replaces_an_earlier_one_and_a_closed_panes_never_comes(inside: Rooms) -> None:
    pane = inside.pane()
    runner = inside.session._effects

    runner.run(WakeAt(pane=pane.id, at=inside.clock.now() + 0.01))
    first = runner._timers[pane.id]
    runner.run(WakeAt(pane=pane.id, at=inside.clock.now() + 0.02))

    assert first.cancelled()
    second = runner._timers[pane.id]
    inside.session.remove(pane)
    assert second.cancelled()


async def test_a_wake_comes_at_its_time_even_when_the_wall_clock_went_back(inside: Rooms) -> None:
    pane = inside.pane("claude")
    inside.writes(pane, b"\x1b]7501;state=working\x07")
    assert inside.session.board.record(pane.id).status is not Status.WORKING
    inside.clock.jump(-3600)

    async def works() -> bool:
        return inside.session.board.record(pane.id).status is Status.WORKING

    await until(works, "the timer comes")
