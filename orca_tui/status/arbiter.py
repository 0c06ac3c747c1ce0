"""Which source of evidence holds. Pure; knows ranks and blind spots, and no agent by name.

Rule 1: the highest fresh source that can tell holds. Sources are never summed.
Rule 2: the plugin goes before OSC 7501; from an agent that does not speak 7501 itself such a report may be text
        in a log file, and is not consulted while the plugin or hooks are fresh.
Rule 3: where the holder is known to miss interrupts, and a weaker source has said rest for long enough since the
        holder last spoke, the holder's turn was interrupted.
Rule 4: when no source is fresh, the highest silent one holds, unconfirmed. So does one that is awaited after a
        restart, before those below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from orca_tui.status.profile import BlindSpot, Missed, Profile
from orca_tui.status.reading import Reading
from orca_tui.status.record import Source, Status

RANKS: tuple[Source, ...] = (
    Source.PROCESS,
    Source.PLUGIN,
    Source.PROGRAM_STATUS,
    Source.SESSION_FILE,
    Source.HOOK,
    Source.TITLE,
    Source.PROGRESS,
    Source.SCREEN,
    Source.OUTPUT,
)
"""Strongest first. The plugin and OSC 7501 are of one rank by their worth; rule 2 settles who goes first."""

UNTRUSTED = frozenset({Source.PROGRAM_STATUS, Source.TITLE, Source.PROGRESS, Source.SCREEN, Source.OUTPUT})
"""What any program that writes to the terminal can say."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """The reading that holds, and why."""

    reading: Reading | None
    why: str
    confirmed: bool = True
    interrupted_at: float | None = None
    """When the turn of the holder ended that the holder does not know of."""
    until: float | None = None
    """When the verdict may change by itself."""


def judge(readings: Sequence[Reading], profile: Profile, now: float) -> Verdict:
    """Choose among what the sources say now."""
    ranked = sorted(_consulted(readings, profile), key=lambda reading: RANKS.index(reading.source))
    fresh = [reading for reading in ranked if reading.fresh]
    until = min((reading.until for reading in ranked if reading.until is not None), default=None)
    if not fresh:
        silent = ranked[0] if ranked else None
        why = (
            "no source has said anything"
            if silent is None
            else f"arbiter rule 4: {silent.source} has fallen silent"
        )
        return Verdict(reading=silent, why=why, confirmed=False, until=until)
    holder = next((reading for reading in fresh if reading.status is not Status.UNKNOWN), fresh[0])
    interrupted_at, later = _interrupted(holder, fresh, profile, now)
    return Verdict(
        reading=holder,
        why="arbiter rule 1: the highest fresh source",
        confirmed=not holder.awaited,
        interrupted_at=interrupted_at,
        until=min((time for time in (until, later) if time is not None), default=None),
    )


def why_not(source: Source, verdict: Verdict, profile: Profile) -> str:
    """Why a source other than the holder does not hold."""
    reading = verdict.reading
    if reading is None:
        return "it says nothing of a status"
    if _spoofable(source, profile) and reading.source in (Source.PLUGIN, Source.HOOK):
        return f"arbiter rule 2: this agent speaks no OSC 7501, and its {reading.source} is fresh"
    if RANKS.index(source) > RANKS.index(reading.source):
        return f"arbiter rule 1: it ranks below {reading.source}, which is fresh"
    return f"arbiter rule 1: it cannot tell, {reading.source} can"


def _consulted(readings: Sequence[Reading], profile: Profile) -> list[Reading]:
    """Rule 2."""
    own = any(reading.fresh and reading.source in (Source.PLUGIN, Source.HOOK) for reading in readings)
    return [reading for reading in readings if not (own and _spoofable(reading.source, profile))]


def _spoofable(source: Source, profile: Profile) -> bool:
    return source is Source.PROGRAM_STATUS and not profile.emits_program_status


def _interrupted(
    holder: Reading, fresh: Sequence[Reading], profile: Profile, now: float
) -> tuple[float | None, float | None]:
    """Rule 3: since when the turn is over, or when that will be certain."""
    if holder.status not in (Status.WORKING, Status.WAITING):
        return None, None
    for spot in profile.blind_spots:
        witness = _witness(spot, holder, fresh)
        if witness is None:
            continue
        certain_at = witness.at + spot.after_s
        return (witness.at, None) if now >= certain_at else (None, certain_at)
    return None, None


def _witness(spot: BlindSpot, holder: Reading, fresh: Sequence[Reading]) -> Reading | None:
    """A source that has said rest since the holder last spoke."""
    if spot.source is not holder.source or spot.misses is not Missed.INTERRUPT:
        return None
    rests = (Status.UNKNOWN, Status.IDLE, Status.DONE)
    return next(
        (
            reading
            for reading in fresh
            if reading.source in spot.shown_by and reading.status in rests and reading.at > holder.at
        ),
        None,
    )
