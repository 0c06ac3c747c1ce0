"""The coordinator of one session's inbox: (inbox, event) -> (inbox, effects). Pure; one inbox is one lock.

Rule 1: a notice is admitted once. The same id with the same content in the same inbox is the first one;
        anything else under that id is a conflict.
Rule 2: only a pending notice can be cancelled or changed; everything else about it is the same conflict.
Rule 3: a notice may start a turn when its session rests, nothing was just submitted and no other notice is
        on its way; a conditional one, and one that would be typed, also not over a draft of the user's.
Rule 4: a notice that must not start a turn, or whose condition failed, starts none at any later moment. It
        comes in with the user's next prompt, where the agent has a way for that.
Rule 5: notices that may start a turn do so in the order of their admission, one turn each.
Rule 6: after a notice has started a turn, the next one waits until that turn was seen.
Rule 7: an interrupt takes back the wakes that wait, until a turn has started or a newer notice wakes.
Rule 8: a notice is handed over once; where a doorbell wakes the agent, when that asks for it. Only one of which
        it is certain that it did not arrive is pending again: turned down, or once not taken by a hook.
Rule 9: delivered is what was handed over and has a receipt. Evidence that comes late beats a failure that was
        a guess.
Rule 10: a cancelled notice stays cancelled.
Rule 11: what was on its way when the server ended has failed, until evidence says otherwise.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from msgspec.structs import replace as with_fields

from orca_tui.base.errors import Conflict, InboxConflict, Unsupported
from orca_tui.notices.collecting import collect
from orca_tui.notices.events import (
    Admission,
    Admitted,
    CancelAsked,
    Effect,
    Event,
    HandOver,
    HookAsked,
    How,
    Interrupted,
    Keep,
    LookAgain,
    Looked,
    NotTaken,
    ReceiptCame,
    Rejected,
    Restarted,
    Situation,
    TurnedDown,
    Unconfirmed,
    UpdateAsked,
)
from orca_tui.notices.inbox import Inbox, Pause, Woken
from orca_tui.notices.notice import Notice, NoticeState, Reason, Resume, Why
from orca_tui.notices.verdict import unreachable, verdict
from orca_tui.notices.words import length
from orca_tui.status.record import RUNNING

MAX_TRIES = 2  # Rule 8: a hook that twice did not take what it asked for will not.
SEEN_WITHIN_S = 10.0
"""Rule 6: an agent whose turn was not seen by then has ended it unseen; its first turn may take seconds."""
LOOK_AGAIN_S = 1.0
"""After a notice came back: what its host knows better is on its way to us. And while an agent that rests cannot be
reached: nobody tells when it can."""


def advance(inbox: Inbox, event: Event) -> tuple[Inbox, list[Effect]]:
    """Apply one event. Raises `InboxConflict`, `Conflict` or `Unsupported`; then nothing has changed."""
    match event:
        case Admitted():
            return _admit(inbox, event)
        case CancelAsked():
            return _cancel(inbox, event)
        case UpdateAsked():
            return _update(inbox, event)
        case Looked(at=at, situation=situation):
            return _promote(_seen(inbox, situation, at), situation, at)
        case Interrupted():
            return _interrupted(inbox, event), []
        case HookAsked():
            return collect(inbox, event)
        case TurnedDown():
            return _turned_down(inbox, event)
        case NotTaken(at=at, id=id):
            return _not_taken(inbox, id, at)
        case Rejected(at=at, id=id):
            return _failed(inbox, id, Why.REJECTED, at)
        case Unconfirmed(at=at, id=id):
            return _failed(inbox, id, Why.UNCONFIRMED, at)
        case ReceiptCame():
            return _received(inbox, event)
        case Restarted(at=at):
            return _restarted(inbox, at)
        case _:
            assert_never(event)


def moved(source: Inbox, target: Inbox, at: float) -> tuple[Inbox, Inbox, list[Effect]]:
    """A pane's first session takes what was left for the pane, and what is on its way there."""
    brought = [with_fields(one, session=target.session, changed_at=at) for one in source.notices]
    merged = sorted((*target.notices, *brought), key=lambda one: one.admitted_at)
    effects: list[Effect] = [Keep(notice=one) for one in brought]
    taken = replace(
        target,
        notices=tuple(merged),
        waking=target.waking or source.waking,
        woken=target.woken or source.woken,
        turns=max(source.turns, target.turns),
    )
    return Inbox(session=source.session), taken, effects


def _verdict(
    inbox: Inbox, notice: Notice, resume: Resume, situation: Situation, *, allow_race: bool = False
) -> Reason:
    situation = _for(notice, situation)
    reason = verdict(resume, situation, allow_race=allow_race)
    return Reason.BUSY if reason is Reason.WOKE and _others_first(inbox, notice.id) else reason


def _for(notice: Notice, situation: Situation) -> Situation:
    """What can be done with a notice of its length."""
    return replace(situation, ways=situation.ways.of(length(notice)))


def _others_first(inbox: Inbox, notice_id: str) -> bool:
    if inbox.waking is not None or inbox.woken is not None:
        return True
    first = next((one.id for one in inbox.pending if one.wakes), notice_id)
    return first != notice_id


def _admit(inbox: Inbox, event: Admitted) -> tuple[Inbox, list[Effect]]:
    notice, situation, known = event.notice, event.situation, event.known
    if known is not None:
        return inbox, [Admission(notice=_same(known, notice), reason=_reason_again(known))]
    if notice.resume is False and situation.status is not None:
        _check_can_ride_in(inbox, notice, situation)
    inbox = _seen(inbox, situation, event.at)
    if notice.resume is True:
        inbox = replace(inbox, pause=None)  # Rule 7.
    reason = _verdict(inbox, notice, notice.resume, situation, allow_race=event.allow_race)
    wakes = notice.resume is True or reason is Reason.WOKE  # Rule 4.
    notice = with_fields(notice, wakes=wakes)
    inbox = replace(inbox, notices=(*inbox.notices, notice))
    if reason is not Reason.WOKE:
        effects: list[Effect] = [Keep(notice=notice), Admission(notice=notice, reason=reason)]
        if notice.wakes and unreachable(_for(notice, situation)):
            effects.append(LookAgain(at=event.at + LOOK_AGAIN_S))
        return inbox, effects
    inbox, effects = _wake(inbox, notice, _for(notice, situation), event.at)
    return inbox, [*effects, Admission(notice=inbox.find(notice.id) or notice, reason=reason)]


def _check_can_ride_in(inbox: Inbox, notice: Notice, situation: Situation) -> None:
    if not situation.ways.ride_in:
        raise Unsupported(
            "this agent takes a notice only as a turn of its own: nothing can be added to its user's prompt",
            session=inbox.session,
        )
    if length(notice) > situation.ways.longest:
        raise Unsupported(
            f"no more than {situation.ways.longest} characters can be added to this agent's prompts,"
            " with those that say whose words they are",
            session=inbox.session,
            longest=situation.ways.longest,
        )


def _same(known: Notice, notice: Notice) -> Notice:
    """Rule 1."""
    if (known.session, known.digest) != (notice.session, notice.digest):
        raise Conflict(f"there is another notice with the id {notice.id!r}", id=notice.id)
    return known


def _reason_again(known: Notice) -> Reason:
    if known.state is not NoticeState.PENDING and known.tries and known.wakes:
        return Reason.WOKE
    return Reason.BUSY if known.wakes else Reason.RESUME_FALSE


def _cancel(inbox: Inbox, event: CancelAsked) -> tuple[Inbox, list[Effect]]:
    notice = _pending(inbox, event.id, event.known, "this cancellation removed nothing")
    cancelled = with_fields(notice, state=NoticeState.CANCELLED, changed_at=event.at)
    return inbox.changed(cancelled), [Keep(notice=cancelled)]


def _update(inbox: Inbox, event: UpdateAsked) -> tuple[Inbox, list[Effect]]:
    notice = _pending(inbox, event.id, event.known, "this update changed nothing")
    updated = with_fields(notice, delivery=event.delivery, changed_at=event.at)
    return inbox.changed(updated), [Keep(notice=updated)]


def _pending(inbox: Inbox, notice_id: str, known: Notice | None, refusal: str) -> Notice:
    """Rule 2. The receipt is told only where there is one."""
    notice = inbox.find(notice_id)
    if notice is not None and notice.state is NoticeState.PENDING:
        return notice
    in_this_inbox = known is not None and known.session == inbox.session
    raise InboxConflict(
        notice_id, known.receipt if known is not None and in_this_inbox else None, message=refusal
    )


def _seen(inbox: Inbox, situation: Situation, at: float) -> Inbox:
    """What a look at the session settles: rules 6 and 7."""
    running = situation.status in RUNNING
    woken = inbox.woken
    if woken is not None and (
        running or situation.turns != woken.turns or at >= woken.at + SEEN_WITHIN_S or not situation.status
    ):
        woken = None
    return replace(inbox, woken=woken, pause=_still(inbox.pause, running), turns=situation.turns)


def _still(pause: Pause | None, running: bool) -> Pause | None:
    match pause:
        case Pause.END if not running:
            return Pause.TURN
        case Pause.TURN if running:
            return None
        case _:
            return pause


def _promote(inbox: Inbox, situation: Situation, at: float) -> tuple[Inbox, list[Effect]]:
    """Rules 3 and 5: the first notice that may start a turn, if it may now."""
    first = next((one for one in inbox.pending if one.wakes), None)
    if first is None or inbox.pause is not None:
        return inbox, []
    if _verdict(inbox, first, True, situation) is Reason.WOKE:
        return _wake(inbox, first, _for(first, situation), at)
    if unreachable(_for(first, situation)):
        return inbox, [LookAgain(at=at + LOOK_AGAIN_S)]
    if inbox.woken is not None:
        return inbox, [LookAgain(at=inbox.woken.at + SEEN_WITHIN_S)]
    return inbox, []


def _wake(inbox: Inbox, notice: Notice, situation: Situation, at: float) -> tuple[Inbox, list[Effect]]:
    """A doorbell is rung without the text: it can be taken back until the agent asks for it."""
    if situation.ways.rings:
        ring = HandOver(notices=(notice,), how=How.RING)
        return replace(inbox, waking=notice.id), [Keep(notice=notice), ring]
    inbox, handed = inbox.hand_over((notice,), at)
    effects: list[Effect] = [Keep(notice=one) for one in handed]
    return replace(inbox, waking=notice.id), [*effects, HandOver(notices=handed, how=How.WAKE)]


def _interrupted(inbox: Inbox, event: Interrupted) -> Inbox:
    """Rule 7."""
    if any(one.wakes and one.admitted_at > event.at for one in inbox.pending):
        return inbox
    return replace(inbox, pause=Pause.END if event.running else Pause.TURN)


def _turned_down(inbox: Inbox, event: TurnedDown) -> tuple[Inbox, list[Effect]]:
    """Rule 8: of one handing over; a bell that was too late takes nothing back that a hook was given meanwhile."""
    notice = inbox.find(event.id)
    if notice is None or notice.tries != event.tries:
        return inbox, []
    if notice.state is NoticeState.PENDING and inbox.waking != event.id:
        return inbox, []
    back = with_fields(
        notice,
        state=NoticeState.PENDING,
        wakes=notice.resume is True,  # Rule 4: its condition failed.
        tries=notice.tries - (notice.state is NoticeState.DELIVERING),
        changed_at=event.at,
    )
    effects: list[Effect] = [Keep(notice=back), Admission(notice=back, reason=event.reason)]
    if back.wakes:
        effects.append(LookAgain(at=event.at + LOOK_AGAIN_S))
    return replace(inbox.changed(back), waking=_other(inbox.waking, event.id)), effects


def _other(waking: str | None, notice_id: str) -> str | None:
    return None if waking == notice_id else waking


def _not_taken(inbox: Inbox, notice_id: str, at: float) -> tuple[Inbox, list[Effect]]:
    notice = inbox.delivering(notice_id)
    if notice is None:
        return inbox, []
    if notice.tries >= MAX_TRIES:
        return _failed(inbox, notice_id, Why.UNCONFIRMED, at)
    wakes = notice.wakes and notice.resume is True  # Rule 4: the moment of a condition is over.
    back = with_fields(notice, state=NoticeState.PENDING, wakes=wakes, changed_at=at)
    effects: list[Effect] = [Keep(notice=back)]
    if back.wakes:
        effects.append(LookAgain(at=at + LOOK_AGAIN_S))
    return inbox.changed(back), effects


def _failed(inbox: Inbox, notice_id: str, why: Why, at: float) -> tuple[Inbox, list[Effect]]:
    notice = inbox.delivering(notice_id)
    if notice is None:
        return inbox, []
    failed = with_fields(notice, state=NoticeState.FAILED, why=why, changed_at=at)
    effects: list[Effect] = [Keep(notice=failed)]
    if any(one.wakes for one in inbox.pending):
        effects.append(LookAgain(at=at + LOOK_AGAIN_S))
    return inbox.changed(failed), effects


def _received(inbox: Inbox, event: ReceiptCame) -> tuple[Inbox, list[Effect]]:
    """Rules 9 and 10."""
    notice = inbox.find(event.id) or event.known
    if notice is None or not notice.tries or notice.state in (NoticeState.DELIVERED, NoticeState.CANCELLED):
        return inbox, []
    woke = inbox.waking == event.id
    delivered = with_fields(
        notice, state=NoticeState.DELIVERED, why=None, receipt=event.receipt, changed_at=event.at
    )
    inbox = inbox.changed(delivered)
    if woke:
        inbox = replace(inbox, woken=Woken(at=event.at, turns=inbox.turns))
    return inbox, [Keep(notice=delivered)]


def _restarted(inbox: Inbox, at: float) -> tuple[Inbox, list[Effect]]:
    """Rule 11."""
    effects: list[Effect] = []
    for notice in inbox.notices:
        if notice.state is NoticeState.DELIVERING:
            failed = with_fields(notice, state=NoticeState.FAILED, why=Why.INTERRUPTED, changed_at=at)
            inbox = inbox.changed(failed)
            effects.append(Keep(notice=failed))
    return inbox, effects
