"""What a source says that knows only levels (a title, a session file, a screen rule), and the turns in it. Pure.

Rule 1: a turn starts when the source says working, and ends when it has said idle for `SETTLE_S`: titles flash
        between two steps of a turn. Until then it counts as what it was.
Rule 2: the end is the user's own, and needs no settling, if an interrupt key was pressed within `INTERRUPT_S`
        before it.
Rule 3: at rest, without a word whether idle or waiting, is unknown and ends nothing. Nor does a source that
        stops to say anything: it is no longer consulted.
Rule 4: where the first rest proves nothing, idle is unknown until the source has said anything else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from orca_tui.status.events import Says, StateSaid
from orca_tui.status.reading import Reading
from orca_tui.status.record import Kind, Source, Status

SETTLE_S = 0.5  # Longer than a flash, and still within the second in which a status must be right.
INTERRUPT_S = 1.0  # Agents were seen to change their title up to 0.3 s after the key.


@dataclass(frozen=True, kw_only=True, slots=True)
class Level:
    """The last word of one source, and the turns that were seen in its words."""

    source: Source
    says: Says
    at: float
    detail: str
    kind: Kind | None = None
    text: str | None = None
    turn_open: bool = False
    held: Status = Status.WORKING
    """What an idle counts as while it settles."""
    spoken: bool = False
    """It has said working or waiting since the agent came."""
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
    same = (event.says, event.kind, event.text) == (level.says, level.kind, level.text)
    return level if same else matured(_changed(level, event, interrupt_at), event.at)


def matured(level: Level, now: float) -> Level:
    """The level after its idle has settled, if it has by now."""
    if level.says is not Says.IDLE or not level.turn_open:
        return level
    if not level.interrupted and now < level.at + SETTLE_S:
        return level
    return replace(level, turn_open=False, ends=level.ends + 1)


def read(level: Level, *, first_rest_proves_nothing: bool) -> Reading | None:
    """What a matured level says; None when it says nothing."""
    if level.says is Says.NOTHING:
        return None
    status, until = _status(level)
    if status is Status.IDLE and first_rest_proves_nothing and not level.spoken:
        status = Status.UNKNOWN
    rested = status in (Status.IDLE, Status.DONE)
    return Reading(
        source=level.source,
        status=status,
        at=level.at,
        detail=level.detail,
        ends=level.ends,
        ask=f"{level.source} {level.asks}" if status is Status.WAITING else None,
        kind=level.kind if status is Status.WAITING else None,
        message=level.text if status is Status.WAITING else None,
        interrupted=level.interrupted and rested,
        until=until,
    )


def _status(level: Level) -> tuple[Status, float | None]:
    match level.says:
        case Says.WORKING:
            return Status.WORKING, None
        case Says.WAITING:
            return Status.WAITING, None
        case Says.AT_REST | Says.NOTHING | Says.ENDED | Says.FAILED:
            return Status.UNKNOWN, None
        case Says.IDLE if level.turn_open:
            return level.held, level.at + SETTLE_S
        case Says.IDLE:
            return (Status.IDLE if level.interrupted or level.ends == 0 else Status.DONE), None


def _changed(level: Level, event: StateSaid, interrupt_at: float | None) -> Level:
    speaks = event.says in (Says.WORKING, Says.WAITING)
    working = event.says is Says.WORKING
    pressed = interrupt_at is not None and event.at - interrupt_at <= INTERRUPT_S
    closes = event.says is Says.IDLE and level.turn_open
    return replace(
        level,
        says=event.says,
        at=event.at,
        detail=event.detail,
        kind=event.kind,
        text=event.text,
        turn_open=(level.turn_open or working) and event.says is not Says.NOTHING,
        held=Status.WAITING if level.says is Says.WAITING else Status.WORKING,
        spoken=level.spoken or speaks,
        interrupted=pressed if closes else level.interrupted and not working,
        asks=level.asks + (event.says is Says.WAITING),
    )
