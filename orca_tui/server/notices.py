"""The inboxes of a running server: looks, asks the coordinator, stores, and performs what it wants. No rules.

An inbox belongs to a session, and is in one pane at most (`homes.py`). A pane whose agent has named none has one of
its own, which its first session takes over. Nothing waits between a look and what follows from it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, assert_never

from orca_tui.base.errors import NotFound, Unsupported
from orca_tui.base.ids import PaneId
from orca_tui.commands.events import NoticeEvent
from orca_tui.notices.coordinator import advance, moved
from orca_tui.notices.events import (
    ANY_LENGTH,
    Admission,
    Effect,
    Event,
    HandOver,
    HookAsked,
    How,
    Interrupted,
    Keep,
    LookAgain,
    Looked,
    Moment,
    ReceiptCame,
    Restarted,
    Settled,
    Situation,
)
from orca_tui.notices.inbox import Inbox
from orca_tui.notices.notice import Notice, Reason, Receipt
from orca_tui.notices.store import NoticeStore
from orca_tui.server.forgetting import Forgetting
from orca_tui.server.homes import Homes
from orca_tui.server.hook_channel import HookChannel
from orca_tui.server.inboxes import Inboxes
from orca_tui.server.looks import Looks
from orca_tui.server.notice_channel import Handed, NoticeChannel
from orca_tui.server.outcomes import NoticeOutcome
from orca_tui.server.panes import Pane
from orca_tui.server.paste_channel import PasteChannel
from orca_tui.server.plugin_channel import PluginChannel
from orca_tui.server.retries import Retries
from orca_tui.server.situations import channel_of, has_agent, situation_of
from orca_tui.server.wakes import Wakes
from orca_tui.status.record import RUNNING, StatusRecord

if TYPE_CHECKING:
    from orca_tui.server.session import Session


class Notices:
    """All inboxes, and the channels to the agents."""

    def __init__(self, session: Session, store: NoticeStore) -> None:
        self._session = session
        self.store = store
        typing = PasteChannel(session)
        self.plugin = PluginChannel(session, typing)
        self.hooks = HookChannel(session, typing)
        self.channels: Sequence[NoticeChannel] = (self.plugin, self.hooks, typing)
        self.wakes = Wakes()
        self.inboxes = Inboxes(store)
        self._homes = Homes(lambda pane: has_agent(session.board.record(pane)))
        self._looks = Looks(self.look)
        self.retries = Retries(asyncio.get_running_loop().call_later)
        self._forgetting = Forgetting(store, session.now)
        self._restore()

    # Who is where

    def opened(self, pane: Pane) -> None:
        """A new pane, before anything is known of its agent."""
        self._homes.opened(pane.id, pane.facts.inbox)
        pane.box.changed = lambda: self._box_changed(pane)

    def closed(self, pane: Pane) -> None:
        """What waits stays, under its session."""
        self._looks.cancel(pane.id)
        self.plugin.forget(pane.id)
        self.hooks.forget(pane.id)
        for one in self._came(self._homes.closed(pane.id)):
            self.look(one)

    def changed(self, record: StatusRecord) -> None:
        """A pane has another record: its agent may name a session now, or rest."""
        pane = self._session.panes.get(PaneId(record.pane))
        if pane is None:
            return
        came = self._follow_session(pane, record)
        ended = pane.box.status in RUNNING and record.status not in RUNNING
        pane.box.status_changed(record.status, record.turns)
        if ended and record.interrupted:
            self.interrupted(self._shown(pane), at=pane.box.interrupted_at)
        for one in {pane.id: pane, **{one.id: one for one in came}}.values():
            self.look(one)

    def inbox_of(self, target: str) -> tuple[str, Pane | None]:
        """The inbox that a pane's or a session's id names, and the pane where it is; raises `NotFound`."""
        pane = self._session.panes.get(PaneId(target))
        if pane is not None:
            return self._shown(pane), pane
        if self.home(target) is not None or self.inboxes.knows(target):
            return target, self.pane_of(target)
        raise NotFound(
            f"no pane and no session {target!r}; `orca-tui list` shows those there are", pane=target
        )

    def home(self, inbox: str) -> PaneId | None:
        """The pane in which a session runs."""
        return self._homes.home(inbox)

    def pane_of(self, inbox: str) -> Pane | None:
        """The same, if it is still there."""
        home = self.home(inbox)
        return self._session.panes.get(home) if home is not None else None

    def is_guest(self, pane: PaneId) -> bool:
        """Whether the session that a pane's agent names is in another pane."""
        return self._homes.is_guest(pane)

    def pending(self, pane: PaneId) -> int:
        """How many notices wait or are on their way in a pane's inbox."""
        inbox = self.inboxes.get(self._homes.shown(pane))
        return len(inbox.notices) if inbox is not None else 0

    def running(self) -> dict[str, StatusRecord]:
        """Sessions of which a turn runs, by inbox."""
        records = ((pane, self._session.board.record(pane.id)) for pane in self._session.panes.values())
        return {
            self._shown(pane): record
            for pane, record in records
            if record.status in RUNNING and record.agent is not None
        }

    # Events in

    def situation(self, pane: Pane | None) -> Situation:
        """A look at where a session runs; use it at once."""
        return situation_of(self._session, pane, self.channels)

    def advance(self, inbox: str, event: Event) -> list[Effect]:
        """Put an event before the coordinator, store what it says, and do it. Raises what it raises, and
        `StoreFailed`; then nothing has happened."""
        before = self.inboxes.of(inbox)
        after, effects = advance(before, event)
        self._take(after, effects)
        return effects

    def look(self, pane: Pane) -> None:
        """Something about a pane is different: whatever waits for that may go."""
        self.retries.surely((pane.id, Looked), lambda: self._look(pane))

    def _look(self, pane: Pane) -> None:
        inbox = self.inboxes.get(self._shown(pane))
        if inbox is None or pane.id not in self._session.panes:
            return
        self._looks.cancel(pane.id)
        self.advance(inbox.session, Looked(at=self._session.now(), situation=self.situation(pane)))
        if pane.box.settles_in() > 0:
            self._looks.look_in(pane, pane.box.settles_in())

    def interrupted(self, inbox: str, *, at: float | None = None, running: bool = False) -> None:
        """A session was interrupted, by a command or by its user; `at` None is now."""
        if inbox in self.inboxes:
            self.advance(inbox, Interrupted(at=at or self._session.now(), running=running))

    def inbox_for_hook(self, pane: PaneId, session: str) -> str | None:
        """The inbox of a session that a pane's hook names: also the pane's own, until the session is known."""
        held = self._session.panes.get(pane)
        if held is None:
            return None
        shown = self._shown(held)
        if shown == held.facts.inbox:
            return shown
        return session if self.is_in(session, pane) else None

    def is_in(self, session: str, pane: PaneId) -> bool:
        """Whether a pane may speak for a session: it is there, or in no pane and one of the pane's host."""
        home = self.home(session)
        return home == pane or (home is None and self._session.board.hosts(pane, session))

    def hook_asked(self, inbox: str, moment: Moment, room: int = ANY_LENGTH) -> list[Handed]:
        """What a hook of a session's agent may take now, of so many characters at most; its channel tells what
        became of it."""
        if inbox not in self.inboxes:
            return []
        situation = self.situation(self.pane_of(inbox))
        event = HookAsked(at=self._session.now(), moment=moment, room=room, situation=situation)
        effects = self.advance(inbox, event)
        return [
            self._handed(notice, effect.how)
            for effect in effects
            if isinstance(effect, HandOver)
            for notice in effect.notices
        ]

    def received(self, notice_id: str, evidence: str) -> None:
        """Evidence that a notice arrived, also for one that is closed."""
        receipt = Receipt(at=self.now(), evidence=evidence)
        self.settle(notice_id, ReceiptCame(at=receipt.at, id=notice_id, receipt=receipt))

    def close(self) -> None:
        """The server stops."""
        self._looks.close()
        self.retries.close()
        self.plugin.close()
        self.hooks.close()
        self._forgetting.close()

    # Effects out

    def _take(self, inbox: Inbox, effects: list[Effect], *, emptied: str | None = None) -> None:
        self.inboxes.keep(
            inbox, (effect.notice for effect in effects if isinstance(effect, Keep)), emptied=emptied
        )
        for effect in effects:
            self._perform(inbox.session, effect)

    def interrupt(self, inbox: str, pane: Pane) -> None:
        """Interrupt the turn that runs in a pane, and take back the wakes that wait for its end. Raises
        `Unsupported`, or `Conflict` where nothing can be typed; then the wakes are as they were."""
        channel = channel_of(pane, self.channels)
        if channel is None:
            raise Unsupported("there is no agent to interrupt", pane=pane.id)
        channel.interrupt(pane)
        pane.box.interrupted()
        self.interrupted(inbox, running=self._session.board.record(pane.id).status in RUNNING)

    def _perform(self, inbox: str, effect: Effect) -> None:
        match effect:
            case Keep(notice=notice):
                self._tell(notice)
            case HandOver(notices=notices, how=How.WAKE | How.RING as how):
                for notice in notices:
                    self._wake(inbox, notice, how)
            case HandOver():
                pass  # The hook that asked takes it along.
            case Admission(notice=notice, reason=reason):
                if reason is not Reason.WOKE:
                    self.wakes.turned_down(notice.id, reason)
                self._look_when_settled(inbox)
            case LookAgain(at=at):
                pane = self.pane_of(inbox)
                if pane is not None:
                    self._looks.look_in(pane, at - self._session.now())
            case _:
                assert_never(effect)

    def _wake(self, inbox: str, notice: Notice, how: How) -> None:
        pane = self.pane_of(inbox)
        assert pane is not None, "the look was at that pane"
        channel = channel_of(pane, self.channels)
        assert channel is not None, "the look found a way"
        self.wakes.begin(notice, pane, types=channel.ways(pane).types)
        channel.wake(pane, self._handed(notice, how))

    def _handed(self, notice: Notice, how: How) -> Handed:
        return Handed(notice=notice, how=how, outcome=NoticeOutcome(self, notice))

    def settle(self, notice_id: str, event: Settled) -> None:
        """What became of a notice that was on its way, in whatever inbox it is now."""
        self.retries.surely((notice_id, type(event)), lambda: self._settle(notice_id, event))

    def _settle(self, notice_id: str, event: Settled) -> None:
        known = self.store.get(notice_id)
        if known is not None:
            told = replace(event, known=known) if isinstance(event, ReceiptCame) else event
            self.advance(known.session, told)

    def now(self) -> float:
        return self._session.now()

    def _tell(self, notice: Notice) -> None:
        self._session.events.publish(
            NoticeEvent(
                id=notice.id,
                session=notice.session,
                pane=self.home(notice.session),
                state=notice.state,
                at=notice.changed_at,
                why=notice.why,
                receipt=notice.receipt,
            )
        )
        pane = self.pane_of(notice.session)
        if pane is not None:
            self._session.tell_changed(pane)
        if not notice.open:
            self.wakes.closed(notice)
        self.inboxes.tell(notice)

    # Sessions

    def _follow_session(self, pane: Pane, record: StatusRecord) -> list[Pane]:
        """A pane's inbox is its session's. Only what was left for the pane itself moves on to a session: of
        another session nothing is carried over. The answer are the panes that have come into a session."""
        before = self._homes.named(pane.id)
        came = self._homes.names(pane.id, record.session_id or (before if record.agent is not None else None))
        if self._homes.named(pane.id) != before:
            pane.box.emptied() if record.agent is None else pane.box.session_changed()
        return self._came(came)

    def _came(self, panes: Iterable[PaneId]) -> list[Pane]:
        """Panes that show a session's inbox now: it takes what was left for them."""
        here = [self._session.panes[pane] for pane in panes]
        for pane in here:
            self.retries.surely((pane.id, Inbox), partial(self._take_along, pane))
            if self.pending(pane.id):
                self._session.tell_changed(pane)
        return here

    def _take_along(self, pane: Pane) -> None:
        """What was left for a pane itself goes into the session that the pane shows by now."""
        left, shown = self.inboxes.get(pane.facts.inbox), self._shown(pane)
        if left is not None and shown != left.session:
            self._move(left, shown)
            self._looks.look_in(pane, 0.0)

    def _shown(self, pane: Pane) -> str:
        return self._homes.shown(pane.id) or pane.facts.inbox

    def _move(self, source: Inbox, target: str) -> None:
        left, taken, effects = moved(source, self.inboxes.of(target), self._session.now())
        self._take(taken, effects, emptied=left.session)

    def _restore(self) -> None:
        for name in self.inboxes.names():
            restarted = Restarted(at=self._session.now())
            self.retries.surely((name, Restarted), partial(self.advance, name, restarted))

    # Looking again

    def _look_when_settled(self, inbox: str) -> None:
        """Whether somebody types or has just submitted something is over by itself: nothing else tells."""
        pane = self.pane_of(inbox)
        if pane is not None and pane.box.settles_in() > 0:
            self._looks.look_in(pane, pane.box.settles_in())

    def _box_changed(self, pane: Pane) -> None:
        if self._shown(pane) in self.inboxes:
            self._looks.look_in(pane, pane.box.settles_in())
