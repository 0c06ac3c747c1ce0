"""Waiting for a status."""

from __future__ import annotations

import asyncio

import pytest

from orca_tui.server.waiters import Ended, Waiters
from orca_tui.status.record import Status
from orca_tui.wire import PaneInfo

pytestmark = pytest.mark.anyio


async def started(waiters: Waiters, *statuses: Status) -> asyncio.Future[PaneInfo]:
    """Somebody who waits already."""
    waiting = asyncio.gather(waiters.wait("p1", frozenset(statuses)))
    await asyncio.sleep(0)
    return asyncio.ensure_future(_first(waiting))


async def _first(waiting: asyncio.Future[list[PaneInfo]]) -> PaneInfo:
    return (await waiting)[0]


def record(status: Status) -> PaneInfo:
    return PaneInfo(pane="p1", status=status)


async def test_the_record_is_that_of_the_moment_even_when_the_status_changes_at_once() -> None:
    waiters = Waiters()
    waiting = await started(waiters, Status.WAITING)

    waiters.status_changed("p1", Status.WAITING, lambda: record(Status.WAITING))
    waiters.status_changed("p1", Status.WORKING, lambda: record(Status.WORKING))

    assert (await waiting).status is Status.WAITING


async def test_other_panes_and_other_statuses_do_not_count() -> None:
    waiters = Waiters()
    waiting = await started(waiters, Status.DONE, Status.ERROR)

    waiters.status_changed("p2", Status.DONE, lambda: record(Status.DONE))
    waiters.status_changed("p1", Status.WORKING, lambda: record(Status.WORKING))
    assert not waiting.done()
    waiters.status_changed("p1", Status.ERROR, lambda: record(Status.ERROR))

    assert (await waiting).status is Status.ERROR


async def test_the_programs_end_ends_the_waiting_unless_it_was_waited_for() -> None:
    waiters = Waiters()
    for_done, for_exit = await started(waiters, Status.DONE), await started(waiters, Status.EXITED)

    waiters.status_changed("p1", Status.EXITED, lambda: record(Status.EXITED))

    with pytest.raises(Ended):
        await for_done
    assert (await for_exit).status is Status.EXITED


async def test_closing_the_pane_ends_the_waiting() -> None:
    waiters = Waiters()
    waiting = await started(waiters, Status.DONE)

    waiters.closed("p1")

    with pytest.raises(Ended, match="was closed"):
        await waiting
