"""What an agent's hook takes along: rules 3 to 5 of the coordinator for the moments in which an agent asks. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from msgspec.structs import replace as with_fields

from orca_tui.notices.events import Admission, Effect, HandOver, HookAsked, How, Keep, Moment, Ways
from orca_tui.notices.inbox import Inbox
from orca_tui.notices.notice import Delivery, Notice, Reason
from orca_tui.notices.verdict import verdict
from orca_tui.notices.words import length
from orca_tui.status.record import Status


def collect(inbox: Inbox, event: HookAsked) -> tuple[Inbox, list[Effect]]:
    """Hand over what may come in at that moment; nothing is no effect."""
    match event.moment:
        case Moment.PROMPT:
            wanted, how = [one for one in inbox.pending if not one.wakes], How.RIDE_IN
        case Moment.TOOL:
            wanted, how = [one for one in inbox.pending if one.delivery is Delivery.STEER], How.STEER
        case Moment.END:
            # Not what has a condition: that was for the moment in which it was asked.
            wanted, how = [one for one in inbox.pending if one.wakes and one.resume is True], How.END
            wanted = wanted if inbox.pause is None else []
        case Moment.BELL:
            return _answer_bell(inbox, event)
        case _:
            assert_never(event.moment)
    return _given(inbox, _fitting(wanted, event.room), how, event.at)


def _answer_bell(inbox: Inbox, event: HookAsked) -> tuple[Inbox, list[Effect]]:
    """One notice a turn. That the turn runs by now is no objection."""
    notice = _rung_for(inbox)
    if notice is None:
        return inbox, []
    resting = replace(event.situation, status=Status.IDLE, ways=Ways(wake=True))
    reason = verdict(notice.resume, resting)
    if reason is Reason.WOKE:
        inbox, effects = _given(inbox, (notice,), How.BELL, event.at)
        return replace(inbox, waking=notice.id), effects
    failed = with_fields(notice, wakes=notice.resume is True, changed_at=event.at)
    inbox = replace(inbox.changed(failed), waking=None)
    return inbox, [Keep(notice=failed), Admission(notice=failed, reason=reason)]


def _rung_for(inbox: Inbox) -> Notice | None:
    """What the bell was rung for, or what goes first now that this was taken back."""
    rung = inbox.find(inbox.waking or "")
    if rung is not None:
        return rung if rung in inbox.pending else None
    return next((one for one in inbox.pending if one.wakes and one.resume is True), None)


def _fitting(notices: Iterable[Notice], room: int) -> tuple[Notice, ...]:
    """As many from the first on as there is room for: order is kept."""
    fitting: list[Notice] = []
    for one in notices:
        room -= length(one)
        if room < 0:
            break
        fitting.append(one)
    return tuple(fitting)


def _given(inbox: Inbox, notices: Iterable[Notice], how: How, at: float) -> tuple[Inbox, list[Effect]]:
    """What a bell was rung for starts no turn any more when another hook is faster than the bell."""
    inbox, handed = inbox.hand_over(notices, at)
    if not handed:
        return inbox, []
    if inbox.waking in {one.id for one in handed}:
        inbox = replace(inbox, waking=None)
    return inbox, [*(Keep(notice=one) for one in handed), HandOver(notices=handed, how=how)]
