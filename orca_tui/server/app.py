"""Starts and stops the parts of a server. Decides nothing about panes.

`serve` is what the composer calls for `orca-tui server run`; tests run `run_server` in their own loop.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from contextlib import AsyncExitStack, ExitStack

from orca_tui import __version__
from orca_tui.base import garbage
from orca_tui.base.errors import Conflict
from orca_tui.commands.table import COMMANDS
from orca_tui.notices.store import NoticeStore
from orca_tui.process import daemon, signals
from orca_tui.process.lock import LockFile
from orca_tui.server import logs
from orca_tui.server.dispatcher import TableDispatcher
from orca_tui.server.entrances import Entrances
from orca_tui.server.handlers.server import end_all_panes, leave_all_panes
from orca_tui.server.handlers.table import all_handlers
from orca_tui.server.http import serve_http
from orca_tui.server.intake import serve_intake
from orca_tui.server.mistakes import log_uncaught
from orca_tui.server.observing import Observer
from orca_tui.server.opening import Opener
from orca_tui.server.parts import Parts
from orca_tui.server.preparing import Preparer
from orca_tui.server.restoring import Restorer
from orca_tui.server.reviving import Reviver
from orca_tui.server.session import Session
from orca_tui.server.sockets import listening, private_directory
from orca_tui.server.tasks import Tasks
from orca_tui.server.wire_server import serve_wire
from status_plugin.generate import plugin_files

logger = logging.getLogger(__name__)


def serve(parts: Parts, *, ready_fd: int | None = None) -> None:
    """Run a server until it is told to stop; blocks.

    With `ready_fd` (`orca-tui server run --ready-fd N`, as `process/daemon.py` starts it) it is detached: it
    leaves its directory, and says on that descriptor when its sockets answer. Raises `Conflict` when a server
    of that name runs already.
    """
    handler = logs.log_to(parts.paths.log_file(parts.name))
    try:
        if ready_fd is not None:
            os.chdir("/")
        asyncio.run(run_server(parts, ready=lambda: _ready(ready_fd)))
    finally:
        logs.stop(handler)


async def run_server(parts: Parts, *, ready: Callable[[], None] = lambda: None) -> None:
    """Run a server in this loop until `server stop` or a signal; `ready` is called when its sockets answer."""
    asyncio.get_running_loop().set_exception_handler(log_uncaught)
    with ExitStack() as held:
        sockets = parts.sockets()
        private_directory(parts.paths.runtime_dir)
        private_directory(parts.paths.session_dir(parts.name))
        lock = LockFile.acquire(parts.paths.lock_file(parts.name))
        if lock is None:
            raise Conflict(f"a server named {parts.name!r} runs already", server=parts.name)
        held.callback(lock.release)
        wire, http, intake = (
            held.enter_context(listening(path)) for path in (sockets.wire, sockets.http, sockets.intake)
        )
        async with asyncio.TaskGroup() as group, AsyncExitStack() as doors:
            store = NoticeStore.open(parts.paths.notices_file(parts.name))
            held.callback(store.close)
            session = Session(parts, Tasks(group), store)
            doors.callback(session.tasks.cancel)  # The last thing: with shut doors, nobody waits for answers.
            doors.callback(session.keeping.close)
            held.enter_context(signals.handled(session.told_to_end))
            observer = Observer(session)
            opener = Opener(
                session,
                observer,
                Preparer(
                    versions=session.versions,
                    consent=session.consent,
                    plugin=plugin_files(),
                    agents=parts.agents,
                    state_dir=parts.paths.state_dir,
                ),
            )
            restorer = Restorer(session, opener)
            doors.push_async_callback(_part_with_programs, session)
            await _take_over(session, Reviver(session, observer, restorer))
            handlers = all_handlers(session, observer, opener, restorer)
            dispatcher = TableDispatcher(handlers, session.tasks, session.gate)
            entrances = Entrances(doors)
            await entrances.open(sockets.intake, intake, lambda one: serve_intake(one, session.reports))
            await entrances.open(
                sockets.http, http, lambda one: serve_http(one, dispatcher, COMMANDS, session.callers.pane_of)
            )
            await entrances.open(
                sockets.wire, wire, lambda one: serve_wire(one, session, dispatcher, observer)
            )
            session.tasks.start(entrances.look_after(), "look after the sockets")
            session.plugins.begin()
            doors.push_async_callback(_close, session)
            logger.info("server %s (%s) started", parts.name, __version__)
            ready()
            await session.stop_asked.wait()
    logger.info("server %s stopped", parts.name)


async def _take_over(session: Session, reviver: Reviver) -> None:
    """What the server before left is this one's."""
    loaded = session.keeping.open()
    kept = await session.parts.spawner.open(session.lost_keeper)
    reviver.revive(loaded.session, kept)
    session.keeping.saver.begin()


async def _part_with_programs(session: Session) -> None:
    await session.parts.spawner.close(end=not session.leaving)


async def _close(session: Session) -> None:
    """Plugins first, which may have something to take back; then panes, whose last news still finds the doors open."""
    await session.plugins.close()
    if session.leaving:
        leave_all_panes(session)
    else:
        await end_all_panes(session)
    session.events.close()
    session.uis.close()
    session.reports.close()
    session.notices.close()


def _ready(descriptor: int | None) -> None:
    garbage.settle()
    if descriptor is not None:
        daemon.announce_ready(descriptor)
