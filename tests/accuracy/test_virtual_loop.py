"""Time jumps, and nothing else changes."""

from __future__ import annotations

import asyncio
import os

import pytest

from tests.accuracy import virtual_loop
from tests.accuracy.virtual_loop import LoopClock, Stuck, VirtualLoop


def test_an_hour_passes_at_once() -> None:
    async def main(loop: VirtualLoop) -> tuple[float, float]:
        clock = LoopClock(loop, epoch=1000.0)
        await asyncio.sleep(3600)
        return clock.monotonic(), clock.now()

    assert virtual_loop.run(main) == pytest.approx((3600, 4600))


def test_what_is_ready_is_taken_before_time_passes() -> None:
    async def main(loop: VirtualLoop) -> list[str]:
        reading, writing = os.pipe()
        seen: list[str] = []
        loop.add_reader(reading, lambda: seen.append(f"{os.read(reading, 1).decode()} at {loop.time():g}"))
        loop.call_later(1, os.write, writing, b"x")
        loop.call_later(1.5, seen.append, "later")
        await asyncio.sleep(2)
        loop.remove_reader(reading)
        os.close(reading)
        os.close(writing)
        return seen

    assert virtual_loop.run(main) == ["x at 1", "later"]


def test_a_thread_takes_no_time() -> None:
    async def main(loop: VirtualLoop) -> tuple[int, float]:
        return await asyncio.to_thread(lambda: 42), loop.time()

    assert virtual_loop.run(main) == (42, 0.0)


def test_waiting_for_what_never_comes_is_told() -> None:
    async def main(loop: VirtualLoop) -> None:
        await asyncio.Event().wait()

    with pytest.raises(Stuck):
        virtual_loop.run(main)
