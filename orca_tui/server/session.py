"""The state of a running server and the one way to change it: events in, the core decides, effects out.

The rules are elsewhere: `layout` (where panes stand), `status` (what agents do), `uis.py` (sizes, who watches).
"""

from __future__ import annotations

import asyncio
import logging

import msgspec

from orca_tui.agents.hooks import usable_session
from orca_tui.agents.resuming import resume_command
from orca_tui.base.errors import PaneNotFound
from orca_tui.base.ids import PaneId
from orca_tui.commands.events import ClosedEvent, OpenedEvent
from orca_tui.layout import Layout, find_pane, places_of
from orca_tui.layout import close_pane as without_pane
from orca_tui.notices.store import NoticeStore
from orca_tui.process.metrics import Metrics
from orca_tui.process.probe import VersionProbe
from orca_tui.process.reading_order import ReadingOrder
from orca_tui.server.callers import Callers
from orca_tui.server.consent import Consent
from orca_tui.server.effects import EffectRunner
from orca_tui.server.following import Following
from orca_tui.server.gate import Gate
from orca_tui.server.hub import EventHub
from orca_tui.server.keeping import Keeping
from orca_tui.server.notices import Notices
from orca_tui.server.panes import Pane
from orca_tui.server.parts import Parts
from orca_tui.server.plugins import PluginHosting
from orca_tui.server.records import pane_info
from orca_tui.server.reports import Reports
from orca_tui.server.screen_watch import ScreenWatch
from orca_tui.server.tasks import Tasks
from orca_tui.server.tokens import Tokens
from orca_tui.server.uis import Uis
from orca_tui.server.versions import Versions
from orca_tui.server.waiters import Waiters
from orca_tui.status.board import Board
from orca_tui.status.effects import Effect
from orca_tui.status.events import Event, Watched
from orca_tui.term.engine import TerminalColors
from orca_tui.wire import LayoutChanged, Leaving, PaneChanged, PaneGone, PaneInfo, Synced

logger = logging.getLogger(__name__)


class Session:
    """What the server holds, for its handlers and doors."""

    def __init__(self, parts: Parts, tasks: Tasks, store: NoticeStore) -> None:
        self.parts = parts
        self.tasks = tasks
        self.started_at = parts.clock.now()
        self.layout = Layout()
        self.panes: dict[PaneId, Pane] = {}
        self.ending: set[Pane] = set()
        """Closed panes whose programs may still be there."""
        self.board = Board(parts.agents.profiles())
        self.tokens = Tokens()
        self.reading = ReadingOrder(asyncio.get_running_loop().call_later)
        self.uis = Uis()
        self.events = EventHub()
        self.waiters = Waiters()
        self.metrics = Metrics(parts.processes, parts.clock)
        self.consent = Consent(parts.paths.state_dir)
        self.versions = Versions(VersionProbe())
        self.stop_asked = asyncio.Event()
        self.callers = Callers(self)
        self.gate = Gate(self)
        self.reports = Reports(self)
        self.following = Following(self)
        self.notices = Notices(self, store)
        self.keeping = Keeping(self)
        self.plugins = PluginHosting(self)
        self.leaving = False
        """The server goes, and the panes stay for the next one."""
        self.screens = ScreenWatch(self)
        self._effects = EffectRunner(self)
        self._watched: frozenset[str] = frozenset()
        self._colors = TerminalColors()
        self._shows_pictures = False

    def now(self) -> float:
        """Unix seconds."""
        return self.parts.clock.now()

    # Looking

    def pane(self, pane_id: str) -> Pane:
        """A pane by id; raises `PaneNotFound`."""
        pane = self.panes.get(PaneId(pane_id))
        if pane is None:
            raise PaneNotFound(pane_id)
        return pane

    def info(self, pane: Pane) -> PaneInfo:
        """A pane as it is told to everybody."""
        info = pane_info(pane, self.board.record(pane.id), self.layout, self._resume(pane))
        pending = self.notices.pending(pane.id)
        return msgspec.structs.replace(info, pending_notices=pending) if pending else info

    def _resume(self, pane: Pane) -> tuple[str, ...]:
        """The command that goes on with a pane's session, by the agent whose it is or was."""
        agent, session = self.board.resumable(pane.id) or (None, None)
        adapter = self.parts.agents.by_name(agent)
        usable = usable_session(session)
        if adapter is None or not usable:
            return ()
        return resume_command(adapter, usable, pane.facts.asked if pane.facts.agent == agent else ())

    def synced(self) -> Synced:
        """The whole state, for a UI that begins or fell behind."""
        return Synced(
            layout=self.layout,
            panes=tuple(self.info(pane) for pane in self.panes.values()),
            saved_panes=0 if self.panes else self.keeping.saved_panes(),
        )

    # Panes

    def add(self, pane: Pane, layout: Layout, agent: str | None) -> None:
        """A new pane is there, at its place in `layout`."""
        now = self.now()
        self.panes[pane.id] = pane
        self.notices.opened(pane)
        self.layout = layout
        self._tell_terminal(pane)
        self._perform(self.board.open(pane.id, agent=agent, at=now))
        workspace, tab = find_pane(layout, pane.id)
        self.uis.tell(LayoutChanged(layout=layout))
        self.events.publish(
            OpenedEvent(pane=pane.id, tab=tab.id, workspace=workspace.id, agent=agent, at=now)
        )
        self.keeping.saver.changed()
        logger.info("pane opened", extra={"pane": pane.id})

    def take_back(self, pane: Pane, *, agent: str | None, saved: bytes | None, adopted: bool) -> None:
        """A pane of an earlier server is there; the layout has its place."""
        self.panes[pane.id] = pane
        self.notices.opened(pane)
        self._tell_terminal(pane)
        self._perform(
            self.board.open(pane.id, agent=agent, at=self.now(), saved=saved or None, adopted=adopted)
        )
        if adopted:
            pane.box.filled()  # Nobody knows what was typed before.

    def begin_again(self, pane: Pane) -> None:
        """What had ended in a pane is about to be started anew: nothing of before is its status."""
        pane.begin_again()
        self._perform(self.board.open(pane.id, agent=pane.facts.agent, at=self.now()))
        self.tell_changed(pane)

    def remove(self, pane: Pane) -> None:
        """A pane is gone from everywhere; its program is ended in the background."""
        if self.panes.pop(pane.id, None) is None:
            return
        self.ending.add(pane)
        pane.close()
        self._effects.forget(pane.id)
        self.reports.forget(pane.id)
        self.following.forget(pane.id)
        self.notices.closed(pane)
        self.screens.forget(pane.id)
        self.board.close(pane.id)
        self.tokens.forget(pane.id)
        self.keeping.forget(pane.id)
        self.change_layout(without_pane(self.layout, pane.id))
        self.gate.forget_closed()
        self.uis.tell(PaneGone(pane=pane.id))
        self.events.publish(ClosedEvent(pane=pane.id, at=self.now()))
        self.waiters.closed(pane.id)
        self.keeping.saver.write()  # Before the caller hears of it: what is closed must not come back.
        self.tasks.start(self._end(pane), f"end {pane.id}")
        logger.info("pane closed", extra={"pane": pane.id})

    async def _end(self, pane: Pane) -> None:
        try:
            await pane.end()
        finally:
            self.ending.discard(pane)

    def tell_changed(self, pane: Pane) -> None:
        """Something of a pane beside its status is different now."""
        self.keeping.saver.changed(soon=True)
        self.uis.tell(PaneChanged(pane=self.info(pane)))

    # The end

    def leave(self) -> None:
        """Make place for another server, which takes the panes."""
        self.keeping.saver.freeze()
        self.uis.tell(Leaving())
        self.leaving = True
        self.stop_asked.set()

    def told_to_end(self) -> None:
        """By a signal: programs that can outlive the server do."""
        self.keeping.saver.freeze(told_to_end=True)
        self.leaving = self.parts.spawner.keeper_id != ""
        self.stop_asked.set()

    def lost_keeper(self, alive: bool) -> None:
        """What holds the programs has hung up (`Spawner.open`)."""
        if alive:
            logger.error("dropped by the keeper: another server takes over")
            self.leave()
        else:
            self.keeping.tell(
                "the keeper was killed, and with it every pane's program; new panes have a new one"
            )

    # Layout and UIs

    def change_layout(self, layout: Layout) -> None:
        """Take a new layout and tell every UI; an equal one changes nothing."""
        if layout == self.layout:
            return
        before, self.layout = places_of(self.layout), layout
        self.keeping.saver.changed()
        self.uis.tell(LayoutChanged(layout=layout))
        for pane_id, place in places_of(layout).items():
            if pane_id in self.panes and before.get(pane_id, place) != place:
                self.tell_changed(self.panes[pane_id])  # Its record names its tab and workspace.

    def uis_changed(self) -> None:
        """What UIs show, or which was used last, is different: sizes, colors and watched panes follow."""
        self._follow_colors()
        self._follow_pictures()
        for pane_id, (cols, rows) in self.uis.sizes().items():
            pane = self.panes.get(PaneId(pane_id))
            if pane is not None:
                pane.want_size(cols, rows, at_once=not pane.shown)
                pane.shown = True
        watched = self.uis.watched()
        before, self._watched = self._watched, watched
        now = self.now()
        for pane_id in sorted(watched ^ before):
            self.observe(PaneId(pane_id), [Watched(at=now, watched=pane_id in watched)])

    def _follow_colors(self) -> None:
        """Without a UI the last colors stay, so that a program does not change its looks at every detach."""
        told = self.uis.colors()
        if told is None:
            return
        colors = TerminalColors(foreground=told.foreground, background=told.background, cursor=told.cursor)
        if colors != self._colors:
            self._colors = colors
            for pane in self.panes.values():
                pane.set_colors(colors)

    def _follow_pictures(self) -> None:
        """Without a UI it stays as it was: a program that goes on showing pictures is seen by the next one."""
        shows = self.uis.shows_pictures()
        if shows is not None and shows != self._shows_pictures:
            self._shows_pictures = shows
            for pane in self.panes.values():
                pane.engine.answer_pictures(shows)

    def _tell_terminal(self, pane: Pane) -> None:
        """A new pane's terminal is as that of the others."""
        pane.set_colors(self._colors)
        pane.engine.answer_pictures(self._shows_pictures)

    # Status

    def observe(self, pane_id: PaneId, events: list[Event]) -> None:
        """Put what was observed of a pane before the board, and do what follows."""
        for event in events:
            if pane_id not in self.panes:
                return  # Closed meanwhile.
            self._perform(self.board.observe(pane_id, event))

    def _perform(self, effects: list[Effect]) -> None:
        for effect in effects:
            self._effects.run(effect)
