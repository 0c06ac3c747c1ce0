"""Waiting for processes to end."""

from __future__ import annotations

import asyncio
import subprocess

import pytest

from orca_tui.process import exits
from tests.process.local_spawner import when_exited

# ruff: noqa: ASYNC220 - the children are waited for by what is tested.
pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("with_pidfd", [True, False])
async def test_the_exit_code_of_a_child_is_told_once(
    with_pidfd: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not with_pidfd:
        monkeypatch.delattr("os.pidfd_open")
    codes: asyncio.Queue[int] = asyncio.Queue()
    process = subprocess.Popen(["/bin/sh", "-c", "exit 9"])

    when_exited(process, codes.put_nowait)

    assert await asyncio.wait_for(codes.get(), 10) == 9
    assert codes.empty()


async def test_the_end_of_a_stranger_is_told() -> None:
    gone = asyncio.Event()
    process = subprocess.Popen(["/bin/sh", "-c", "sleep 100"])

    assert exits.when_gone(process.pid, gone.set) is not None
    process.kill()

    await asyncio.wait_for(gone.wait(), 10)
    process.wait()


async def test_waiting_can_be_stopped_twice() -> None:
    gone = asyncio.Event()
    process = subprocess.Popen(["/bin/sh", "-c", "sleep 100"])
    stop = exits.when_gone(process.pid, gone.set)
    assert stop is not None

    stop()
    stop()
    process.kill()
    process.wait()

    assert not gone.is_set()


async def test_a_process_that_is_not_there_cannot_be_waited_for() -> None:
    process = subprocess.Popen(["/bin/true"])
    process.wait()

    assert exits.when_gone(process.pid, lambda: None) is None
