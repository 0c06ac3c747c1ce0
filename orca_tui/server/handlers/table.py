"""All handlers of a session."""

from __future__ import annotations

from orca_tui.server.handlers import (
    agents,
    arranging,
    authority,
    looking,
    notices,
    panes,
    plugins,
    server,
    sessions,
    streaming,
    typing,
    ui,
    waiting,
)
from orca_tui.server.handlers.handler import AnyHandler
from orca_tui.server.observing import Observer
from orca_tui.server.opening import Opener
from orca_tui.server.restoring import Restorer
from orca_tui.server.session import Session


def all_handlers(
    session: Session, observer: Observer, opener: Opener, restorer: Restorer
) -> tuple[AnyHandler, ...]:
    """One handler for every command of `commands/table.py`; a test counts them."""
    return (
        *looking.handlers(session),
        *panes.handlers(session, opener),
        *typing.handlers(session, observer),
        *arranging.handlers(session),
        *waiting.handlers(session),
        *notices.handlers(session),
        *streaming.handlers(session),
        *server.handlers(session),
        *sessions.handlers(session, restorer),
        *agents.handlers(session),
        *authority.handlers(session),
        *plugins.handlers(session),
        *ui.handlers(session),
    )
