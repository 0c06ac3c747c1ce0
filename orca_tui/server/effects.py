"""Performs what the status core wants done: telling, ringing, waking. Decides nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, assert_never

from orca_tui.base.ids import PaneId
from orca_tui.commands.events import RingEvent, SeenEvent, StatusEvent
from orca_tui.server.notify import tell_rang
from orca_tui.status.effects import (
    Changed,
    ClearUnread,
    Effect,
    Persist,
    Ring,
    StatusChanged,
    WakeAt,
)
from orca_tui.status.events import TimePassed
from orca_tui.status.record import StatusRecord
from orca_tui.term.key_names import parse_key

if TYPE_CHECKING:
    from orca_tui.server.session import Session


class EffectRunner:
    """Runs effects on a session; owns the timers that `WakeAt` asks for."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._timers: dict[PaneId, asyncio.TimerHandle] = {}

    def run(self, effect: Effect) -> None:
        session = self._session
        match effect:
            case StatusChanged(before=before, after=after):
                self._fit_keyboard(after)
                session.following.changed(after)
                session.screens.changed(after)
                self._tell_status(before, after)
                session.notices.changed(after)
            case Changed(after=after):
                self._fit_keyboard(after)
                session.following.changed(after)
                session.screens.changed(after)
                session.tell_changed(session.pane(after.pane))
                session.notices.changed(after)
            case Ring(pane=pane, why=why):
                session.events.publish(RingEvent(pane=pane, status=why, at=session.now()))
                tell_rang(session.uis, session.info(session.pane(pane)))
            case ClearUnread(pane=pane):
                session.events.publish(SeenEvent(pane=pane, at=session.now()))
            case WakeAt(pane=pane, at=at):
                self._wake(PaneId(pane), at)
            case Persist():
                session.keeping.saver.changed(soon=True)
            case _:
                assert_never(effect)

    def forget(self, pane: PaneId) -> None:
        """The pane is closed."""
        timer = self._timers.pop(pane, None)
        if timer is not None:
            timer.cancel()

    def _fit_keyboard(self, record: StatusRecord) -> None:
        """Shift+Enter is a new line for agents, also for one that has no way to hear of it."""
        adapter = self._session.parts.agents.by_name(record.agent)
        self._session.pane(record.pane).newline = parse_key(adapter.newline_key) if adapter else None

    def _tell_status(self, before: StatusRecord, after: StatusRecord) -> None:
        session = self._session
        pane = session.pane(after.pane)
        session.tell_changed(pane)
        if before.status is after.status:
            return  # The record of a new pane.
        session.events.publish(
            StatusEvent(
                pane=after.pane,
                from_=before.status,
                to=after.status,
                at=after.since,
                agent=after.agent,
                session_id=after.session_id,
                kind=after.kind,
                message=after.message,
                interrupted=after.interrupted,
                source=after.evidence.source if after.evidence else None,
            )
        )
        session.waiters.status_changed(after.pane, after.status, lambda: session.info(pane))

    def _wake(self, pane: PaneId, at: float) -> None:
        self.forget(pane)
        delay = max(0.0, at - self._session.now())
        self._timers[pane] = asyncio.get_running_loop().call_later(delay, self._time_passed, pane, at)

    def _time_passed(self, pane: PaneId, at: float) -> None:
        """The timer says that it is time, even when somebody has set the wall clock back meanwhile."""
        self._timers.pop(pane, None)
        self._session.observe(pane, [TimePassed(at=max(at, self._session.now()))])
