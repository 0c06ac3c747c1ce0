"""What a UI does when its server is gone: wait for another, start one, leave."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from orca_tui.base.errors import EngineMismatch, OrcaError, ServerUnavailable
from orca_tui.layout import Layout
from orca_tui.ui.attendance import GIVE_UP_AFTER_S, MOST_CRASHES, SHORT_LIFE_S, START_AFTER_S, Attendance
from orca_tui.ui.farewell import Farewell
from orca_tui.wire import Leaving, PaneInfo, Synced, UiItem
from tests.fakes import FakeClock

pytestmark = pytest.mark.anyio

STATE = Synced(layout=Layout(), panes=(PaneInfo(pane="p1"), PaneInfo(pane="p2")))
LIMIT_S = 10.0


class ScriptedLink:
    """A link whose connections and servers follow a script."""

    def __init__(self, *servers: list[UiItem | OrcaError]) -> None:
        self.servers = list(servers)
        self.refusals: list[OrcaError] = []
        """What connecting raises, one after the other; then there is a server."""
        self.told: list[str] = []

    async def connect(self, _: Any) -> None:
        self.told.append("connect")
        if self.refusals:
            raise self.refusals.pop(0)

    async def items(self, cols: int, rows: int) -> AsyncIterator[UiItem]:
        self.told.append(f"attach {cols}x{rows}")
        for item in self.servers.pop(0):
            if isinstance(item, OrcaError):
                raise item
            yield item
        await asyncio.Event().wait()

    def lost(self) -> None:
        self.told.append("lost")

    def show_again(self) -> None:
        self.told.append("show again")


class Guest:
    """Who attends; leaves when the script is at its end."""

    def __init__(self) -> None:
        self.farewell: Farewell | None = None
        self.said: list[str] = []
        self.cells = (80, 24)

    @property
    def parted(self) -> bool:
        return self.farewell is not None

    def say(self, text: str, severity: str = "information") -> None:
        self.said.append(text)

    def part(self, farewell: Farewell) -> None:
        self.farewell = farewell


class Attending:
    def __init__(self, link: ScriptedLink, *, starts: bool = True) -> None:
        self.link = link
        self.guest = Guest()
        self.clock = FakeClock()
        self.started = 0
        self.refuse_start: list[ServerUnavailable] = []
        self.taken: list[UiItem] = []
        self.settled = asyncio.Event()
        """The last server has said something."""
        self.attendance = Attendance(
            self.guest,
            link,  # type: ignore[arg-type]
            self._take,
            clock=self.clock,
            server="default",
            start=self._start if starts else None,
        )

    async def run(self) -> None:
        async with asyncio.timeout(LIMIT_S):
            await self.attendance.connect(self.link.connect)  # type: ignore[arg-type]
            async with asyncio.TaskGroup() as group:
                following = group.create_task(self.attendance.follow())
                settled = group.create_task(self.settled.wait())
                await asyncio.wait((following, settled), return_when=asyncio.FIRST_COMPLETED)
                following.cancel()
                settled.cancel()

    def _take(self, item: UiItem) -> None:
        self.taken.append(item)
        if not self.link.servers:
            asyncio.get_running_loop().call_soon(self.settled.set)

    def _start(self) -> None:
        self.started += 1
        self.clock.jump(1.0)
        if self.refuse_start:
            raise self.refuse_start.pop(0)


def gone() -> ServerUnavailable:
    return ServerUnavailable("the server is gone")


async def test_a_crashed_server_is_replaced_at_once_and_people_are_told() -> None:
    attending = Attending(ScriptedLink([STATE, gone()], [STATE]))
    link = attending.link

    await attending.run()

    assert attending.started == 1
    assert link.told == ["connect", "attach 80x24", "lost", "connect", "attach 80x24", "show again"]
    assert attending.guest.said == [
        "the server is gone; what you type waits for the next one",
        "another server has taken over; 2 panes go on",
    ]


async def test_a_server_that_makes_place_for_another_is_not_replaced_by_the_ui() -> None:
    attending = Attending(ScriptedLink([STATE, Leaving(), gone()], [STATE]))
    clock = attending.clock

    async def connect(_: Any) -> None:
        clock.jump(START_AFTER_S / 4)
        await ScriptedLink.connect(attending.link, _)

    attending.link.connect = connect  # type: ignore[method-assign]
    await attending.run()

    assert attending.started == 0
    assert attending.guest.said[0] == "the server restarts; what you type waits for it"


async def test_when_nobody_else_does_the_ui_starts_one_after_all() -> None:
    attending = Attending(ScriptedLink([STATE, Leaving(), gone()], [STATE]))
    clock = attending.clock

    async def connect(_: Any) -> None:
        if not attending.started and "lost" in attending.link.told:
            clock.jump(1.0)
            raise gone()

    attending.link.connect = connect  # type: ignore[method-assign]
    await attending.run()

    assert attending.started == 1


async def test_a_server_that_somebody_else_has_started_is_taken() -> None:
    attending = Attending(ScriptedLink([STATE, gone()], [STATE]))
    attending.refuse_start = [ServerUnavailable("it runs already", exit_code=3)]

    await attending.run()

    assert attending.guest.farewell is None
    assert attending.guest.said[-1] == "another server has taken over; 2 panes go on"


async def test_a_server_that_cannot_be_started_ends_the_ui_with_the_reason() -> None:
    attending = Attending(ScriptedLink([STATE, gone()], [STATE]))
    attending.refuse_start = [ServerUnavailable("the server ended at once", exit_code=1)]

    await attending.run()

    assert attending.guest.farewell is not None
    assert attending.guest.farewell.exit_code == 1
    assert "the server ended at once" in attending.guest.farewell.text


@pytest.mark.parametrize(("lived_s", "started"), [(SHORT_LIFE_S - 1, 1), (SHORT_LIFE_S, 2)])
async def test_a_server_that_lives_for_a_moment_only_is_not_replaced_at_once(
    lived_s: float, started: int
) -> None:
    """Somebody else starts the third, so that one that is waited for is seen not to have been started."""
    attending = Attending(ScriptedLink([STATE, gone()], [STATE, gone()], [STATE]))
    take = attending.attendance._take

    def live(item: UiItem) -> None:
        attending.clock.jump(lived_s)
        take(item)

    attending.attendance._take = live
    await attending.run()

    assert attending.started == started


def crash(number: int) -> ServerUnavailable:
    return ServerUnavailable(f"the server ended at once, {number}", exit_code=-11)


async def test_a_start_that_crashes_is_tried_again() -> None:
    attending = Attending(ScriptedLink([STATE, gone()], [STATE]))
    attending.refuse_start = [crash(number) for number in range(1, MOST_CRASHES)]

    async def connect(_: Any) -> None:
        if attending.link.told.count("lost") and attending.started < MOST_CRASHES:
            raise gone()

    attending.link.connect = connect  # type: ignore[method-assign]
    await attending.run()

    assert attending.started == MOST_CRASHES
    assert attending.guest.farewell is None


async def test_starts_that_crash_again_and_again_end_the_ui_with_the_last_reason() -> None:
    attending = Attending(ScriptedLink([STATE, gone()], [STATE]))
    attending.refuse_start = [crash(number) for number in range(1, MOST_CRASHES + 2)]

    async def connect(_: Any) -> None:
        if attending.link.told.count("lost"):
            raise gone()

    attending.link.connect = connect  # type: ignore[method-assign]
    await attending.run()

    assert attending.started == MOST_CRASHES
    assert attending.guest.farewell is not None
    assert f"ended at once, {MOST_CRASHES}" in attending.guest.farewell.text


async def test_nobody_waits_for_ever() -> None:
    attending = Attending(ScriptedLink([STATE, gone()], [STATE]))

    async def connect(_: Any) -> None:
        if attending.link.told.count("lost"):
            attending.clock.jump(GIVE_UP_AFTER_S / 3)
            raise gone()

    attending.link.connect = connect  # type: ignore[method-assign]
    await attending.run()

    assert attending.guest.farewell is not None
    assert "the server is gone" in attending.guest.farewell.text


async def test_a_server_of_another_build_has_the_program_begin_again() -> None:
    attending = Attending(ScriptedLink([STATE, gone()], [STATE]))

    async def connect(_: Any) -> None:
        if attending.link.told.count("lost"):
            raise EngineMismatch("another build")

    attending.link.connect = connect  # type: ignore[method-assign]
    await attending.run()

    assert attending.guest.farewell is not None
    assert attending.guest.farewell.again


async def test_a_ui_that_was_told_to_leave_starts_nothing() -> None:
    attending = Attending(ScriptedLink([STATE, gone()], [STATE]))
    attending.guest.part(Farewell(exit_code=0, text="left"))

    await attending.run()

    assert attending.started == 0
    assert "lost" not in attending.link.told


async def test_without_a_way_to_start_one_the_ui_ends() -> None:
    attending = Attending(ScriptedLink([STATE, gone()], [STATE]), starts=False)

    await attending.run()

    assert attending.guest.farewell is not None
    assert attending.guest.farewell.exit_code == 1
