"""Which source of evidence holds. Pure; knows ranks and no agent by name.

Rule 1: the highest fresh source that can tell holds. Sources are never summed; only the words of an ask or of an
        error are taken from a weaker source that says the same, where the holder has none.
Rule 2: the plugin goes before OSC 7501; from an agent that does not speak 7501 itself such a report may be text
        in a log file, and is not consulted while the plugin or hooks are fresh.
Rule 3: where the holder is known to miss something, a witness may fill it (`blindspots.py`).
Rule 4: when no source is fresh, the highest silent one holds, unconfirmed. So does one that is awaited after a
        restart, before those below it.
Rule 5: a source that says that the turn has ended, and cannot tell how, leaves that to those below it. That
        something runs or is asked is not believed of them for longer than `TELL_S`.
Rule 6: a turn whose end a stronger source has told of is over for the weaker ones as well, when that one has
        fallen silent: what they claim since before it is not believed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from orca_tui.status.blindspots import Context, Fill, look
from orca_tui.status.profile import Profile
from orca_tui.status.reading import CLAIMS, Reading
from orca_tui.status.record import Kind, Source, Status

TELL_S = 1.0  # Hooks are started up to 0.3 s after the end that they tell of, and need as long to arrive.

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


TELLING = frozenset({Source.PLUGIN, Source.SESSION_FILE, Source.HOOK})
"""Sources that know of sessions, prompts and messages."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """The reading that holds, and why."""

    reading: Reading | None
    why: str
    confirmed: bool = True
    fill: Fill | None = None
    """What the holder missed; `reading` is what is believed instead."""
    open_ended: Mapping[Source, float] = field(default_factory=dict)
    """Fresh sources that say that nothing works, and cannot tell how a turn ended; and since when."""
    telling: Reading | None = None
    """The highest fresh reading that knows a session or a prompt."""
    hold_until: float | None = None
    """Until when an end that went well may still prove to be a failure."""
    until: float | None = None
    """When the verdict may change by itself."""


def judge(readings: Sequence[Reading], profile: Profile, context: Context) -> Verdict:
    """Choose among what the sources say now."""
    ranked = sorted(_consulted(readings, profile), key=lambda reading: RANKS.index(reading.source))
    ranked = [reading for reading in ranked if not _is_over(reading, context)]
    fresh = [reading for reading in ranked if reading.fresh]
    until = [reading.until for reading in ranked]
    if not fresh:
        return _silent(ranked, _earliest(until))
    believed, doubted_at = _believed(fresh, context.now)
    holder = next((reading for reading in believed if reading.status is not Status.UNKNOWN), believed[0])
    blind = look(holder, fresh, profile.blind_spots, context)
    shown = holder if blind.fill is None else blind.fill.reading
    return Verdict(
        reading=_with_words(shown, believed),
        why="arbiter rule 1: the highest fresh source" if blind.fill is None else _filled(holder, blind.fill),
        confirmed=not holder.awaited,
        fill=blind.fill,
        open_ended={reading.source: reading.at for reading in fresh if reading.ended or reading.at_rest},
        telling=next((reading for reading in fresh if _tells(reading)), None),
        hold_until=blind.hold_until,
        until=_earliest([*until, blind.until, doubted_at]),
    )


def _is_over(reading: Reading, context: Context) -> bool:
    """Rule 6."""
    if context.over_by is None or reading.status not in CLAIMS or not reading.is_turn:
        return False
    weaker = RANKS.index(reading.source) > RANKS.index(context.over_by)
    since = reading.at if reading.status is Status.WAITING else reading.works_since
    return weaker and since <= context.over_at


def _silent(ranked: Sequence[Reading], until: float | None) -> Verdict:
    """Rule 4."""
    if not ranked:
        return Verdict(reading=None, why="no source has said anything", confirmed=False, until=until)
    why = f"arbiter rule 4: {ranked[0].source} has fallen silent"
    return Verdict(reading=ranked[0], why=why, confirmed=False, until=until)


def _filled(holder: Reading, fill: Fill) -> str:
    return f"arbiter rule 3: {holder.source} misses the {fill.missed}, {fill.witness} shows it"


def _believed(fresh: Sequence[Reading], now: float) -> tuple[list[Reading], float | None]:
    """Rule 5: the readings without claims that a higher one contradicts, and when the next will be doubted."""
    ended = next((index for index, reading in enumerate(fresh) if reading.ended), len(fresh))
    kept, doubted_at = list(fresh[: ended + 1]), []
    for reading in fresh[ended + 1 :]:
        until = max(fresh[ended].at, reading.at) + TELL_S
        if reading.status in CLAIMS and until <= now:
            continue
        kept.append(reading)
        if reading.status in CLAIMS:
            doubted_at.append(until)
    return kept, _earliest(doubted_at)


def _with_words(shown: Reading, believed: Sequence[Reading]) -> Reading:
    """Rule 1."""
    if shown.message is not None or shown.status not in (Status.WAITING, Status.ERROR):
        return shown
    for other in believed:
        if other.status is shown.status and other.message is not None and other.at > shown.began:
            return replace(
                shown,
                kind=shown.kind if shown.kind is not None and shown.kind is not Kind.OTHER else other.kind,
                message=other.message,
                resets_at=shown.resets_at or other.resets_at,
            )
    return shown


def _tells(reading: Reading) -> bool:
    return reading.source in TELLING and (reading.session_id is not None or reading.prompt is not None)


def _earliest(times: Sequence[float | None]) -> float | None:
    return min((time for time in times if time is not None), default=None)


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
