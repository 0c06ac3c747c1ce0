"""Every command has a handler of its own kind."""

from __future__ import annotations

import asyncio

import pytest

from orca_tui.commands.table import COMMANDS
from orca_tui.server.handlers.handler import Stream
from orca_tui.server.handlers.table import all_handlers
from orca_tui.server.observing import Observer
from orca_tui.server.opening import Opener
from orca_tui.server.preparing import Preparer
from orca_tui.server.restoring import Restorer
from orca_tui.server.session import Session
from orca_tui.server.tasks import Tasks
from tests.server.rooms import stored_notices
from tests.server.running import Server

pytestmark = pytest.mark.anyio


async def test_every_command_has_exactly_one_handler_that_streams_when_the_command_does(
    server: Server,
) -> None:
    async with stored_notices() as store, asyncio.TaskGroup() as group:
        session = Session(server.parts, Tasks(group), store)
        observer = Observer(session)
        preparer = Preparer(
            versions=session.versions,
            consent=session.consent,
            plugin=(),
            agents=session.parts.agents,
            state_dir=session.parts.paths.state_dir,
        )
        opener = Opener(session, observer, preparer)
        handlers = all_handlers(session, observer, opener, Restorer(session, opener))

        session.notices.close()

    names = [handler.command.name for handler in handlers]
    assert sorted(names) == sorted(command.name for command in COMMANDS)
    assert all(handler.command.stream == isinstance(handler, Stream) for handler in handlers)
