"""The server's own signals."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from orca_tui.process import signals

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_an_ending_signal_asks_for_the_end(number: signal.Signals) -> None:
    ended = asyncio.Event()
    with signals.handled(ended.set):
        os.kill(os.getpid(), number)
        await asyncio.wait_for(ended.wait(), 10)


async def test_a_hang_up_changes_nothing_and_programs_do_not_inherit_that() -> None:
    ended = asyncio.Event()
    with signals.handled(ended.set):
        assert signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN
        os.kill(os.getpid(), signal.SIGHUP)
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(ended.wait(), 10)
