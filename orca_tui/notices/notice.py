"""A notice and everything that is said of it, as values. No rules: those are `coordinator.py`."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

import msgspec


class NoticeState(StrEnum):
    PENDING = "pending"
    """It waits, and can be cancelled."""
    DELIVERING = "delivering"
    """It has been handed over, and the evidence that it arrived is awaited."""
    DELIVERED = "delivered"
    """The agent has it: there is a receipt."""
    FAILED = "failed"
    """It was handed over and no evidence came; `why` says more. It is never sent again."""
    CANCELLED = "cancelled"
    """It was taken back before it was handed over."""


OPEN = frozenset({NoticeState.PENDING, NoticeState.DELIVERING})


class Delivery(StrEnum):
    """Where in a session's work the notice is handed over."""

    QUEUE = "queue"
    """At the next boundary where the session is idle."""
    STEER = "steer"
    """At the next tool boundary of the running turn, where the agent has such; else as `queue`."""


class IfIdle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """It may start a turn now, if nothing runs, asks or is being typed, and never later."""

    if_idle: bool = True
    agent: str | None = None
    """With a name: only while the session is in the mode (the agent) of that name."""

    def __post_init__(self) -> None:
        if not self.if_idle:
            raise ValueError("if_idle is true, or resume is no object")


Resume: TypeAlias = bool | IfIdle
"""Whether a notice may start a turn. False: it comes in with the user's next prompt."""


class OriginKind(StrEnum):
    USER = "user"
    """Somebody outside of all panes: a person, a script."""
    PANE = "pane"
    PLUGIN = "plugin"


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """Who left the notice; `name` is the pane's or the plugin's."""

    kind: OriginKind = OriginKind.USER
    name: str | None = None


class Reason(StrEnum):
    """Why a notice started a turn, or did not."""

    WOKE = "woke"
    BUSY = "busy"
    """A turn runs, one was just submitted, or an earlier notice goes first."""
    WAITING = "waiting"
    """The agent asks its user something."""
    DRAFT = "draft"
    """The user has typed something and not submitted it."""
    AGENT_MISMATCH = "agent_mismatch"
    RESUME_FALSE = "resume_false"
    REVERTED = "reverted"
    """The session was rewound and not gone on with."""
    UNKNOWN_STATUS = "unknown_status"
    """Nothing says whether the agent is idle, or it cannot be reached now."""
    NO_SESSION = "no_session"
    """No agent is there."""


class Guard(StrEnum):
    """What stood between the look and the wake, so that nothing could come in between."""

    HOST = "host"
    """The agent's own conditional form decided."""
    HELD = "held"
    """The pane's input was held from the look to the receipt, nothing was under way before, and where the
    agent's host took the notice, it looked once more in the very moment."""
    SNAPSHOT = "snapshot"
    """Neither: somebody may have been faster."""


class Why(StrEnum):
    """Why a notice failed."""

    UNCONFIRMED = "unconfirmed"
    """It was handed over and nothing shows that it arrived."""
    INTERRUPTED = "interrupted"
    """The server ended between the handing over and the receipt."""
    REJECTED = "rejected"
    """The agent's host would not take it."""


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """The evidence that a notice arrived."""

    at: float
    """Unix seconds."""
    evidence: str
    """One line for people, such as `the answer to it began`; never the text."""


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """One message for one session. Times are Unix seconds."""

    id: str
    session: str
    """The inbox that it belongs to: a session's id, or that of a pane without one."""
    text: str
    """Empty once it has been erased."""
    digest: str
    """Of the content as it was admitted: tells a repeated id from a new one after the text is gone."""
    admitted_at: float
    changed_at: float
    delivery: Delivery = Delivery.QUEUE
    resume: Resume = True
    """As it was asked for."""
    wakes: bool = True
    """It may still start a turn."""
    origin: Origin = Origin()
    state: NoticeState = NoticeState.PENDING
    why: Why | None = None
    tries: int = 0
    """How often it was handed over."""
    receipt: Receipt | None = None

    @property
    def open(self) -> bool:
        return self.state in OPEN


def digest_of(text: str, delivery: Delivery, resume: Resume) -> str:
    """What makes a notice the same as one of the same id in the same inbox: what it says, and how it goes."""
    from hashlib import sha256  # Only servers need it.

    content = msgspec.json.encode((text, delivery, resume))
    return sha256(content).hexdigest()
