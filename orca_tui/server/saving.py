"""Keeps the session file as the session is. Decides when it is written, and what must not get there.

Rule 1: panes, places and names are written at once, in the same turn of the loop, so that a pane's programs can
name themselves to the next server; what changes all the time follows within a quarter of a second.
Rule 2: at log-out everything is told to end at once, and shells that obey first must not be missing in what is
kept: a server that is told to go just after programs ended keeps what was there before they did.
Rule 3: a file that cannot be written is told once, and tried again with the next change.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from orca_tui.server.panes import Pane
from orca_tui.server.saved_session import SavedPane, SavedSession
from orca_tui.server.session_file import SessionFile
from orca_tui.status.record import Status, StatusRecord
from orca_tui.wire import Told

if TYPE_CHECKING:
    from orca_tui.server.session import Session

SOON_S = 0.25
STORM_S = 2.0
"""Ends that close together, and close to the server's, have one reason."""
BACKUP_EVERY_S = 600.0

logger = logging.getLogger(__name__)


class Saver:
    """Writes one session's file, until `freeze`."""

    def __init__(self, session: Session, file: SessionFile, keeper_id: Callable[[], str]) -> None:
        self._session = session
        self._file = file
        self._keeper_id = keeper_id
        self._timer: asyncio.TimerHandle | asyncio.Handle | None = None
        self._at_once = False
        self._frozen = True
        self._backed_up_at = session.parts.clock.monotonic()
        self._before_storm: SavedSession | None = None
        self._storm_at = 0.0
        self.problem = ""
        """Why the session is not kept now, for people; empty: it is."""

    def begin(self) -> None:
        """The session is complete: keep it from now on."""
        self._frozen = False
        self.write()

    def changed(self, *, soon: bool = False) -> None:
        """Something is different; `soon`: it may wait a moment."""
        if self._frozen or self._at_once or (soon and self._timer is not None):
            return
        self._stop_timer()
        loop = asyncio.get_running_loop()
        self._at_once = not soon
        self._timer = loop.call_later(SOON_S, self.write) if soon else loop.call_soon(self.write)

    def ending(self) -> None:
        """A program has ended, and its pane may go (Rule 2)."""
        if self._frozen:
            return
        now = self._session.parts.clock.monotonic()
        if self._before_storm is None or now - self._storm_at > STORM_S:
            self._before_storm = self.collected()
        self._storm_at = now

    def freeze(self, *, told_to_end: bool = False) -> None:
        """Save for the last time. `told_to_end`: the server was (a signal), and others may have been too."""
        if self._frozen:
            return
        now = self._session.parts.clock.monotonic()
        stormy = self._before_storm is not None and now - self._storm_at <= STORM_S
        self.write(self._before_storm if told_to_end and stormy else None)
        self._frozen = True
        self._stop_timer()

    def write(self, session: SavedSession | None = None) -> None:
        """Write now, what there is or what is given."""
        self._stop_timer()
        if self._frozen:
            return
        try:
            self._back_up_now_and_then()
            self._file.write(session or self.collected())
        except OSError as error:
            problem = f"the session cannot be saved: {error.strerror}"
            if problem != self.problem:
                self.problem = problem
                logger.warning("%s", problem)
                self._session.uis.tell(Told(text=problem, severity="error"))
        else:
            self.problem = ""

    def collected(self) -> SavedSession:
        """The session as it is now."""
        session = self._session
        return SavedSession(
            server=session.parts.name,
            keeper=self._keeper_id(),
            saved_at=session.now(),
            layout=session.layout,
            panes=tuple(self._pane(pane) for pane in session.panes.values()),
            ending=tuple(pane.id for pane in session.ending),
        )

    def _pane(self, pane: Pane) -> SavedPane:
        session, facts = self._session, pane.facts
        record = session.board.record(pane.id)
        return SavedPane(
            id=pane.id,
            command=facts.command,
            asked=facts.asked,
            added=facts.added,
            directory=facts.directory,
            tells_directory=facts.tells_directory,
            name=facts.name,
            title=facts.title,
            titled_by_program=facts.titled_by_program,
            progress=facts.progress,
            agent=facts.agent,
            closes_on_clean_exit=facts.closes_on_clean_exit,
            note=facts.note,
            inbox=facts.inbox,
            guest=session.notices.is_guest(pane.id),
            token=session.tokens.of(pane.id) or "",
            openers=facts.openers,
            granted=facts.granted,
            size=(pane.engine.cols, pane.engine.rows),
            exit_code=pane.exit_code,
            held=pane.held,
            relaunch=facts.relaunch,
            runs_agent=record.agent is not None and record.status is not Status.EXITED,
            resumes=session.board.resumable(pane.id),
            prompted=_has_begun(record),
            status=session.board.save(pane.id),
        )

    def _back_up_now_and_then(self) -> None:
        now = self._session.parts.clock.monotonic()
        if now - self._backed_up_at >= BACKUP_EVERY_S:
            self._backed_up_at = now
            self._file.back_up()

    def _stop_timer(self) -> None:
        self._at_once = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _has_begun(record: StatusRecord) -> bool:
    return bool(record.turns or record.prompt or record.turn_started_at)
