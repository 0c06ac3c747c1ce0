"""What is shown of a pane once the arbiter has judged: rules 3 to 9 of `machine.py`. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from msgspec.structs import replace as with_fields

from orca_tui.status import levels, lifecycle, news, programs
from orca_tui.status.arbiter import RANKS, TELLING, Verdict
from orca_tui.status.levels import INTERRUPT_S
from orca_tui.status.pane import Aside, Pane
from orca_tui.status.reading import CLAIMS, REST, Reading
from orca_tui.status.record import Evidence, Source, Status, StatusRecord

LOST_S = 30.0
"""Since the last sign of life. Long enough for a restart of the server or a stalled machine, and short enough
that nobody waits for an agent that is stuck."""
STALL_S = 20 * 60.0
"""Agents' own tools give up after 10 minutes by default, and agents draw a spinner meanwhile: a terminal that was
silent for twice as long shows an agent that hangs."""
BOUNDARY_S = 1.0
"""Around another session: Claude Code works for 0.3 s to clear one, and its hooks take as long to arrive."""

BRIEF_S = 0.5
"""No model answers in less: work that nobody told of, and that was over sooner, was no turn."""

SEEING = frozenset({Source.TITLE, Source.PROGRESS, Source.SCREEN})
"""Sources of levels that may not have been consulted before a turn was over."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Settled:
    """The pane as it is shown now, what rings, and by which rule."""

    pane: Pane
    why: str
    rings: Status | None = None
    held: bool = False
    """An end is held back: it stays news."""


def settle(pane: Pane, verdict: Verdict) -> Settled:
    """What follows for the pane."""
    reading = verdict.reading
    if reading is not None and (reading.status in REST or reading.ended) and is_bounded(pane, reading):
        return Settled(pane=_cleared(pane, reading, verdict), why="status rule 9: another session is shown")
    if reading is None or reading.status is Status.UNKNOWN:
        return _without_word(pane, verdict)
    pane = replace(pane, lost_at=None)
    if _is_lost(pane, verdict, reading):
        unknown = _shown(pane, Status.UNKNOWN, reading, verdict, confirmed=False)
        return Settled(pane=unknown, why="status rule 4: silent too long")
    pane = _stepped_aside(pane, reading)
    if reading.status is Status.WORKING:
        return Settled(pane=_working(pane, reading, verdict), why="status rule 5: a turn runs")
    if reading.status is Status.WAITING:
        shown = _shown(pane, Status.WAITING, reading, verdict)
        if not verdict.confirmed:
            return Settled(pane=shown, why="status rule 4: it waited when it was last heard")
        asking, rings = news.asked(shown, reading)
        return Settled(pane=asking, rings=rings, why="it waits for the user")
    return _rested(pane, reading, verdict)


def absorb(pane: Pane, found: Sequence[Reading], settled: Settled, holder: Reading | None) -> Pane:
    """Rule 7, and: the ends of the source that holds stay news until it rests; those of others until the turn
    that runs is over, for they may have to tell how it ended.
    """
    known = dict(pane.settled)
    runs = pane.turn_source is not None or pane.record.status in CLAIMS
    for reading in found:
        holds = holder is not None and reading.source is holder.source
        first_word = pane.adopted and reading.source not in known
        told = reading.status in REST if holds else reading.fresh and not runs
        if first_word or (told and not settled.held):
            known[reading.source] = reading.ends
    return pane if known == pane.settled else replace(pane, settled=known)


def stalls_at(pane: Pane, reading: Reading | None) -> float | None:
    """When a working agent counts as stuck, if it gives no sign of life before; None where nothing would show one."""
    if reading is None or reading.status is not Status.WORKING or Source.OUTPUT not in pane.heard:
        return None
    if reading.source is Source.PLUGIN:
        return None  # It has a heartbeat, and what it says is its host's own count.
    return max(reading.at, *pane.heard.values()) + STALL_S


def begun_anew(pane: Pane) -> Pane:
    """The pane in which another session is shown (rule 9). What ended before has been seen; what still works may
    be the change itself.
    """
    begun = {source: levels.begun_anew(level) for source, level in pane.levels.items()}
    changing = programs.session_shown(pane.programs, pane.boundary_at or pane.now)
    pane = replace(pane, unseen=None, aside=None, levels=begun, programs=changing)
    if pane.record.status not in REST:
        return pane
    since = pane.record.since if pane.record.status is Status.IDLE else pane.now
    record = with_fields(
        pane.record,
        status=Status.IDLE,
        since=since,
        kind=None,
        message=None,
        resets_at=None,
        interrupted=False,
    )
    return replace(pane, record=record, end_source=None)


def _is_lost(pane: Pane, verdict: Verdict, reading: Reading) -> bool:
    """Rule 4."""
    if reading.status in (Status.DONE, Status.ERROR):
        return False
    stalled_at = stalls_at(pane, reading)
    silent = not verdict.confirmed and pane.now >= reading.heard_at + LOST_S
    return silent or (stalled_at is not None and pane.now >= stalled_at)


def _without_word(pane: Pane, verdict: Verdict) -> Settled:
    """Rule 3."""
    reading, status = verdict.reading, pane.record.status
    if reading is not None:
        ends_here = status in (*CLAIMS, Status.IDLE)
    else:
        lost_at = pane.now if pane.lost_at is None else pane.lost_at
        pane = replace(pane, lost_at=lost_at, turn_source=None)
        ends_here = status in CLAIMS or (status is Status.IDLE and pane.now >= lost_at + LOST_S)
    confirmed = reading is not None or status is Status.UNKNOWN
    if ends_here:
        pane = _shown(pane, Status.UNKNOWN, reading, verdict, confirmed=confirmed)
    else:
        pane = replace(pane, record=with_fields(pane.record, confirmed=confirmed))
    return Settled(pane=pane, why="status rule 3: no source can tell")


def _stepped_aside(pane: Pane, reading: Reading) -> Pane:
    """The pane that remembers how it rests, when something begins to run beside its turns (rule 5)."""
    begins = reading.status in CLAIMS and not reading.is_turn and pane.turn_source is None
    if begins and pane.record.status in REST:
        return replace(pane, aside=Aside(status=pane.record.status, unseen=pane.unseen))
    return pane


def _working(pane: Pane, reading: Reading, verdict: Verdict) -> Pane:
    if not reading.is_turn and pane.turn_source is None:
        return _shown(pane, Status.WORKING, reading, verdict)
    starts = pane.turn_source is None
    strongest = _stronger(pane.turn_source or reading.source, reading.source)
    pane = replace(pane, turn_source=strongest, aside=None)
    pane = _shown(pane, Status.WORKING, reading, verdict)
    if not starts:
        return pane
    record = with_fields(pane.record, turn_started_at=min(reading.at, pane.now), interrupted=False)
    if reading.source not in TELLING and verdict.telling is None:
        record = with_fields(record, prompt=None, last_message=None)
    return replace(pane, record=record, interrupt_at=_of_turn(pane.interrupt_at, reading))


def _of_turn(interrupt_at: float | None, reading: Reading) -> float | None:
    """A key that was pressed before a turn began interrupts nothing in it."""
    return interrupt_at if interrupt_at is not None and interrupt_at >= reading.began else None


def _rested(pane: Pane, reading: Reading, verdict: Verdict) -> Settled:
    """Rules 6 to 9."""
    source, runs = reading.source, pane.turn_source
    if reading.undecided and pane.record.status is Status.WORKING:
        return Settled(pane=pane, why="programs rule 5: it may be about to work", held=True)
    fresh_ends = reading.ends - pane.settled.get(source, 0)
    weaker = runs is not None and _stronger(runs, source) is not source
    if weaker and runs is not None and runs in verdict.open_ended:
        weaker = False
        if fresh_ends == 0:
            inferred = _inferred(pane, reading, verdict.open_ended[runs])
            if inferred is None:
                return _without_word(pane, verdict)
            reading, fresh_ends = inferred
    first_word = pane.adopted and source not in pane.settled
    if fresh_ends > 0 and not weaker and not first_word:
        if pane.record.status is Status.WORKING and pane.now < (verdict.hold_until or 0.0):
            return Settled(pane=pane, why="status rule 8: the end may prove to be a failure", held=True)
        return _ended(pane, reading, verdict, fresh_ends)
    if runs is None and pane.record.status not in REST and pane.aside is not None:
        return Settled(
            pane=_back(pane, pane.aside, reading, verdict), why="status rule 5: it rests as before"
        )
    if runs is not None or pane.record.status not in REST:
        return Settled(
            pane=_quiet(pane, reading, verdict), why="status rule 6: rest without an end that is news"
        )
    return _corrected(pane, reading, verdict)


def is_bounded(pane: Pane, reading: Reading) -> bool:
    """The rest belongs to another session's being shown (rule 9)."""
    boundary_at = pane.boundary_at
    if boundary_at is None or reading.began > boundary_at or pane.over_at > boundary_at + BOUNDARY_S:
        return False  # A turn has begun since, or has ended since.
    if reading.status in (Status.DONE, Status.ERROR) and reading.source not in (*SEEING, Source.SESSION_FILE):
        return False  # It was told, and not seen in a level: a turn of the session that is shown now.
    return abs(reading.at - boundary_at) <= BOUNDARY_S


def _inferred(pane: Pane, reading: Reading, rested_at: float) -> tuple[Reading, int] | None:
    """How a turn ended that a source did not see run, where those above it leave that open (rule 6), and whether
    that is an end at all; None when it has not spoken since.

    A dialog that rest follows at once was declined: after a consent the agent would work. Where hooks tell of prompts,
    and have told of none yet, what looked like a turn was the agent's start.
    """
    if reading.source not in SEEING or pane.heard.get(reading.source, 0.0) < rested_at:
        return None
    if reading.status is Status.ERROR or reading.interrupted:
        return reading, 1
    began = pane.record.turn_started_at
    brief = began is not None and rested_at - began < BRIEF_S
    if brief or _unprompted(pane):
        return replace(reading, status=Status.IDLE), 0
    pressed = pane.interrupt_at is not None and abs(rested_at - pane.interrupt_at) <= INTERRUPT_S
    if pressed or pane.record.status is Status.WAITING:
        return replace(reading, status=Status.IDLE, interrupted=True), 1
    return replace(reading, status=Status.DONE), 1


def _unprompted(pane: Pane) -> bool:
    told = pane.lifecycles.get(Source.HOOK)
    return pane.programs.tells_prompts and told is not None and not lifecycle.tells_of_turns(told)


def _turn_over(pane: Pane, reading: Reading) -> Pane:
    return replace(pane, turn_source=None, over_by=reading.source, over_at=reading.at)


def _quiet(pane: Pane, reading: Reading, verdict: Verdict) -> Pane:
    quiet = _shown(_turn_over(pane, reading), Status.IDLE, reading, verdict)
    record = with_fields(quiet.record, turn_started_at=None, interrupted=reading.interrupted)
    return replace(quiet, record=record)


def _cleared(pane: Pane, reading: Reading, verdict: Verdict) -> Pane:
    """The pane at the beginning of another session; what ended before has been seen."""
    return replace(_quiet(pane, replace(reading, interrupted=False), verdict), aside=None, unseen=None)


def _corrected(pane: Pane, reading: Reading, verdict: Verdict) -> Settled:
    """Rule 8."""
    lesser = {Status.DONE: (Status.ERROR, Status.IDLE), Status.ERROR: (Status.IDLE,)}
    if pane.end_source is not reading.source or reading.status not in lesser.get(pane.record.status, ()):
        return Settled(pane=_still(pane, reading, verdict), why="it rests as before")
    unseen = Status.ERROR if pane.unseen is Status.DONE and reading.status is Status.ERROR else None
    corrected = _shown(pane, reading.status, reading, verdict)
    record = with_fields(corrected.record, interrupted=reading.interrupted)
    return Settled(
        pane=replace(corrected, record=record, unseen=unseen), why="status rule 8: the end was another"
    )


def _back(pane: Pane, aside: Aside, reading: Reading, verdict: Verdict) -> Pane:
    """The pane as it rested before; an end that is not the last one any more is idle."""
    same = aside.status is reading.status
    pane = _shown(replace(pane, aside=None), aside.status if same else Status.IDLE, reading, verdict)
    return replace(pane, unseen=aside.unseen if same else None)


def _ended(pane: Pane, reading: Reading, verdict: Verdict, ends: int) -> Settled:
    pane = replace(_turn_over(pane, reading), aside=None, end_source=reading.source)
    pane = _shown(pane, reading.status, reading, verdict)
    record = with_fields(
        pane.record, turns=pane.record.turns + ends, interrupted=reading.interrupted, turn_started_at=None
    )
    pane = replace(pane, record=record)
    if reading.status is Status.IDLE:
        return Settled(pane=pane, why="status rule 6: the user ended the turn")
    pane, rings = news.turn_ended(pane, reading.status, reading.source)
    return Settled(pane=pane, rings=rings, why="status rule 6: the turn ended")


def _shown(
    pane: Pane, status: Status, reading: Reading | None, verdict: Verdict, *, confirmed: bool | None = None
) -> Pane:
    """The pane with a status, and the facts of the reading that it rests on."""
    before = pane.record
    since = before.since
    if status is not before.status:
        at = pane.now if reading is None or status is Status.UNKNOWN else reading.at
        since = at if before.since <= at <= pane.now else pane.now
    record = with_fields(
        before,
        status=status,
        since=since,
        kind=None,
        message=None,
        resets_at=None,
        confirmed=verdict.confirmed if confirmed is None else confirmed,
    )
    if reading is not None and status is reading.status:
        record = with_fields(record, kind=reading.kind, message=reading.message, resets_at=reading.resets_at)
    if reading is not None:
        record = _facts(pane, record, reading, verdict)
    return news.settled(replace(pane, record=record), status)


def _still(pane: Pane, reading: Reading, verdict: Verdict) -> Pane:
    """The pane at rest as it was; the words of an error may come after it."""
    record = with_fields(_facts(pane, pane.record, reading, verdict), confirmed=verdict.confirmed)
    if record.status is Status.ERROR is reading.status and record.message is None:
        record = with_fields(record, kind=reading.kind, message=reading.message, resets_at=reading.resets_at)
    return replace(pane, record=record)


def _facts(pane: Pane, record: StatusRecord, reading: Reading, verdict: Verdict) -> StatusRecord:
    """What a reading tells beside the status. Of sessions and prompts only some know: the best of them is asked."""
    telling = reading if reading.source in TELLING else verdict.telling
    record = with_fields(
        record,
        tool=reading.tool,
        progress=pane.progress if reading.progress is None else reading.progress,
        subagents=reading.subagents,
        evidence=Evidence(source=reading.source, at=reading.at, detail=reading.detail),
    )
    if telling is None:
        return record
    return with_fields(
        record,
        session_id=telling.session_id or record.session_id,
        prompt=telling.prompt,
        last_message=telling.last_message,
    )


def _stronger(one: Source, other: Source) -> Source:
    return min(one, other, key=RANKS.index)
