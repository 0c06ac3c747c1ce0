"""Whether a keeper is there, and whether it goes on."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from orca_tui.process.keeper_presence import keeper_answers, when_it_stays_or_goes
from tests.process.programs import until

pytestmark = pytest.mark.anyio


def listening(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen(1)
    return listener


async def verdict(path: Path) -> bool:
    told: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    when_it_stays_or_goes(path, told.set_result)
    assert not told.done()
    return await told


async def test_a_keeper_that_listens_stays(tmp_path: Path) -> None:
    with listening(tmp_path / "k"):
        assert await verdict(tmp_path / "k")


async def test_a_keeper_that_dies_while_it_is_asked_does_not_stay(tmp_path: Path) -> None:
    """It closes its sockets one after the other: the one for programs first, and then that where it listens."""
    told: list[bool] = []
    with listening(tmp_path / "k"):
        when_it_stays_or_goes(tmp_path / "k", told.append)
    await until(lambda: bool(told))

    assert told == [False]


async def test_where_nobody_listens_no_keeper_stays(tmp_path: Path) -> None:
    listening(tmp_path / "k").close()

    assert not await verdict(tmp_path / "k")
    assert not await verdict(tmp_path / "never")


async def test_a_keeper_that_has_no_time_to_accept_stays(tmp_path: Path) -> None:
    with listening(tmp_path / "k"):
        waiting = []
        while True:
            guest = socket.socket(socket.AF_UNIX)
            guest.setblocking(False)
            waiting.append(guest)
            if guest.connect_ex(str(tmp_path / "k")):
                break

        assert await verdict(tmp_path / "k")
        assert keeper_answers(tmp_path / "k")
        for guest in waiting:
            guest.close()


async def test_who_stops_asking_is_told_nothing_and_leaves_nothing_open(tmp_path: Path) -> None:
    told: list[bool] = []
    with listening(tmp_path / "k") as listener:
        stop = when_it_stays_or_goes(tmp_path / "k", told.append)
        guest, _ = listener.accept()
        stop()
        stop()
        with guest:
            assert guest.recv(1) == b""
    assert not await verdict(tmp_path / "k")  # What was to be told would have been told before this.

    assert told == []


def test_a_keeper_answers_where_one_listens(tmp_path: Path) -> None:
    with listening(tmp_path / "k"):
        assert keeper_answers(tmp_path / "k")
    assert not keeper_answers(tmp_path / "k")
