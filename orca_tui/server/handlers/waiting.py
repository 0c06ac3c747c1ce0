"""wait, events: following what happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from orca_tui import __version__
from orca_tui.base.errors import TimedOut
from orca_tui.commands.events import EVENTS, ClosedEvent, Event, EventItem, EventsRequest, HelloEvent
from orca_tui.commands.wait import WAIT, WaitRequest
from orca_tui.server.authority import ELSEWHERE
from orca_tui.server.dispatch import Caller
from orca_tui.server.handlers.handler import AnyHandler, Call, Stream
from orca_tui.server.reduced import reduced_event
from orca_tui.server.session import Session
from orca_tui.server.waiters import ended
from orca_tui.status.record import Status
from orca_tui.wire import PaneInfo


def handlers(session: Session) -> tuple[AnyHandler, ...]:
    waiting = Waiting(session)
    return (Call(WAIT, waiting.wait), Stream(EVENTS, waiting.events))


class Waiting:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def wait(self, request: WaitRequest, _: Caller) -> PaneInfo:
        pane = self._session.pane(request.pane)
        wanted = frozenset(request.status)
        status = self._session.board.record(pane.id).status
        if status in wanted and not request.next:
            return self._session.info(pane)
        if status is Status.EXITED:
            raise ended(pane.id)
        try:
            async with asyncio.timeout(request.timeout):
                return await self._session.waiters.wait(pane.id, wanted)
        except TimeoutError:
            words = " or ".join(request.status)
            raise TimedOut(f"pane {pane.id} was not {words} within {request.timeout:g} s") from None

    async def events(self, request: EventsRequest, caller: Caller) -> AsyncGenerator[EventItem, None]:
        """Ends with the server, or with the pane when only one is followed."""
        session = self._session
        if request.pane is not None:
            session.pane(request.pane)
        follower = session.events.follow(request.pane)
        try:
            hello = HelloEvent(server=session.parts.name, version=__version__, at=session.now())
            yield EventItem(event=hello)
            while (event := await follower.next()) is not None:
                told = self._told(event, caller)
                if told is not None:
                    yield EventItem(event=told)
                if request.pane is not None and isinstance(event, ClosedEvent):
                    return
        finally:
            session.events.leave(follower)

    def _told(self, event: Event, caller: Caller) -> Event | None:
        """An event as far as the caller may know it."""
        pane = getattr(event, "pane", None) or ELSEWHERE
        return event if self._session.gate.reads(caller, pane) else reduced_event(event)
