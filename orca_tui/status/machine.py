"""The status of one pane: `advance(pane, event, profiles) -> (pane, effects)`. Pure; knows no agent by name.

Rule 1: after the exit of its process a pane's status never changes again.
Rule 2: while a pane cannot be seen (a broken link), its status stays as it was, unconfirmed.
Rule 3: the source that the arbiter chooses decides. When none says anything any more, working and waiting become
        unknown at once, for they were claims; idle after `LOST_S`. A source that speaks and cannot tell makes
        all three unknown. How a turn ended stays true.
Rule 4: a status that rests on silence is unconfirmed. After `LOST_S` of it working, waiting and idle become
        unknown; how a turn ended stays true. So does working become unknown when the agent gives no sign of
        life for `STALL_S`, its terminal included.
Rule 5: work of the agent itself starts a turn. It ends when the source that holds comes to rest. What runs
        beside its turns (a child that outlives its root, a session of unknown lineage) makes the pane working or
        waiting; after it, the pane rests as before, news included.
Rule 6: done and error are shown only for an end that is news: one that the source had not told of when it last
        held. An end that a weaker source tells of than the one that the turn ran by is quiet, unless that one
        is at rest and cannot tell how; and so is rest without an end: idle.
Rule 7: what a source says first is no news in a pane that we found running; nor is what a source saw end while
        another one was at rest.
Rule 8: an end may be corrected later to a lesser one (interrupted, error), never to done.
Rule 9: another session is a boundary: the pane is idle, what ended before it has been seen, and rest of a turn
        that began before it is no end within `BOUNDARY_S` of it, unless a source tells of the end itself.
Rule 10: `since` moves only when the status changes, and never back, unless the clock does. `turns` counts ends
        that were told of.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from msgspec.structs import replace as with_fields

from orca_tui.status import lifecycle, news
from orca_tui.status.arbiter import Verdict, judge, why_not
from orca_tui.status.blindspots import Context, Fill
from orca_tui.status.describing import source_of, what
from orca_tui.status.effects import (
    Changed,
    ClearUnread,
    Observation,
    Outcome,
    Persist,
    Ring,
    StatusChanged,
    WakeAt,
)
from orca_tui.status.events import (
    Event,
    LifecycleEvent,
    ProcessExited,
    ReporterHeard,
    Seen,
    TimePassed,
    Watched,
)
from orca_tui.status.lifecycle import Lifecycle
from orca_tui.status.observing import observe
from orca_tui.status.pane import Pane, Profiles, matured, profile_of, readings
from orca_tui.status.profile import Missed, Profile
from orca_tui.status.reading import Reading
from orca_tui.status.record import Evidence, Source, Status, StatusRecord
from orca_tui.status.settling import LOST_S, absorb, begun_anew, settle, stalls_at
from orca_tui.status.shifting import by_clock
from orca_tui.status.times import MAX_LATE_S


@dataclass(frozen=True, kw_only=True, slots=True)
class _Step:
    """The pane as far as it is advanced, and what became of the event."""

    pane: Pane
    rings: Status | None = None
    taken: bool = True
    why: str = ""
    repeated: bool = False
    """The event said what was known: nothing follows from it, and no explanation tells of it."""
    wake_at: float | None = None


def advance(pane: Pane, event: Event, profiles: Profiles) -> tuple[Pane, list[Outcome]]:
    """Apply one event; `profiles` are constant, by agent."""
    late_s = MAX_LATE_S if isinstance(event, LifecycleEvent) else 0.0
    before = by_clock(pane, event.at, late_s=late_s)
    timed = replace(before, now=max(before.now, event.at))
    step = _stepped(timed, event, profiles, anew=before is not pane)
    after = replace(step.pane, record=_told(before.record, step.pane), wake_at=step.wake_at)
    return after, _effects(pane, after, event, step)


def _told(before: StatusRecord, pane: Pane) -> StatusRecord:
    """The record of a pane, with what follows from the rest of it and from what was shown before."""
    record = pane.record
    unread = news.is_unread(pane, record.status)
    since = before.since if record.status is before.status else record.since  # Rule 10.
    if (unread, since) == (record.unread, record.since):
        return record
    return with_fields(record, unread=unread, since=since)


def _stepped(pane: Pane, event: Event, profiles: Profiles, *, anew: bool) -> _Step:
    match event:
        case Watched(watched=watched):
            pane = replace(pane, watched=watched)
            return _Step(pane=news.seen(pane) if watched else pane, why="news rule 3")
        case Seen():
            return _Step(pane=news.seen(pane), why="news rule 2")
        case _ if pane.record.status is Status.EXITED:
            return _Step(pane=pane, taken=False, why="status rule 1: the process is gone")
        case ProcessExited():
            return _Step(pane=_exited(pane, event), why="status rule 1: the process is gone")
        case _:
            return _judged(pane, event, profiles, anew=anew)


def _exited(pane: Pane, event: ProcessExited) -> Pane:
    record = with_fields(
        pane.record,
        status=Status.EXITED,
        kind=None,
        message=None,
        since=max(pane.record.since, event.at),
        tool=None,
        progress=None,
        subagents=0,
        turn_started_at=None,
        evidence=Evidence(source=Source.PROCESS, at=event.at, detail=what(event)),
        confirmed=True,
        exit_code=event.exit_code,
    )
    return news.settled(replace(pane, record=record, turn_source=None, wake_at=None), Status.EXITED)


def _judged(pane: Pane, event: Event, profiles: Profiles, *, anew: bool) -> _Step:
    """`anew`: the clock was set back, so that even what was known must be judged."""
    unsure = anew or _is_unsure(pane)
    observed = observe(pane, event, profiles)
    if observed.repeated and not unsure:  # Spinners in titles turn ten times a second.
        return _Step(pane=observed.pane, taken=False, repeated=True, wake_at=pane.wake_at)
    bounded = observed.pane.boundary_at not in (None, pane.boundary_at)
    pane = matured(begun_anew(observed.pane) if bounded else observed.pane)
    if not pane.reachable:
        record = with_fields(pane.record, confirmed=False)
        return _Step(pane=replace(pane, record=record), why="status rule 2: the pane cannot be seen")
    pane, found, verdict = _verdict(pane, profiles)
    settled = settle(pane, verdict)
    after = absorb(settled.pane, found, settled, verdict.reading)
    taken, why = _fate(event, observed.ignored, verdict, settled.why, profile_of(pane, profiles))
    return _Step(pane=after, rings=settled.rings, taken=taken, why=why, wake_at=_wake_at(after, verdict))


def _is_unsure(pane: Pane) -> bool:
    """It is unknown in the middle of a turn, so that any sign of life is news (rules 3 and 4)."""
    return pane.record.status is Status.UNKNOWN and pane.turn_source is not None


def _verdict(pane: Pane, profiles: Profiles) -> tuple[Pane, list[Reading], Verdict]:
    """What the sources say and the arbiter makes of it. A turn or an ask that is over in the eyes of a witness
    is over for the source that misses it as well.
    """
    profile = profile_of(pane, profiles)
    context = Context(
        now=pane.now,
        interrupt_at=pane.interrupt_at,
        runs=pane.turn_source,
        over_by=pane.over_by,
        over_at=pane.over_at,
        unused=not pane.record.turns and pane.record.turn_started_at is None,
    )
    found = readings(pane, profiles)
    verdict = judge(found, profile, context)
    told = None if verdict.fill is None else _closed(pane, verdict.fill)
    if told is None:
        return pane, found, verdict
    pane = replace(pane, lifecycles={**pane.lifecycles, told.source: told})
    found = readings(pane, profiles)
    return pane, found, replace(judge(found, profile, context), why=verdict.why)


def _closed(pane: Pane, fill: Fill) -> Lifecycle | None:
    """The turns of the source that misses something, with that; None where it does not tell of turns."""
    known = pane.lifecycles.get(fill.holder)
    if known is None:
        return None
    if fill.end is not None and known.turn_open:
        return lifecycle.stopped(known, fill.at, fill.end)
    closes = fill.missed in (Missed.ANSWER, Missed.INTERRUPT)
    return lifecycle.answered(known, fill.at) if closes else None


def _fate(
    event: Event, ignored: str | None, verdict: Verdict, why: str, profile: Profile
) -> tuple[bool, str]:
    """Whether the event was taken, and by which rule, or why not."""
    if ignored is not None:
        return False, ignored
    source, holder = event.source, verdict.reading
    if source is None or source is Source.PROCESS or holder is None or source is holder.source:
        return True, f"{verdict.why}; {why}"
    return False, why_not(source, verdict, profile)


def _wake_at(pane: Pane, verdict: Verdict) -> float | None:
    """When time alone changes something next."""
    times = [verdict.until, verdict.hold_until, stalls_at(pane, verdict.reading)]
    times.append(pane.pending_ask.rings_at if pane.pending_ask else None)
    if verdict.reading is not None and not verdict.confirmed:
        times.append(verdict.reading.heard_at + LOST_S)
    if pane.lost_at is not None and pane.record.status is Status.IDLE:
        times.append(pane.lost_at + LOST_S)
    return min((time for time in times if time is not None and time > pane.now), default=None)


def _effects(before: Pane, after: Pane, event: Event, step: _Step) -> list[Outcome]:
    pane = after.record.pane
    effects: list[Outcome] = []
    changed = after.record != before.record
    if after.record.status is not before.record.status:
        effects.append(StatusChanged(before=before.record, after=after.record))
    elif changed:
        effects.append(Changed(after=after.record))
    if before.record.unread and not after.record.unread:
        effects.append(ClearUnread(pane=pane))
    if step.rings is not None:
        effects.append(Ring(pane=pane, why=step.rings))
    heartbeat = isinstance(event, ReporterHeard | TimePassed)
    if changed or (step.taken and not heartbeat):
        effects.append(Persist(pane=pane))
    if step.wake_at is not None and (step.wake_at != before.wake_at or isinstance(event, TimePassed)):
        effects.append(WakeAt(pane=pane, at=step.wake_at))
    if changed or not (heartbeat or step.repeated):
        effects.append(_observation(after, event, step))
    return effects


def _observation(pane: Pane, event: Event, step: _Step) -> Observation:
    return Observation(
        at=event.at,
        source=source_of(event),
        what=what(event),
        taken=step.taken,
        why=step.why,
        status=pane.record.status,
    )
