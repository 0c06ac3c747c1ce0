"""sessions list, sessions restore, sessions forget: what was there before a reboot."""

from __future__ import annotations

from orca_tui.base.errors import NotFound, OrcaError
from orca_tui.commands.sessions import (
    FORGET,
    RESTORE,
    SESSIONS,
    ForgetRequest,
    RestoreReply,
    RestoreRequest,
    SessionRow,
    SessionsReply,
)
from orca_tui.commands.spec import Empty
from orca_tui.server.dispatch import Caller
from orca_tui.server.handlers.handler import AnyHandler, Deed, at_once
from orca_tui.server.restoring import How, Restorer, returning
from orca_tui.server.session import Session


def handlers(session: Session, restorer: Restorer) -> tuple[AnyHandler, ...]:
    sessions = Sessions(session, restorer)
    return (
        at_once(SESSIONS, sessions.list_sessions),
        Deed(RESTORE, sessions.restore),
        at_once(FORGET, sessions.forget),
    )


class Sessions:
    def __init__(self, session: Session, restorer: Restorer) -> None:
        self._session = session
        self._restorer = restorer
        self._restoring: set[str] = set()

    def list_sessions(self, _: Empty) -> SessionsReply:
        ids = self._session.keeping.file.earlier_ids()
        return SessionsReply(sessions=tuple(row for row in map(self._row, reversed(ids)) if row is not None))

    async def restore(self, request: RestoreRequest, _: Caller) -> RestoreReply:
        """A session is restored once: then it is the running one's part, and is forgotten."""
        file = self._session.keeping.file
        session_id = request.session or self._newest()
        saved = file.earlier(session_id)
        if session_id in self._restoring:
            raise NotFound(f"the session {session_id!r} is being restored already", session=session_id)
        self._restoring.add(session_id)
        try:
            reply = await self._restorer.restore(
                session_id, saved, run=request.run, environment=request.environment
            )
            self._drop(session_id)
        finally:
            self._restoring.discard(session_id)
        return reply

    def forget(self, request: ForgetRequest) -> Empty:
        self._session.keeping.file.earlier(request.session)
        self._drop(request.session)
        return Empty()

    def _drop(self, session_id: str) -> None:
        try:
            self._session.keeping.file.forget(session_id)
        except OSError as error:
            raise OrcaError(f"the saved session cannot be removed: {error.strerror}") from error
        self._session.uis.tell(self._session.synced())  # Those that offer it have to know.

    def _newest(self) -> str:
        ids = self._session.keeping.file.earlier_ids()
        if not ids:
            raise NotFound("no session is saved")
        return ids[-1]

    def _row(self, session_id: str) -> SessionRow | None:
        try:
            saved = self._session.keeping.file.earlier(session_id)
        except NotFound:
            return None  # It cannot be read.
        agents = self._session.parts.agents
        ways = [(pane, returning(pane, agents, run=False)) for pane in saved.panes]
        return SessionRow(
            session=session_id,
            saved_at=saved.saved_at,
            workspaces=len(saved.layout.workspaces),
            panes=len(saved.panes),
            agents=tuple(
                pane.resumes[0]
                for pane, way in ways
                if pane.resumes is not None and (way.how is How.RESUMED or way.typed)
            ),
        )
