"""Work that outlives its request."""

from __future__ import annotations

import asyncio
import logging

import pytest

from orca_tui.base.errors import Conflict
from orca_tui.server.tasks import Tasks

pytestmark = pytest.mark.anyio


async def test_a_deed_goes_on_when_its_caller_is_cancelled() -> None:
    go, done = asyncio.Event(), asyncio.Event()

    async def deed() -> None:
        await go.wait()
        done.set()

    async with asyncio.TaskGroup() as group:
        tasks = Tasks(group)
        caller = group.create_task(tasks.finish(deed(), "deed"))
        await asyncio.sleep(0)
        caller.cancel()
        await asyncio.sleep(0)
        go.set()

    assert done.is_set()
    assert caller.cancelled()


async def test_the_caller_gets_the_result_or_the_failure_and_the_group_goes_on() -> None:
    async def works() -> int:
        return 7

    async def fails() -> int:
        raise Conflict("no")

    async with asyncio.TaskGroup() as group:
        tasks = Tasks(group)
        assert await tasks.finish(works(), "works") == 7
        with pytest.raises(Conflict):
            await tasks.finish(fails(), "fails")
        assert await tasks.finish(works(), "works") == 7


async def test_a_mistake_on_its_own_is_logged_by_its_place_and_not_by_its_words(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def mistake() -> None:
        raise ValueError("what somebody typed")

    with caplog.at_level(logging.ERROR):
        async with asyncio.TaskGroup() as group:
            Tasks(group).start(mistake(), "look at p1")

    assert "look at p1 failed: ValueError at" in caplog.text
    assert "test_tasks.py" in caplog.text
    assert "typed" not in caplog.text


async def test_what_still_runs_at_the_end_is_cancelled() -> None:
    cancelled = asyncio.Event()

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    async with asyncio.TaskGroup() as group:
        tasks = Tasks(group)
        tasks.start(endless(), "endless")
        await asyncio.sleep(0)
        tasks.cancel()

    assert cancelled.is_set()
