"""What happens to an inbox, and what the world should do about it, as values. Each event carries its time."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from orca_tui.notices.notice import Delivery, Notice, Reason, Receipt
from orca_tui.status.record import Status

ANY_LENGTH = 1 << 30


@dataclass(frozen=True, kw_only=True, slots=True)
class Ways:
    """What the channel to a session's agent can do now."""

    wake: bool = False
    """Start a turn with a notice."""
    ride_in: bool = False
    """Add notices to the user's next prompt."""
    steer: bool = False
    """Add notices to a running turn at a tool boundary."""
    types: bool = False
    """It types: what the user has in the prompt box is in its way."""
    rings: bool = False
    """It wakes by a doorbell, whose prompt then asks for the text: until then it can be taken back."""
    typed: bool = False
    """What is too long for these ways can be typed now."""
    longest: int = ANY_LENGTH
    """How much it can take along at once, as `words.length` counts."""

    def of(self, length: int) -> Ways:
        """What it can do for a notice of that length."""
        if length <= self.longest:
            return self
        return Ways(wake=self.typed, types=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class Situation:
    """What is known of a session in one moment; to be looked up and used without a step in between."""

    status: Status | None = None
    """None: no pane holds the session, or no agent is in it."""
    mode: str | None = None
    """The agent's own name of what it runs as, such as `build` or `plan`."""
    turns: int = 0
    """Ended turns."""
    draft: bool = False
    """Something was typed and not submitted."""
    typing: bool = False
    """A byte was sent to it a moment ago."""
    submitted: bool = False
    """The user submitted something that no evidence has answered yet."""
    reverted: bool = False
    ways: Ways = field(default_factory=Ways)


class Moment(StrEnum):
    """When an agent's hook asks for what may come in."""

    PROMPT = "prompt"
    """The user submits a prompt."""
    TOOL = "tool"
    """A tool call of the running turn is over."""
    BELL = "bell"
    """A turn begins that a doorbell of ours has woken."""
    END = "end"
    """The turn is about to end, and goes on with what it is given."""


class How(StrEnum):
    """How a notice is handed over."""

    WAKE = "wake"
    RIDE_IN = "ride_in"
    STEER = "steer"
    RING = "ring"
    """The doorbell is rung for them; they are asked for later and wait until then."""
    BELL = "bell"
    """The turn that the doorbell woke takes them."""
    END = "end"
    """The turn that was about to end takes them."""


# Events.


@dataclass(frozen=True, kw_only=True, slots=True)
class Admitted:
    """Somebody leaves a notice. `known` is what the store has of its id, in whatever inbox."""

    at: float
    notice: Notice
    situation: Situation
    known: Notice | None = None
    allow_race: bool = False
    """It may also wake when somebody has just typed or submitted something."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CancelAsked:
    at: float
    id: str
    known: Notice | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class UpdateAsked:
    at: float
    id: str
    delivery: Delivery
    known: Notice | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Looked:
    """Something about the session may be different now."""

    at: float
    situation: Situation


@dataclass(frozen=True, kw_only=True, slots=True)
class Interrupted:
    """The user, or a command, interrupted the session; `running`: its turn has not ended yet."""

    at: float
    running: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class HookAsked:
    """The agent is about to ask its model, and takes what may come in."""

    at: float
    moment: Moment
    room: int = ANY_LENGTH
    """How much it takes at once, as `words.length` counts."""
    situation: Situation = field(default_factory=Situation)
    """For a bell: its condition is looked at once more."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnedDown:
    """The agent did not take the notice, nor come for what it was rung for; nothing of it arrived."""

    at: float
    id: str
    tries: int
    """Of the notice when it was handed over or rung for: what was handed over since is none of this."""
    reason: Reason


@dataclass(frozen=True, kw_only=True, slots=True)
class NotTaken:
    """What was handed to a hook was not used by it; nothing of it arrived."""

    at: float
    id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Rejected:
    """The agent's host answered with an error; nothing of it arrived."""

    at: float
    id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Unconfirmed:
    """The time for a receipt is over: whether it arrived is not known."""

    at: float
    id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ReceiptCame:
    """There is evidence that a notice arrived, however late."""

    at: float
    id: str
    receipt: Receipt
    known: Notice | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Restarted:
    """A new server took the inbox from the store."""

    at: float


Event: TypeAlias = (
    Admitted
    | CancelAsked
    | UpdateAsked
    | Looked
    | Interrupted
    | HookAsked
    | TurnedDown
    | NotTaken
    | Rejected
    | Unconfirmed
    | ReceiptCame
    | Restarted
)

Settled: TypeAlias = TurnedDown | NotTaken | Rejected | Unconfirmed | ReceiptCame
"""What became of a notice that was on its way."""


# Effects.


@dataclass(frozen=True, kw_only=True, slots=True)
class Keep:
    """Store the notice as it is now, before anything else is done about it."""

    notice: Notice


@dataclass(frozen=True, kw_only=True, slots=True)
class HandOver:
    """Give the notices to the agent; what becomes of them comes back as events."""

    notices: tuple[Notice, ...]
    how: How


@dataclass(frozen=True, kw_only=True, slots=True)
class Admission:
    """The answer to `Admitted`."""

    notice: Notice
    reason: Reason


@dataclass(frozen=True, kw_only=True, slots=True)
class LookAgain:
    """Come back with `Looked` at that time (Unix seconds)."""

    at: float


Effect: TypeAlias = Keep | HandOver | Admission | LookAgain
