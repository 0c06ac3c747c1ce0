"""Brings the panes of the server before back: their places, screens, statuses and programs.

Rule 1: what the keeper holds lives on, whatever the session file says; a program that the file does not know gets
a pane of its own, unless it was being closed.
Rule 2: a program that the file knows and the keeper does not has ended, and its end was told to the server
before: a plain shell's pane has gone with it, any other keeps its last screen.
Rule 3: a session of another keeper's life has no programs any more: it is put aside, to be restored on demand.
Rule 4: nothing that is brought back rings, and no status counts as confirmed before something new is heard.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable

from msgspec.structs import replace

from orca_tui.base.ids import PaneId
from orca_tui.commands.open import OpenRequest
from orca_tui.layout import Layout, all_panes, close_pane
from orca_tui.process.spawner import HUNG_UP, Kept
from orca_tui.server.environment import TOKEN
from orca_tui.server.keeping import Keeping
from orca_tui.server.observing import Observer
from orca_tui.server.pane_facts import PaneFacts, new_inbox
from orca_tui.server.panes import Pane
from orca_tui.server.placing import placed
from orca_tui.server.restoring import Restorer
from orca_tui.server.saved_session import SavedPane, SavedSession
from orca_tui.server.session import Session

UNKNOWN_SIZE = (120, 40)
PANE_ID = re.compile(r"p[1-9][0-9]{0,8}")

logger = logging.getLogger(__name__)


class Reviver:
    """Fills a new session once."""

    def __init__(self, session: Session, observer: Observer, restorer: Restorer) -> None:
        self._session = session
        self._restorer = restorer
        self._observer = observer
        self._keeping: Keeping = session.keeping
        self._unread: dict[str, bytes] = {}

    def revive(self, saved: SavedSession | None, kept: Iterable[Kept]) -> None:
        """Bring back what `saved` and the keeper have."""
        programs = {one.key: one for one in kept}
        keeper_id = self._session.parts.spawner.keeper_id
        self._unread = self._keeping.take_unread()
        if saved is not None and saved.keeper == keeper_id != "":
            self._revive_all(saved, programs)
        elif saved is not None and saved.panes:
            self._put_aside(saved)
        closed = saved.ending if saved is not None else ()
        for one in programs.values():
            if one.exit_code is not None or one.key in closed:
                _end(one)
            else:
                self._adopt_stranger(one)
        if self._keeping.screens is not None:
            self._keeping.screens.drop_all_but(set(self._session.panes))

    def _revive_all(self, saved: SavedSession, programs: dict[str, Kept]) -> None:
        session = self._session
        panes = {pane.id: pane for pane in saved.panes}
        layout = saved.layout
        for pane_id in tuple(all_panes(layout)):
            known = panes.get(pane_id)
            if known is None or _went(known, programs):
                layout = close_pane(layout, pane_id)
        session.layout = layout
        # A session stays in its pane: guests come after it.
        for pane_id in sorted(all_panes(layout), key=lambda one: panes[one].guest):
            self._revive(panes[pane_id], programs.pop(pane_id, None))
        session.gate.forget_closed()
        if session.panes:
            logger.info("panes revived: %d", len(session.panes))

    def _put_aside(self, saved: SavedSession) -> None:
        try:
            session_id = self._keeping.put_aside(saved)
        except OSError as error:
            self._keeping.tell(f"the session before cannot be put aside: {error.strerror}")
            return
        logger.info("session put aside as %s: its programs are gone", session_id)

    # One pane

    def _revive(self, saved: SavedPane, kept: Kept | None) -> None:
        session = self._session
        pane_id = PaneId(saved.id)
        engine, memory, redraw = self._keeping.screen(pane_id, saved.size)
        pane = Pane(
            pane_id, engine, _facts(saved), self._observer, session.parts.clock, memory, session.reading
        )
        session.take_back(pane, agent=saved.agent, saved=saved.status, adopted=kept is not None)
        if saved.token:
            session.tokens.restore(pane_id, saved.token)
        if kept is not None:
            self._go_on(pane, kept, redraw=redraw)
            return
        if saved.exit_code is not None:
            pane.end_before(saved.exit_code)
        if saved.held:
            self._restorer.hold(pane, saved, environment=None)
        elif saved.exit_code is None:
            pane.end_before(HUNG_UP)
            self._observer.exited(pane, HUNG_UP)

    def _go_on(self, pane: Pane, kept: Kept, *, redraw: bool) -> None:
        session = self._session
        session.following.started(pane.id, session.parts.processes.environment(kept.child.pid))
        pane.adopt(kept, redraw=redraw)
        if kept.exit_code is None:
            pane.write(self._unread.pop(pane.id, b""))  # Before anything that is typed from now on.
        session.callers.started(pane)
        session.reports.resume(pane.id)
        self._observer.fell_silent(pane)  # Who is in front may have changed while nobody looked.

    def _adopt_stranger(self, kept: Kept) -> None:
        """Rule 1."""
        session = self._session
        processes = session.parts.processes
        facts = processes.process(kept.child.pid)
        directory = processes.directory(kept.child.pid) or "/"
        command = facts.argv if facts is not None else ()
        layout, pane_id = self._place(kept.key, directory)
        agents = session.parts.agents
        adapter = agents.recognise(command) if command else None
        agent = adapter.name if adapter is not None else None
        engine, memory, redraw = self._keeping.screen(pane_id, UNKNOWN_SIZE)
        pane_facts = PaneFacts(command=command, asked=command, directory=directory, agent=agent)
        pane = Pane(pane_id, engine, pane_facts, self._observer, session.parts.clock, memory, session.reading)
        session.layout = layout
        session.take_back(pane, agent=agent, saved=None, adopted=True)
        token = processes.environment(kept.child.pid).get(TOKEN)
        if token:
            session.tokens.restore(pane_id, token)
        self._keeping.tell(f"{pane_id}: its program runs, but nothing was saved of its pane")
        self._go_on(pane, kept, redraw=redraw)

    def _place(self, key: str, directory: str) -> tuple[Layout, PaneId]:
        """A tab of its own, under the id by which keeper and program know it."""
        layout = self._session.layout
        next_pane = layout.next_pane
        if PANE_ID.fullmatch(key):
            layout = replace(layout, next_pane=int(key[1:]))
        layout, pane_id = placed(layout, OpenRequest(), directory, focused=False)
        return replace(layout, next_pane=max(next_pane, layout.next_pane)), pane_id


def _went(saved: SavedPane, programs: dict[str, Kept]) -> bool:
    """Rule 2."""
    return (
        saved.exit_code is None and not saved.held and saved.closes_on_clean_exit and saved.id not in programs
    )


def _end(kept: Kept) -> None:
    """Its pane is gone; it was told so by the server before."""
    if kept.exit_code is None:
        kept.child.kill()
    kept.listen(lambda _: None)
    kept.child.close()


def _facts(saved: SavedPane) -> PaneFacts:
    return PaneFacts(
        command=saved.command,
        directory=saved.directory,
        tells_directory=saved.tells_directory,
        name=saved.name,
        title=saved.title,
        titled_by_program=saved.titled_by_program,
        progress=saved.progress,
        agent=saved.agent,
        asked=saved.asked,
        added=saved.added,
        relaunch=saved.relaunch,
        closes_on_clean_exit=saved.closes_on_clean_exit,
        note=saved.note,
        inbox=saved.inbox or new_inbox(),
        openers=saved.openers,
        granted=saved.granted,
    )
