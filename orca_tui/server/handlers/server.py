"""server status, server stop, detach: the server as a whole."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable

from orca_tui import __version__
from orca_tui.base.errors import Conflict
from orca_tui.commands.detach import DETACH, DetachReply
from orca_tui.commands.server_status import SERVER_STATUS, ServerStatusReply
from orca_tui.commands.server_stop import SERVER_STOP, ServerStopReply, ServerStopRequest
from orca_tui.commands.spec import Empty
from orca_tui.server.dispatch import Caller
from orca_tui.server.handlers.handler import AnyHandler, Deed, at_once
from orca_tui.server.opencode_files import REMOVED
from orca_tui.server.session import Session
from orca_tui.status.record import Status
from orca_tui.wire import DetachAsked


def handlers(session: Session) -> tuple[AnyHandler, ...]:
    server = Server(session)
    return (
        at_once(SERVER_STATUS, server.status),
        Deed(SERVER_STOP, server.stop),
        at_once(DETACH, server.detach),
    )


class Server:
    def __init__(self, session: Session) -> None:
        self._session = session

    def status(self, _: Empty) -> ServerStatusReply:
        session = self._session
        sockets = session.parts.sockets()
        of_server = _told([*session.keeping.notes(), session.notices.store.trouble])
        of_panes = _told([pane.facts.note for pane in session.panes.values()])
        return ServerStatusReply(
            server=session.parts.name,
            pid=os.getpid(),
            version=__version__,
            started_at=session.started_at,
            panes=len(session.panes),
            uis=len(session.uis),
            sockets={"wire": str(sockets.wire), "http": str(sockets.http), "intake": str(sockets.intake)},
            notes=tuple(dict.fromkeys((*of_server, *of_panes))),
            server_notes=of_server,
        )

    async def stop(self, request: ServerStopRequest, _: Caller) -> ServerStopReply:
        """Answers when every program has ended; then the server goes."""
        session = self._session
        records = session.board.records()
        running = [one.pane for one in records if one.agent and one.status is not Status.EXITED]
        if running and not request.yes:
            raise Conflict(f"agents run in {', '.join(running)}; --yes stops anyway", panes=running)
        # Plugins first: they may have something to take back, which is there as long as panes are.
        await session.plugins.close()
        closed = tuple(session.panes)
        await end_all_panes(session)
        session.stop_asked.set()
        return ServerStopReply(closed=closed)

    def detach(self, _: Empty) -> DetachReply:
        """Ask every UI to leave; the panes go on."""
        attached = len(self._session.uis)
        self._session.uis.tell(DetachAsked(reason="detached"))
        return DetachReply(detached=attached)


async def end_all_panes(session: Session) -> None:
    """Close every pane and wait until their programs are gone; UIs leave first. The session is kept as it was."""
    session.keeping.saver.freeze()
    session.uis.tell(DetachAsked(reason="the server stops", stopping=True))
    for pane in tuple(session.panes.values()):
        session.keeping.retire(pane)
        session.remove(pane)
    await asyncio.gather(*(pane.ended() for pane in tuple(session.ending)))


def leave_all_panes(session: Session) -> None:
    """Let go of every pane, so that another server can take it; UIs see this one go, and wait for that."""
    session.keeping.keep_unread({pane.id: pane.leave() for pane in session.panes.values()})


def _told(notes: Iterable[str]) -> tuple[str, ...]:
    """Those that tell of trouble, once each."""
    return tuple(dict.fromkeys(note for note in notes if note not in ("", REMOVED)))
