"""grant, revoke, grants, whoami: what programs in panes may do."""

from __future__ import annotations

import logging

from orca_tui.base.errors import Invalid
from orca_tui.commands.authority import (
    GRANT,
    GRANTS,
    REVOKE,
    WHOAMI,
    GrantRequest,
    Grants,
    GrantsReply,
    RevokeRequest,
    WhoamiReply,
)
from orca_tui.commands.spec import Empty
from orca_tui.server.authority import GRANTABLE
from orca_tui.server.dispatch import Caller
from orca_tui.server.handlers.handler import AnyHandler, Call, at_once
from orca_tui.server.panes import Pane
from orca_tui.server.session import Session

logger = logging.getLogger(__name__)


def handlers(session: Session) -> tuple[AnyHandler, ...]:
    granting = Granting(session)
    return (
        at_once(GRANT, granting.grant),
        at_once(REVOKE, granting.revoke),
        at_once(GRANTS, granting.list_grants),
        Call(WHOAMI, granting.whoami),
    )


class Granting:
    def __init__(self, session: Session) -> None:
        self._session = session

    def grant(self, request: GrantRequest) -> Grants:
        """All of it or nothing."""
        pane = self._session.pane(request.pane)
        for one in request.over:
            if one not in GRANTABLE and self._session.pane(one) is pane:
                raise Invalid(f"{pane.id} may do everything with itself already", pane=pane.id)
        return self._change(pane, tuple(dict.fromkeys((*pane.facts.granted, *request.over))))

    def revoke(self, request: RevokeRequest) -> Grants:
        pane = self._session.pane(request.pane)
        granted = pane.facts.granted
        missing = [one for one in request.over if one not in granted]
        if missing:
            raise Invalid(f"{' and '.join(missing)} was not granted to {pane.id}", pane=pane.id)
        return self._change(pane, tuple(one for one in granted if request.over and one not in request.over))

    def list_grants(self, _: Empty) -> GrantsReply:
        panes = self._session.panes.values()
        found = (Grants(pane=pane.id, granted=pane.facts.granted) for pane in panes if pane.facts.granted)
        return GrantsReply(grants=tuple(found))

    async def whoami(self, _: Empty, caller: Caller) -> WhoamiReply:
        if caller.pane is None:
            return WhoamiReply(pane=None, authority="all")
        rights = self._session.gate.rights(caller.pane)
        return WhoamiReply(
            pane=rights.pane,
            authority=rights.level,
            drives=tuple(sorted(rights.drives)),
            reads=tuple(sorted(rights.reads - rights.drives)),
        )

    def _change(self, pane: Pane, granted: tuple[str, ...]) -> Grants:
        pane.facts.granted = granted
        logger.info("granted to %s: %s", pane.id, " ".join(granted) or "nothing")
        self._session.tell_changed(pane)
        self._session.keeping.saver.changed()
        return Grants(pane=pane.id, granted=granted)
