"""The queue to the outer terminal, on a real pipe that can be full."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator

import pytest

from orca_tui.base.clock import SystemClock
from orca_tui.ui.outbox import Outbox

pytestmark = pytest.mark.anyio


class Pipe:
    """A terminal that reads when it is told to."""

    def __init__(self) -> None:
        self.read_fd, self.write_fd = os.pipe()
        os.set_blocking(self.read_fd, False)
        os.set_blocking(self.write_fd, False)

    def read(self) -> bytes:
        try:
            return os.read(self.read_fd, 1024 * 1024)
        except BlockingIOError:
            return b""

    def fill(self) -> int:
        """Take all the room there is; returns how much that was."""
        size = 0
        while True:
            try:
                size += os.write(self.write_fd, b"." * 65536)
            except BlockingIOError:
                return size


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe()
    yield pipe
    for fd in (pipe.read_fd, pipe.write_fd):
        os.close(fd)


def outbox(pipe: Pipe, told: list[bool] | None = None) -> Outbox:
    told = [] if told is None else told
    return Outbox(pipe.write_fd, asyncio.get_running_loop(), on_congested=told.append, high_water_bytes=100)


async def test_what_fits_is_sent_at_once_and_in_order(pipe: Pipe) -> None:
    box = outbox(pipe)
    for number in range(200):
        box.put(b"%d," % number)

    box.pump()

    assert pipe.read() == b"".join(b"%d," % number for number in range(200))
    assert box.backlog_bytes == 0


async def test_what_does_not_fit_follows_when_there_is_room(pipe: Pipe) -> None:
    box, size = outbox(pipe), pipe.fill()
    box.put(b"x" * 50)
    box.pump()
    assert box.backlog_bytes == 50

    received = b""
    while len(received) < size + 50:
        received += pipe.read()
        await asyncio.sleep(0)

    assert received == b"." * size + b"x" * 50
    assert box.backlog_bytes == 0


async def test_a_terminal_that_falls_behind_is_told_once_and_so_is_its_catching_up(pipe: Pipe) -> None:
    told: list[bool] = []
    box = outbox(pipe, told)
    pipe.fill()

    for _ in range(5):
        box.put(b"x" * 50)
        box.pump()
    assert (told, box.congested) == ([True], True)

    while box.backlog_bytes:
        pipe.read()
        await asyncio.sleep(0)
    assert (told, box.congested) == ([True, False], False)


async def test_one_frame_however_large_is_not_behind_and_a_second_one_is(pipe: Pipe) -> None:
    told: list[bool] = []
    box = outbox(pipe, told)
    pipe.fill()

    for piece in (b"begin", b"x" * 5000, b"end"):
        box.put(piece)
    box.pump()
    assert told == []

    box.put(b"y" * 5000)
    box.pump()
    assert told == [True]


async def test_finishing_drops_what_has_not_begun_and_completes_what_has(pipe: Pipe) -> None:
    box = outbox(pipe)
    size = pipe.fill()
    os.read(pipe.read_fd, 4096)
    box.put(b"a" * 10_000)
    box.put(b"never")
    box.pump()
    received = pipe.read()

    finished = box.finish(b"the end", patience_s=5, clock=SystemClock())

    received += pipe.read()
    assert finished
    assert received == b"." * (size - 4096) + b"a" * 10_000 + b"the end"


class Interrupted(Outbox):
    """A signal comes between the first write and the accounting for it, and its handler finishes the queue."""

    signalled = False

    def _forget(self, sent: int) -> None:
        if not self.signalled:
            self.signalled = True
            self.finish(b"LAST", patience_s=1.0, clock=SystemClock())
        super()._forget(sent)


async def test_a_signal_that_finishes_in_the_middle_of_a_write_does_no_harm(pipe: Pipe) -> None:
    box = Interrupted(pipe.write_fd, asyncio.get_running_loop(), on_congested=lambda _: None)
    box.put(b"frame")

    box.pump()

    assert pipe.read() == b"frameLAST"
    assert box.backlog_bytes == 0


async def test_finishing_gives_up_on_a_terminal_that_does_not_read(pipe: Pipe) -> None:
    box = outbox(pipe)
    pipe.fill()

    assert not box.finish(b"the end", patience_s=0.01, clock=SystemClock())


async def test_after_the_terminal_is_gone_everything_is_dropped(pipe: Pipe) -> None:
    read_fd = os.dup(pipe.read_fd)
    os.close(pipe.read_fd)
    os.close(read_fd)
    pipe.read_fd = os.open(os.devnull, os.O_RDONLY)
    box = outbox(pipe)

    box.put(b"x")
    box.pump()
    box.put(b"y" * 1000)

    assert box.gone
    assert box.backlog_bytes == 0
