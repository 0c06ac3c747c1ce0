"""Whose program a peer is: which pane it belongs to, or none.

Rule 1: the kernel comes first. A process belongs to a pane when it, or one that it descends from, is the pane's
program or is in the session of the pane's terminal; so does what has a session of its own (setsid) as long as its
parents live, and what has lost its parents (nohup) as long as it has its session.
Rule 2: where the kernel knows no pane, the token does: the one that is shown, else the one in the variables that
the process was started with. No token lets anybody out of a pane.
Rule 3: who has connected and is gone belongs nowhere, and is treated as a pane that is gone.
Rule 4: who cannot be seen at all (another pid namespace) is outside: what panes start can be seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from orca_tui.base.ids import PaneId
from orca_tui.process.table import Kin
from orca_tui.server.environment import TOKEN
from orca_tui.server.panes import Pane
from orca_tui.server.peer import Peer

if TYPE_CHECKING:
    from orca_tui.server.session import Session

NOWHERE = PaneId("")
MOST_LEADERS = 1024
"""Programs of panes that are remembered after their end, for what they have left running; the oldest go first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Leader:
    """A pane's program, whose number is that of its terminal's session."""

    pane: PaneId
    started: float | None
    """None: it had ended before it could be looked at, so that nobody who lives is it."""


class Callers:
    """Knows the panes' programs, those of panes that are closed too."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._leaders: dict[int, _Leader] = {}

    def started(self, pane: Pane) -> None:
        """A pane's program runs."""
        if pane.pid is None:
            return
        self._leaders.pop(pane.pid, None)  # The newest stand last.
        self._leaders[pane.pid] = self._looked_at(pane.id, pane.pid)
        while len(self._leaders) > MOST_LEADERS:
            del self._leaders[next(iter(self._leaders))]

    def pane_of(self, peer: Peer, token: str | None) -> PaneId | None:
        """The pane of a peer that shows this token; None: it is outside of all panes."""
        if peer.pid is None:
            return self._by_token(token)  # Rule 4.
        kin = self._session.parts.processes.lineage(peer.pid)
        if not kin:
            return NOWHERE
        pane = next(filter(None, map(self._pane_of, kin)), None)
        return pane or self._by_token(token) or self._by_token(self._born_with(peer.pid))

    def _pane_of(self, kin: Kin) -> PaneId | None:
        """Rule 1, for one of the line."""
        leader = self._leader(kin.pid)
        if leader is not None and leader.started == kin.started:
            return leader.pane
        leader = self._leader(kin.session)
        if leader is None:
            return None
        # The number of a session is taken as long as somebody is in it, so another process of that number is newer.
        now = self._session.parts.processes.process(kin.session)
        return leader.pane if now is None or leader.started == now.started else None

    def _leader(self, pid: int) -> _Leader | None:
        """Living ones first: a program may call before `started` has said that it runs."""
        panes = self._session.panes.values()
        pane = next((pane.id for pane in panes if pane.pid == pid), None)
        return self._leaders.get(pid) if pane is None else self._looked_at(pane, pid)

    def _looked_at(self, pane: PaneId, pid: int) -> _Leader:
        facts = self._session.parts.processes.process(pid)
        return _Leader(pane=pane, started=facts.started if facts else None)

    def _by_token(self, token: str | None) -> PaneId | None:
        return self._session.tokens.pane_of(token) if token else None

    def _born_with(self, pid: int) -> str | None:
        return self._session.parts.processes.environment(pid).get(TOKEN)
