"""Reading and writing real PTYs: whole pastes, programs that do not read, floods."""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
from random import Random

import pytest

from orca_tui.base.errors import Conflict
from orca_tui.process.pty_io import MAX_QUEUED_BYTES, READ_BYTES
from orca_tui.process.reading_order import ReadingOrder
from tests.process.local_spawner import LocalSpawner
from tests.process.programs import python, running
from tests.process.test_reading_order import Timers

pytestmark = pytest.mark.anyio

MIB = 1 << 20
RAW = "import os, tty; tty.setraw(0); os.write(1, b'ready');"


async def test_a_mebibyte_of_input_arrives_whole_and_in_order() -> None:
    paste = Random(1).randbytes(MIB)
    count = (
        f"{RAW}import hashlib; d = b''\nwhile len(d) < {MIB}: d += os.read(0, 65536)\n"
        "os.write(1, hashlib.sha256(d).hexdigest().encode())"
    )
    async with running(LocalSpawner(), *python(count)) as run:
        await run.says(b"ready")
        run.io.write(paste[:1000])
        run.io.write(paste[1000:])
        await run.says(hashlib.sha256(paste).hexdigest().encode())
        assert run.io.queued_bytes == 0


async def test_a_mebibyte_into_cat_comes_back_whole() -> None:
    lines = b"".join(b"%07d %s\n" % (number, b"x" * 100) for number in range(MIB // 109))
    async with running(LocalSpawner(), "/bin/sh", "-c", "stty -echo; echo ready; cat") as run:
        await run.says(b"ready")
        run.io.write(lines)
        await run.says(lines[-109:].strip())

    assert bytes(run.output).replace(b"\r\n", b"\n").partition(b"ready\n")[2] == lines


async def test_a_program_that_never_reads_still_shows_what_it_writes_and_blocks_nobody() -> None:
    code = (
        "import os, signal; signal.signal(signal.SIGUSR1, lambda *_: os.write(1, b'still here'))\n"
        f"{RAW}\nwhile True: signal.pause()"
    )
    async with running(LocalSpawner(), *python(code)) as run:
        await run.says(b"ready")
        run.io.write(bytes(MIB))
        assert run.io.queued_bytes > MIB // 2
        os.kill(run.child.pid, signal.SIGUSR1)
        await run.says(b"still here")
        assert run.io.queued_bytes > MIB // 2


async def test_input_that_is_left_unread_has_a_limit() -> None:
    async with running(LocalSpawner(), *python(f"{RAW}import signal; signal.pause()")) as run:
        await run.says(b"ready")
        run.io.write(bytes(MAX_QUEUED_BYTES))

        with pytest.raises(Conflict):
            run.io.write(bytes(MIB))


async def test_a_flood_is_read_in_slices_and_none_of_it_is_lost() -> None:
    sizes: list[int] = []
    async with running(LocalSpawner(), "/bin/sh", "-c", "read go; seq 1 200000") as run:
        run.on_output = lambda data: sizes.append(len(data))
        run.io.write(b"\n")
        await run.until(lambda: run.at_end)

    numbers = bytes(run.output).split(b"\r\n")[1:-1]
    assert numbers == [b"%d" % number for number in range(1, 200_001)]
    assert max(sizes) <= READ_BYTES


async def test_a_paused_program_waits_and_loses_nothing() -> None:
    async with running(LocalSpawner(), "/bin/sh", "-c", "read go; seq 1 100000; echo done") as run:
        run.io.pause()
        run.io.write(b"\n")
        assert run.exit_code is None
        run.io.resume()
        await run.says(b"100000\r\ndone")


async def test_writing_to_a_program_that_is_gone_is_no_error() -> None:
    async with running(LocalSpawner(), "/bin/sh", "-c", "exit 0") as run:
        await run.until(lambda: run.at_end)
        run.io.write(b"too late")
        assert run.io.queued_bytes == 0


async def test_while_the_echo_of_a_key_is_awaited_a_flood_is_not_read() -> None:
    order = ReadingOrder(Timers().call_later)  # Whose patience never ends.
    answers = python(f"{RAW} os.read(0, 1); os.write(1, b'echo'); os.read(0, 1)")
    async with (
        running(LocalSpawner(), "yes", order=order) as flood,
        running(LocalSpawner(), *answers, order=order) as typed,
    ):
        await typed.says(b"ready")
        await flood.says(b"y")
        typed.io.typed()
        read = len(flood.output)
        for _ in range(100):
            await asyncio.sleep(0)  # In which the flood would be read each time.
        assert len(flood.output) == read

        typed.io.write(b"x")

        await typed.says(b"echo")
        await flood.until(lambda: len(flood.output) > read)


async def test_a_terminal_that_waits_its_turn_may_be_paused_and_closed_meanwhile() -> None:
    order = ReadingOrder(Timers().call_later)
    async with (
        running(LocalSpawner(), "yes", order=order) as flood,
        running(LocalSpawner(), *python(f"{RAW} os.read(0, 1)"), order=order) as typed,
    ):
        await typed.says(b"ready")
        typed.io.typed()
        for _ in range(100):
            await asyncio.sleep(0)
        read = len(flood.output)

        flood.io.pause()
        order.said(typed.io)
        for _ in range(100):
            await asyncio.sleep(0)
        assert len(flood.output) == read

        flood.io.resume()
        await flood.until(lambda: len(flood.output) > read)
        typed.io.typed()
        for _ in range(100):
            await asyncio.sleep(0)
        flood.io.close()
        order.said(typed.io)  # Reads no descriptor that is its owner's again.
