"""What a source says that knows only levels (a title, a session file, a screen rule), and the turns in it. Pure.

Rule 1: a turn starts when the source says working, and ends when it has said a rest (idle, failed, ended) for
        `SETTLE_S`: titles flash between two steps of a turn. Until then it counts as what it was. Another rest
        within that time changes how the turn ended, and not when.
Rule 2: the end is the user's own, and needs no settling, if an interrupt key was pressed during the turn, within
        `INTERRUPT_S` before it.
Rule 3: idle straight out of waiting is the user's own as well: a dialog was declined, for after a consent the
        agent would work.
Rule 4: ended, without a word of how, is unknown after a turn and idle before the first.
Rule 5: at rest, without a word whether idle or waiting, is unknown and ends nothing. Nor does a source that
        stops to say anything: it is no longer consulted.
Rule 6: where the first rest proves nothing, idle is unknown until the source has said anything else, or the screen
        has shown that rest as well: from then on the screen may be drawn anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from orca_tui.status.events import Says, StateSaid
from orca_tui.status.reading import Reading
from orca_tui.status.record import Kind, Source, Status
from orca_tui.status.turns import End, Ending

SETTLE_S = 0.5  # Longer than a flash, and still within the second in which a status must be right.
INTERRUPT_S = 1.0  # Agents were seen to change their title up to 0.3 s after the key.

RESTS = frozenset({Says.IDLE, Says.FAILED, Says.ENDED})
STILL = RESTS | {Says.AT_REST}
"""Words that say that nothing works; a turn that ended among them settles from the first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Level:
    """The last word of one source, and the turns that were seen in its words."""

    source: Source
    says: Says
    at: float
    detail: str
    kind: Kind | None = None
    text: str | None = None
    resets_at: float | None = None
    turn_open: bool = False
    began_at: float = float("-inf")
    """When the open turn, or the last one, began."""
    rested_at: float = float("-inf")
    """Since when its words say that nothing works."""
    held: Status = Status.WORKING
    """What a rest counts as while it settles: working, or waiting with its `held_kind` and `held_text`."""
    held_kind: Kind | None = None
    held_text: str | None = None
    spoken: bool = False
    """It has said working or waiting since the agent came, or the screen has shown the same rest as it."""
    untold: bool = False
    """The last turn ended without a word of how."""
    interrupted: bool = False
    """The last end, or the one that settles now, was the user's own."""
    ends: int = 0
    asks: int = 0


def said(level: Level | None, event: StateSaid, interrupt_at: float | None) -> Level:
    """Fold a word in; `interrupt_at` is when the user last pressed an interrupt key."""
    if level is None:
        blank = Level(source=event.source, says=Says.NOTHING, at=event.at, detail=event.detail)
        return _changed(blank, event, interrupt_at)
    level = matured(level, event.at)
    said_before = (level.says, level.kind, level.text, level.resets_at)
    if (event.says, event.kind, event.text, event.resets_at) == said_before:
        return level
    return matured(_changed(level, event, interrupt_at), event.at)


def matured(level: Level, now: float) -> Level:
    """The level after its rest has settled, if it has by now."""
    if level.says not in RESTS or not level.turn_open:
        return level
    if not level.interrupted and now < level.rested_at + SETTLE_S:
        return level
    declined = level.says is Says.IDLE and level.held is Status.WAITING
    own = level.interrupted or declined
    untold = level.says is Says.ENDED and not own
    return replace(level, turn_open=False, interrupted=own, untold=untold, ends=level.ends + (not untold))


def begun_anew(level: Level) -> Level:
    """The level in another session: how the last turn ended is no question any more."""
    return replace(level, untold=False)


def confirmed(found: Mapping[Source, Level]) -> Mapping[Source, Level]:
    """The levels after the screen has shown what the title says (rule 6)."""
    title, screen = found.get(Source.TITLE), found.get(Source.SCREEN)
    rest = title is not None and screen is not None and title.says is screen.says is Says.IDLE
    if title is None or not rest or title.spoken:
        return found
    return {**found, Source.TITLE: replace(title, spoken=True)}


def never_begun(level: Level) -> Level:
    """The level without the turn that is open: what looked like one was none."""
    return replace(level, turn_open=False)


def read(level: Level, *, first_rest_proves_nothing: bool) -> Reading | None:
    """What a matured level says; None when it says nothing."""
    if level.says is Says.NOTHING:
        return None
    status, until = _status(level)
    waits = status is Status.WAITING
    kind, text = (
        (level.held_kind, level.held_text) if waits and level.says in RESTS else (level.kind, level.text)
    )
    if status is Status.IDLE and first_rest_proves_nothing and not level.spoken:
        status = Status.UNKNOWN
    return Reading(
        source=level.source,
        status=status,
        at=level.at,
        began=level.began_at,
        works_since=level.at,
        detail=level.detail,
        ends=level.ends,
        ask=f"{level.source} {level.asks}" if waits else None,
        kind=kind if status in (Status.WAITING, Status.ERROR) else None,
        message=text if status in (Status.WAITING, Status.ERROR, Status.WORKING) else None,
        resets_at=level.resets_at if status is Status.ERROR else None,
        interrupted=level.interrupted and status is Status.IDLE,
        failed=_failure(level),
        ended=status is Status.UNKNOWN and level.says is Says.ENDED,
        at_rest=level.says is Says.AT_REST,
        until=until,
    )


def _failure(level: Level) -> End | None:
    """What it says of a failure, settled or not."""
    if level.says is not Says.FAILED or level.interrupted:
        return None
    return End(how=Ending.ERROR, kind=level.kind, message=level.text, resets_at=level.resets_at)


def _status(level: Level) -> tuple[Status, float | None]:
    match level.says:
        case Says.WORKING:
            return Status.WORKING, None
        case Says.WAITING:
            return Status.WAITING, None
        case Says.AT_REST | Says.NOTHING:
            return Status.UNKNOWN, None
        case Says.IDLE | Says.FAILED | Says.ENDED if level.turn_open:
            return level.held, level.rested_at + SETTLE_S
        case Says.IDLE | Says.FAILED | Says.ENDED:
            return _rest(level), None


def _rest(level: Level) -> Status:
    if level.interrupted:
        return Status.IDLE
    if level.says is Says.FAILED:
        return Status.ERROR
    if level.says is Says.ENDED:
        return Status.UNKNOWN if level.untold else Status.IDLE
    return Status.DONE if level.ends > 0 else Status.IDLE


def _changed(level: Level, event: StateSaid, interrupt_at: float | None) -> Level:
    working = event.says is Says.WORKING
    begins = working and not level.turn_open
    rests = event.says in STILL and level.says not in STILL
    closes = event.says in RESTS and level.turn_open
    if level.says not in STILL:
        level = _holding(level)
    return replace(
        level,
        says=event.says,
        at=event.at,
        detail=event.detail,
        kind=event.kind,
        text=event.text,
        resets_at=event.resets_at,
        turn_open=(level.turn_open or working) and event.says is not Says.NOTHING,
        began_at=event.at if begins else level.began_at,
        rested_at=event.at if rests else level.rested_at,
        spoken=level.spoken or event.says in (Says.WORKING, Says.WAITING),
        interrupted=_is_own(level, event, interrupt_at, closes=closes),
        asks=level.asks + (event.says is Says.WAITING),
    )


def _holding(level: Level) -> Level:
    """The level with what it says now kept for while a rest settles."""
    held = Status.WAITING if level.says is Says.WAITING else Status.WORKING
    return replace(level, held=held, held_kind=level.kind, held_text=level.text)


def _is_own(level: Level, event: StateSaid, interrupt_at: float | None, *, closes: bool) -> bool:
    """Rule 2. A key is still remembered when one rest follows another; a failure long after it is one."""
    if event.says is Says.WORKING:
        return False
    recent = interrupt_at is not None and event.at - interrupt_at <= INTERRUPT_S
    if level.interrupted:
        return recent or event.says is not Says.FAILED
    return closes and recent and interrupt_at is not None and interrupt_at >= level.began_at
