"""open, close: panes come and go."""

from __future__ import annotations

from msgspec.structs import replace

from orca_tui.base.errors import Conflict
from orca_tui.commands.open import OPEN, OpenReply, OpenRequest
from orca_tui.commands.targets import CLOSE, CloseReply, CloseRequest
from orca_tui.layout import find_tab, find_workspace, panes_of
from orca_tui.server.dispatch import Caller
from orca_tui.server.handlers.handler import AnyHandler, Deed, at_once
from orca_tui.server.opening import Opener
from orca_tui.server.panes import Pane
from orca_tui.server.session import Session
from orca_tui.status.record import RUNNING


def handlers(session: Session, opener: Opener) -> tuple[AnyHandler, ...]:
    panes = Panes(session, opener)
    return (Deed(OPEN, panes.open), at_once(CLOSE, panes.close))


class Panes:
    def __init__(self, session: Session, opener: Opener) -> None:
        self._session = session
        self._opener = opener

    async def open(self, request: OpenRequest, caller: Caller) -> OpenReply:
        """A program in a pane opens beside itself, and may do with the new pane what it may with its own."""
        if caller.pane is None:
            return await self._opener.open(request)
        own = self._session.pane(caller.pane)
        if request.beside is None and (request.split or request.tab == "current"):
            request = replace(request, beside=own.id)
        return await self._opener.open(request, openers=(own.id, *own.facts.openers))

    def close(self, request: CloseRequest) -> CloseReply:
        """Close what the target names, all or nothing; the programs end in the background."""
        session = self._session
        panes = self._panes(request.target)
        busy = [pane.id for pane in panes if session.board.record(pane.id).status in RUNNING]
        if busy and not request.force:
            raise Conflict(f"an agent works or waits in {', '.join(busy)}; --force closes anyway", panes=busy)
        for pane in panes:
            session.remove(pane)
        return CloseReply(closed=tuple(pane.id for pane in panes))

    def _panes(self, target: str) -> list[Pane]:
        session = self._session
        match target[:1]:
            case "w":
                tabs = find_workspace(session.layout, target).tabs
            case "t":
                tabs = (find_tab(session.layout, target)[1],)
            case _:
                return [session.pane(target)]
        return [session.panes[pane_id] for tab in tabs for pane_id in panes_of(tab.root)]
