"""Where the source that holds is known to miss something, and a witness shows it. Pure; knows no agent by name.

Rule 1: a witness counts when it has said the contrary for `after_s`, both since it began to and since the holder
        last spoke; and only if it began to after the turn did that the holder tells of, or went on after an
        ask; against an ask or a rest, after the holder spoke. An old word is no evidence, but for a missing
        sign-in before the first turn: an agent that has just come to rest has not tried yet.
Rule 2: an interrupt counts at once when an interrupt key was pressed since the holder last spoke, within
        `INTERRUPT_S` before the witness came to rest. A witness that cannot tell rest from waiting shows no
        interrupt of an ask.
Rule 3: what a witness tells of a failure counts for the turn that the holder tells of, from its start to
        `after_s` after its end. Until then, and for `HOLD_S` at most, an end that went well is held back.
Rule 4: a turn whose start only a witness showed is the witness's: it also tells of its end, as long as the
        holder does not speak.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from orca_tui.status.levels import INTERRUPT_S
from orca_tui.status.profile import BlindSpot, Missed
from orca_tui.status.reading import CLAIMS, REST, Reading, status_of_end
from orca_tui.status.record import Kind, Source, Status
from orca_tui.status.turns import End, Ending

RESTS_WELL = frozenset({Status.IDLE, Status.DONE})
"""An error tells of a missing sign-in itself."""
HOLD_S = 0.5  # As long as levels settle: with it an end is still shown within the second.


@dataclass(frozen=True, kw_only=True, slots=True)
class Fill:
    """What the holder misses, and what holds instead."""

    missed: Missed
    holder: Source
    witness: Source
    at: float
    """When it happened."""
    reading: Reading
    """What is believed for now."""
    end: End | None = None
    """How the holder's turn ended, if it did."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Blind:
    """What is known of the holder's blind spots at one moment."""

    fill: Fill | None = None
    until: float | None = None
    """When something will be filled, if nobody speaks."""
    hold_until: float | None = None
    """Until when the end that the holder tells of may still prove to be a failure."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Context:
    """What else matters."""

    now: float
    interrupt_at: float | None = None
    """When the user last pressed an interrupt key."""
    runs: Source | None = None
    """The strongest source that said that the running turn runs."""
    over_by: Source | None = None
    """The source that told of the last end of a turn."""
    over_at: float = float("-inf")
    unused: bool = False
    """No turn has begun yet."""


def look(holder: Reading, fresh: Sequence[Reading], spots: Sequence[BlindSpot], context: Context) -> Blind:
    """What the fresh readings show that the holder misses."""
    until: list[float] = []
    for spot, witness in _witnesses(holder, fresh, spots):
        failed = _failure(spot, holder, fresh)
        certain_at, fill = _shown(spot, holder, witness, context, failed)
        if fill is None:
            continue
        if certain_at <= context.now:
            return Blind(fill=fill)
        until.append(certain_at)
    return Blind(until=min(until, default=None), hold_until=_hold_until(holder, spots))


def _witnesses(
    holder: Reading, fresh: Sequence[Reading], spots: Sequence[BlindSpot]
) -> Iterator[tuple[BlindSpot, Reading]]:
    for spot in spots:
        if spot.source is holder.source:
            yield from ((spot, reading) for reading in fresh if reading.source in spot.shown_by)


def _shown(
    spot: BlindSpot, holder: Reading, witness: Reading, context: Context, failed: End | None
) -> tuple[float, Fill | None]:
    """What this witness shows, and from when on it is believed; `failed` is what any of them tells of a failure."""
    both = max(witness.at, holder.at) + spot.after_s
    match spot.misses:
        case Missed.START:
            return _start(spot, holder, witness, context)
        case Missed.ASK:
            contrary = holder.status is Status.WORKING and witness.status is Status.WAITING
            return both, _fill(spot, witness) if contrary and witness.at > holder.began else None
        case Missed.ANSWER:
            contrary = holder.status is Status.WAITING and witness.status is Status.WORKING
            return both, _fill(spot, witness) if contrary and witness.at > holder.at else None
        case Missed.INTERRUPT:
            contrary = _has_stopped(holder, witness)
            end = failed or End(how=Ending.INTERRUPTED)
            certain_at = witness.at if _was_pressed(holder, witness, context) else both
            return certain_at, _ended(spot, holder, witness, end) if contrary else None
        case Missed.FAILURE:
            return _failed(spot, holder, witness)
        case Missed.SIGN_IN:
            contrary = holder.status in RESTS_WELL and _asks_to_sign_in(witness)
            counts = witness.at > holder.at or context.unused
            return both, _fill(spot, witness) if contrary and counts else None
        case _:
            assert_never(spot.misses)


def _failure(spot: BlindSpot, holder: Reading, fresh: Sequence[Reading]) -> End | None:
    """How the holder's turn failed in the eyes of its witnesses."""
    told = (reading for reading in fresh if reading.source in spot.shown_by and reading.at > holder.began)
    return next((reading.failed for reading in told if reading.failed is not None), None)


def _start(spot: BlindSpot, holder: Reading, witness: Reading, context: Context) -> tuple[float, Fill | None]:
    """Rules 1 and 4."""
    if holder.status not in REST or witness.at <= holder.at:
        return 0.0, None
    if context.runs is witness.source:
        return context.now, _fill(spot, witness)
    return witness.at + spot.after_s, _fill(spot, witness) if witness.status in CLAIMS else None


def _asks_to_sign_in(witness: Reading) -> bool:
    return witness.status is Status.WAITING and witness.kind is Kind.AUTH


def _has_stopped(holder: Reading, witness: Reading) -> bool:
    """Rules 1 and 2."""
    rests = witness.status in REST or witness.ended
    if holder.status is Status.WORKING:
        return (rests or witness.at_rest) and witness.at > holder.works_since
    return holder.status is Status.WAITING and rests and witness.at > holder.at


def _was_pressed(holder: Reading, witness: Reading, context: Context) -> bool:
    """Rule 2."""
    pressed = context.interrupt_at
    return pressed is not None and pressed >= holder.at and witness.at - pressed <= INTERRUPT_S


def _failed(spot: BlindSpot, holder: Reading, witness: Reading) -> tuple[float, Fill | None]:
    """Rule 3."""
    if witness.failed is None or witness.at <= holder.began:
        return 0.0, None
    if holder.status is Status.DONE:
        in_time = witness.at <= holder.at + spot.after_s
        return witness.at, _ended(spot, holder, witness, witness.failed) if in_time else None
    if holder.status is Status.WORKING:
        certain_at = max(witness.at, holder.at) + spot.after_s
        return certain_at, _ended(spot, holder, witness, witness.failed)
    return 0.0, None


def _fill(spot: BlindSpot, witness: Reading) -> Fill:
    return Fill(
        missed=spot.misses, holder=spot.source, witness=witness.source, at=witness.at, reading=witness
    )


def _ended(spot: BlindSpot, holder: Reading, witness: Reading, end: End) -> Fill:
    """The end of the holder's turn, in its name."""
    reading = replace(
        holder,
        status=status_of_end(end),
        at=max(witness.at, holder.began),
        detail=f"{witness.source}: {witness.detail}",
        ask=None,
        kind=end.kind,
        message=end.message,
        resets_at=end.resets_at,
        interrupted=end.how is Ending.INTERRUPTED,
    )
    return Fill(
        missed=spot.misses,
        holder=spot.source,
        witness=witness.source,
        at=reading.at,
        reading=reading,
        end=end,
    )


def _hold_until(holder: Reading, spots: Sequence[BlindSpot]) -> float | None:
    if holder.status is not Status.DONE:
        return None
    after_s = [
        spot.after_s for spot in spots if spot.source is holder.source and spot.misses is Missed.FAILURE
    ]
    return holder.at + min(HOLD_S, *after_s) if after_s else None
