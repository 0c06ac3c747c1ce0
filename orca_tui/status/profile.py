"""What is known of an agent's sources of evidence beforehand, as data. `agents/` fills it in, one per agent."""

from __future__ import annotations

from dataclasses import dataclass

from orca_tui.status.record import Source


@dataclass(frozen=True, kw_only=True, slots=True)
class BlindSpot:
    """A source that says nothing when the user interrupts, and the weaker ones that show it.

    Once one of `shown_by` has said rest for `after_s` seconds since `source` last spoke, the turn was
    interrupted.
    """

    source: Source
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


NO_PROFILE = Profile()
"""For agents without an adapter, and for panes without an agent."""
