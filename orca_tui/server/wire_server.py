"""The wire door: takes connections and brings what UIs do to panes. Knows no command by name."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from orca_tui import __version__
from orca_tui.base.errors import Conflict, Unsupported
from orca_tui.base.ids import PaneId
from orca_tui.commands.spec import Reach
from orca_tui.server.connection import Connection
from orca_tui.server.dispatch import Dispatcher, Whose
from orca_tui.server.observing import Observer
from orca_tui.server.peer import Peer
from orca_tui.server.session import Session
from orca_tui.server.uis import Ui
from orca_tui.term.input_events import InputEvent, is_on_purpose
from orca_tui.wire import PROTOCOL, Told, Welcome

FLUSH_S = 1.0  # A stopping server waits so long for its last answers to be read.

logger = logging.getLogger(__name__)


@asynccontextmanager
async def serve_wire(
    listener: socket.socket, session: Session, dispatcher: Dispatcher, observer: Observer
) -> AsyncIterator[None]:
    """Answer on a listening Unix socket as long as the context is open."""
    door = WireDoor(session, dispatcher, observer)
    server = await asyncio.get_running_loop().create_unix_server(lambda: Connection(door), sock=listener)
    try:
        yield
    finally:
        server.close()
        await door.hang_up()


class WireDoor:
    """The `WireHost` of all connections."""

    def __init__(self, session: Session, dispatcher: Dispatcher, observer: Observer) -> None:
        parts = session.parts
        self.dispatcher = dispatcher
        self.tasks = session.tasks
        self.whose: Whose = session.callers.pane_of
        self.connections: set[Connection] = set()
        self.welcome = Welcome(
            protocol=PROTOCOL,
            version=__version__,
            server=parts.name,
            pid=os.getpid(),
            engine_build=parts.engines.build,
        )
        self._session = session
        self._observer = observer

    def acked(self, ui: Ui, channel: int, count: int) -> None:
        """A UI has fed bytes; those of a channel that it has left meanwhile count for nothing."""
        pane_id, stream = ui.channels.get(channel, (None, None))
        pane = self._session.panes.get(PaneId(pane_id)) if pane_id is not None else None
        if pane is not None and stream is not None:
            pane.streams.acked(stream, count)

    def leave(self, peer: Peer) -> None:
        """Go, and leave the panes to the next server."""
        pane = self.whose(peer, None)
        if pane is not None:
            self._session.gate.demand("server restart", pane, Reach.SERVER)
        if not self._session.parts.spawner.keeper_id:
            raise Unsupported("the panes of this server end with it")
        self._session.leave()

    def pressed(self, ui: Ui, channel: int, event: InputEvent) -> None:
        """Input for a pane; whoever gives it is the UI used last from now on."""
        pane_id, _ = ui.channels.get(channel, (None, None))
        pane = self._session.panes.get(PaneId(pane_id)) if pane_id is not None else None
        if pane is None or pane.exit_code is not None:
            return  # The key was on its way when the program ended.
        if is_on_purpose(event) and self._session.uis.use(ui):
            self._session.uis_changed()
        try:
            pane.press(event)
        except Conflict as error:
            ui.mailbox.put(Told(text=f"{pane.id}: {error.message}", severity="error"))
        self._observer.pressed(pane, event)

    async def hang_up(self) -> None:
        """Close every connection once its requests are answered and its frames sent, or a second is over."""
        connections = tuple(self.connections)
        try:
            async with asyncio.timeout(FLUSH_S):
                await asyncio.gather(*(connection.finish() for connection in connections))
        except TimeoutError:
            for connection in connections:
                connection.abort()
