"""send, inbox, active, interrupt: notices for agents, and taking them back."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress

from orca_tui.base.errors import Invalid, TimedOut, Undelivered, Unsupported
from orca_tui.base.ids import PaneId, new_name
from orca_tui.commands.active import ACTIVE, ActiveReply, Running
from orca_tui.commands.inbox import (
    INBOX_CANCEL,
    INBOX_LIST,
    INBOX_UPDATE,
    InboxCancelRequest,
    InboxListReply,
    InboxListRequest,
    InboxUpdateRequest,
    NoticeInfo,
)
from orca_tui.commands.interrupt import INTERRUPT, InterruptReply, InterruptRequest
from orca_tui.commands.send import SEND, SendReply, SendRequest
from orca_tui.commands.spec import Empty
from orca_tui.notices.events import Admission, Admitted, CancelAsked, UpdateAsked
from orca_tui.notices.notice import OPEN, Delivery, Notice, NoticeState, Origin, OriginKind, Reason, digest_of
from orca_tui.server.authority import ELSEWHERE
from orca_tui.server.dispatch import Caller
from orca_tui.server.handlers.handler import AnyHandler, Call, at_once
from orca_tui.server.notices import Notices
from orca_tui.server.panes import Pane
from orca_tui.server.session import Session
from orca_tui.server.uis import Ui, UiCaller
from orca_tui.server.wakes import Wake
from orca_tui.status.record import RUNNING, Status
from orca_tui.wire import Told

ENDED = frozenset({Status.IDLE, Status.DONE, Status.ERROR})
SEEN_WITHIN_S = 3.0  # A turn that was not seen by then was over before it could be.
_LINE_ENDS = re.compile(r"\r\n?")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def handlers(session: Session) -> tuple[AnyHandler, ...]:
    notices = NoticeCommands(session, session.notices)
    return (
        Call(SEND, notices.send),
        Call(INBOX_LIST, notices.list_notices),
        at_once(INBOX_CANCEL, notices.cancel),
        at_once(INBOX_UPDATE, notices.update),
        at_once(ACTIVE, notices.active),
        at_once(INTERRUPT, notices.interrupt),
    )


class NoticeCommands:
    def __init__(self, session: Session, notices: Notices) -> None:
        self._session = session
        self._notices = notices

    async def send(self, request: SendRequest, caller: Caller) -> SendReply:
        """Admit, and wait for what becomes of the wake, for a second at most."""
        inbox, pane = self._notices.inbox_of(request.pane)
        if request.id is None or self._notices.store.get(request.id) is None:
            self._check_agent(request.pane)
        answer, wake = self._admit(self._notice(request, inbox, caller), request, pane)
        if wake is not None:
            await wake.over()
        if request.wait is not None:
            await self._wait(request, answer.notice.id)
        reply = self._reply(answer, wake)
        if reply.state in OPEN and isinstance(caller, UiCaller) and caller.slot.ui is not None:
            self._session.tasks.start(self._tell_end(reply.id, caller.slot.ui), f"follow {reply.id}")
        return reply

    def _check_agent(self, target: str) -> None:
        """Whoever sends to a pane in which no agent is, and none was opened, would wait for ever."""
        pane = self._session.panes.get(PaneId(target))
        if pane is not None and self._session.board.record(pane.id).agent is None and not pane.facts.is_agent:
            raise Unsupported(
                f"no agent is in {target}, and notices are for agents; `orca-tui type {target} TEXT` or "
                f"`orca-tui keys {target} KEY` reach what runs there",
                pane=target,
            )

    async def _tell_end(self, notice_id: str, ui: Ui) -> None:
        """Who left it in a UI is shown there what became of it."""
        notice = await self._notices.inboxes.closes(notice_id)
        where = self._notices.home(notice.session) or "the agent"
        if notice.receipt is not None:
            ui.mailbox.put(Told(text=f"{where} has the notice: {notice.receipt.evidence}"))
        elif notice.state is NoticeState.FAILED:
            text = f"{where}: the notice was not delivered ({notice.why})"
            ui.mailbox.put(Told(text=text, severity="error"))

    def _admit(
        self, notice: Notice, request: SendRequest, pane: Pane | None
    ) -> tuple[Admission, Wake | None]:
        admitted = Admitted(
            at=notice.admitted_at,
            notice=notice,
            situation=self._notices.situation(pane),
            known=self._notices.store.get(request.id) if request.id is not None else None,
            allow_race=request.allow_race,
        )
        effects = self._notices.advance(notice.session, admitted)
        [answer] = [effect for effect in effects if isinstance(effect, Admission)]
        return answer, self._notices.wakes.get(notice.id)

    def _notice(self, request: SendRequest, inbox: str, caller: Caller) -> Notice:
        now = self._session.now()
        text = clean(request.text)
        return Notice(
            id=request.id or new_name(),
            session=inbox,
            text=text,
            digest=digest_of(text, request.delivery, request.resume),
            admitted_at=now,
            changed_at=now,
            delivery=request.delivery,
            resume=request.resume,
            origin=origin_of(caller),
        )

    def _reply(self, answer: Admission, wake: Wake | None) -> SendReply:
        notice = self._notices.inboxes.newest(answer.notice)
        reason = wake.reason if wake is not None else answer.reason
        return SendReply(
            id=notice.id,
            session=notice.session,
            state=notice.state,
            woke=reason is Reason.WOKE,
            reason=reason,
            guard=wake.guard if wake is not None else None,
            delivery=self._delivery(notice),
            why=notice.why,
            receipt=notice.receipt,
        )

    def _delivery(self, notice: Notice) -> Delivery:
        if notice.delivery is Delivery.QUEUE:
            return notice.delivery
        can_steer = self._notices.situation(self._notices.pane_of(notice.session)).ways.steer
        return notice.delivery if can_steer else Delivery.QUEUE

    async def _wait(self, request: SendRequest, notice_id: str) -> None:
        try:
            async with asyncio.timeout(request.timeout):
                notice = await self._notices.inboxes.closes(notice_id)
                if notice.state is not NoticeState.DELIVERED:
                    raise _undelivered(notice)
                if request.wait == "done":
                    await self._turn_ends(notice)
        except TimeoutError:
            message = f"the notice {notice_id} waits on after {request.timeout:g} s"
            raise TimedOut(message, id=notice_id) from None

    async def _turn_ends(self, notice: Notice) -> None:
        """The turn that took it. The receipt may be here before the word that a turn runs."""
        pane = self._notices.home(notice.session)
        if pane is None:
            return
        record = self._session.board.record(pane)
        if record.status not in RUNNING:
            if record.status in ENDED and record.since >= notice.changed_at:
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(SEEN_WITHIN_S):
                    await self._session.waiters.wait(pane, RUNNING)
        if self._session.board.record(pane).status in RUNNING:
            await self._session.waiters.wait(pane, ENDED)

    async def list_notices(self, request: InboxListRequest, caller: Caller) -> InboxListReply:
        inbox = self._notices.inbox_of(request.pane)[0] if request.pane is not None else None
        if not request.closed:
            found = self._notices.inboxes.open_ones(inbox)
        elif inbox is None:
            found = self._notices.store.everything()
        else:
            found = self._notices.store.of_session(inbox)
        told = (notice for notice in found if self._may_read(notice, caller))
        return InboxListReply(notices=tuple(map(self._info, told)))

    def _may_read(self, notice: Notice, caller: Caller) -> bool:
        """Also what was left from the caller's own pane."""
        own = caller.pane is not None and notice.origin == origin_of(caller)
        home = self._notices.home(notice.session) or ELSEWHERE
        return own or self._session.gate.reads(caller, home)

    def cancel(self, request: InboxCancelRequest) -> NoticeInfo:
        inbox, _ = self._notices.inbox_of(request.pane)
        known = self._notices.store.get(request.id)
        self._notices.advance(inbox, CancelAsked(at=self._session.now(), id=request.id, known=known))
        return self._stored(request.id)

    def update(self, request: InboxUpdateRequest) -> NoticeInfo:
        inbox, _ = self._notices.inbox_of(request.pane)
        known = self._notices.store.get(request.id)
        self._notices.advance(
            inbox,
            UpdateAsked(at=self._session.now(), id=request.id, delivery=request.delivery, known=known),
        )
        return self._stored(request.id)

    def active(self, _: Empty) -> ActiveReply:
        return ActiveReply(
            sessions={
                inbox: Running(pane=record.pane, since=record.turn_started_at or record.since)
                for inbox, record in self._notices.running().items()
            }
        )

    def interrupt(self, request: InterruptRequest) -> InterruptReply:
        inbox, pane = self._notices.inbox_of(request.pane)
        if pane is None or self._session.board.record(pane.id).status not in RUNNING:
            return InterruptReply(interrupted=False)
        self._notices.interrupt(inbox, pane)
        return InterruptReply(interrupted=True)

    def _stored(self, notice_id: str) -> NoticeInfo:
        notice = self._notices.store.get(notice_id)
        assert notice is not None
        return self._info(notice)

    def _info(self, notice: Notice) -> NoticeInfo:
        return NoticeInfo(
            id=notice.id,
            session=notice.session,
            pane=self._notices.home(notice.session),
            state=notice.state,
            text=notice.text,
            delivery=notice.delivery,
            resume=notice.resume,
            wakes=notice.wakes,
            origin=notice.origin,
            admitted_at=notice.admitted_at,
            changed_at=notice.changed_at,
            why=notice.why,
            receipt=notice.receipt,
        )


def origin_of(caller: Caller) -> Origin:
    """Who leaves a notice; a program in a pane is that pane, whatever it calls itself."""
    if caller.pane is not None:
        return Origin(kind=OriginKind.PANE, name=caller.pane)
    return Origin() if caller.plugin is None else Origin(kind=OriginKind.PLUGIN, name=caller.plugin)


def clean(text: str) -> str:
    """The text without control characters, which would be keys to a terminal; raises `Invalid` for none left."""
    cleaned = _CONTROLS.sub("", _LINE_ENDS.sub("\n", text))
    if not cleaned.strip():
        raise Invalid("the notice says nothing")
    return cleaned


def _undelivered(notice: Notice) -> Undelivered:
    why = f" ({notice.why})" if notice.why else ""
    return Undelivered(
        f"the notice {notice.id} was not delivered: {notice.state}{why}",
        id=notice.id,
        state=notice.state,
        why=notice.why,
    )
