"""Fixtures of the server's tests: the real engine, and a whole server in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from orca_tui.term.ghostty import GhosttyFactory
from tests.server.rooms import Rooms, rooms
from tests.server.running import Api, Server, running_server


@pytest.fixture(scope="session")
def engines() -> GhosttyFactory:
    return GhosttyFactory()


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    """A running server, stopped after the test with all its panes."""
    async with running_server() as running:
        yield running


@pytest.fixture
async def api(server: Server) -> Api:
    """A client of it."""
    return Api(await server.client(), server.root)


@pytest.fixture
async def inside() -> AsyncIterator[Rooms]:
    """A session without doors and programs, with a clock that stands."""
    async with rooms() as made:
        yield made
