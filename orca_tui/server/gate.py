"""Stands before every command: who calls, what is touched, and the rules of `authority.py`. Has no rules of its own."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from orca_tui.base.errors import NotFound, Refused
from orca_tui.base.ids import PaneId
from orca_tui.commands.authority import ungranted
from orca_tui.commands.spec import Command, Reach
from orca_tui.layout import Layout, find_pane, panes_of
from orca_tui.server.authority import ELSEWHERE, GRANTABLE, LEVELS, Level, Rights, Verdict, decide
from orca_tui.server.dispatch import Caller
from orca_tui.wire import Told

if TYPE_CHECKING:
    from orca_tui.server.session import Session

logger = logging.getLogger(__name__)


class Gate:
    """The authority of a session's callers."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told: set[tuple[PaneId, tuple[str, ...]]] = set()

    def check(self, command: Command[Any, Any], request: msgspec.Struct, caller: Caller) -> None:
        """Return when the caller may do that; raises `Refused`, which says what would allow it."""
        if caller.pane is None:
            return
        touches = command.touches
        reach = touches.reach
        if any(getattr(request, field) for field in touches.server_if):
            reach = Reach.SERVER
        named = (getattr(request, field) for field in touches.targets)
        panes = dict.fromkeys(pane for target in named if target for pane in self._panes(target))
        self.demand(command.name, caller.pane, reach, panes)

    def demand(self, what: str, pane: PaneId, reach: Reach, panes: Collection[str] = ()) -> None:
        """The same for what a pane's programs do without a command; `what` names it."""
        verdict = decide(self.rights(pane), reach, panes)
        if not verdict.allowed:
            logger.info("%s from inside of %s refused by rule %d", what, pane or "nowhere", verdict.rule)
            self._tell_user(what, pane, verdict)
            raise refusal(what, pane, verdict)

    def _tell_user(self, what: str, pane: PaneId, verdict: Verdict) -> None:
        """Who could grant it hears of it, once for each pane and grant: a program may try again and again."""
        wish = (pane, verdict.grant)
        if not verdict.grant or wish in self._told:
            return
        self._told.add(wish)
        over = " and ".join(verdict.beyond) or "more than panes"
        text = f"{pane} was refused `{what}` for {over}; prefix and g in {pane} grants it"
        self._session.uis.tell(Told(text=text, severity="warning"))

    def reads(self, caller: Caller, pane: str) -> bool:
        """Whether the caller may know more of a pane than its names and statuses."""
        rights = None if caller.pane is None else self.rights(caller.pane)
        return decide(rights, Reach.WORDS, (pane,)).allowed

    def rights(self, pane_id: str) -> Rights:
        """What the programs of a pane may do now; of one that is gone: nothing."""
        panes = self._session.panes
        pane = panes.get(PaneId(pane_id))
        if pane is None:
            return Rights(pane=pane_id)
        granted = pane.facts.granted
        level = max(self._session.parts.config.control.authority, _level(granted), key=LEVELS.index)
        opened = (one.id for one in panes.values() if pane.id in one.facts.openers)
        reads = panes_of(find_pane(self._session.layout, pane.id)[1].root) if level == "tab" else ()
        return Rights(
            pane=pane.id,
            level=level,
            drives=frozenset({pane.id, *opened, *(one for one in granted if one not in GRANTABLE)}),
            reads=frozenset(reads),
        )

    def forget_closed(self) -> None:
        """Drop grants over panes that are gone: their ids come never again."""
        panes = self._session.panes
        for pane in panes.values():
            granted = pane.facts.granted
            kept = tuple(one for one in granted if one in GRANTABLE or PaneId(one) in panes)
            if kept != granted:
                pane.facts.granted = kept
                self._session.tell_changed(pane)

    def _panes(self, target: str) -> tuple[str, ...]:
        """The panes that a request means by a pane, session, tab or workspace; none: nothing of that name is there."""
        if PaneId(target) in self._session.panes:
            return (target,)
        inside = tuple(_panes_in(self._session.layout, target))
        if inside:
            return inside
        try:
            _, pane = self._session.notices.inbox_of(target)
        except NotFound:
            return ()  # The command says so.
        return (pane.id,) if pane is not None else (ELSEWHERE,)


def refusal(what: str, pane: str, verdict: Verdict) -> Refused:
    """The error, with the words that would grant it where there are such."""
    if verdict.grant:
        return ungranted(what, pane, verdict.beyond, verdict.grant)
    why = "its pane is gone" if verdict.rule == 4 else "only who is outside of all panes can do that"
    return Refused(f"{what}: refused from inside of a pane: {why}", command=what, pane=pane)


def _level(granted: tuple[str, ...]) -> Level:
    return max(("own", *(level for level in GRANTABLE if level in granted)), key=LEVELS.index)


def _panes_in(layout: Layout, target: str) -> Iterator[str]:
    for workspace in layout.workspaces:
        for tab in workspace.tabs:
            if target in (workspace.id, tab.id):
                yield from panes_of(tab.root)
