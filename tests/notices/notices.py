"""Makes notices and situations for tests: a resting session whose agent can do everything, unless told otherwise."""

from __future__ import annotations

from typing import Any

from orca_tui.notices.coordinator import advance
from orca_tui.notices.events import Admission, Admitted, Effect, HandOver, Situation, Ways
from orca_tui.notices.inbox import Inbox
from orca_tui.notices.notice import Delivery, Notice, Reason, Resume, digest_of
from orca_tui.status.record import Status

ALL_WAYS = Ways(wake=True, ride_in=True, steer=True)
TYPES = Ways(wake=True, types=True)


def situation(status: Status | None = Status.IDLE, **facts: Any) -> Situation:
    return Situation(**{"status": status, "mode": "build", "ways": ALL_WAYS, **facts})


def notice(
    id: str = "n1",
    resume: Resume = True,
    delivery: Delivery = Delivery.QUEUE,
    text: str = "look",
    **facts: Any,
) -> Notice:
    fields = {
        "id": id,
        "session": "ses_1",
        "text": text,
        "digest": digest_of(text, delivery, resume),
        "admitted_at": 1.0,
        "changed_at": 1.0,
        "delivery": delivery,
        "resume": resume,
    }
    return Notice(**{**fields, **facts})


def admit(
    inbox: Inbox, one: Notice, where: Situation | None = None, **facts: Any
) -> tuple[Inbox, list[Effect], Reason]:
    """Admit a notice; also the reason that was answered."""
    event = Admitted(**{"at": 1.0, "notice": one, "situation": where or situation(), **facts})
    inbox, effects = advance(inbox, event)
    [answer] = [effect for effect in effects if isinstance(effect, Admission)]
    return inbox, effects, answer.reason


def handed(effects: list[Effect]) -> list[str]:
    """Ids of what was handed over, in order."""
    return [one.id for effect in effects if isinstance(effect, HandOver) for one in effect.notices]
