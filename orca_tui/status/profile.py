"""What is known of an agent's sources of evidence beforehand, as data. `agents/` fills it in, one per agent."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from orca_tui.status.record import Source


class Missed(StrEnum):
    """A transition that a source is known not to tell of."""

    START = "start"
    """It says rest while a turn runs."""
    ASK = "ask"
    """It says working while the agent waits for its user."""
    ANSWER = "answer"
    """It still says waiting after the answer."""
    INTERRUPT = "interrupt"
    """It still says working or waiting after the user has stopped the turn."""
    FAILURE = "failure"
    """It tells a failed end as a plain one."""
    SIGN_IN = "sign-in"
    """It says rest while nobody is signed in."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BlindSpot:
    """A transition that `source` misses, and the weaker sources that fill exactly this one.

    While `source` holds, and one of `shown_by` has said the contrary for `after_s` seconds since `source` last
    spoke, that one is believed. An interrupt needs no `after_s` when the user has pressed an interrupt key since
    `source` last spoke. A failure corrects the end when it is told of within `after_s` of it.
    """

    source: Source
    misses: Missed
    shown_by: tuple[Source, ...]
    after_s: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """How one agent's evidence is to be taken."""

    emits_program_status: bool = False
    """It speaks OSC 7501 itself. From others such a report may be text in a log file: it is not consulted
    while the agent's own plugin or hooks are fresh."""
    first_rest_proves_nothing: bool = False
    """Its title says idle before the first turn even while a dialog waits."""
    blind_spots: tuple[BlindSpot, ...] = ()
    expects: tuple[Source, ...] = ()
    """The sources that a pane of this agent should have, for `expectations.py` to tell of those that are
    missing."""


NO_PROFILE = Profile()
"""For agents without an adapter, and for panes without an agent."""
