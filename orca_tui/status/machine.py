"""The status of one pane: `advance(pane, event, profiles) -> (pane, effects)`. Pure; knows no agent by name.

Rule 1: after the exit of its process a pane's status never changes again.
Rule 2: while a pane cannot be seen (a broken link), its status stays as it was, unconfirmed.
Rule 3: the source that the arbiter chooses decides. When none says anything any more, working and waiting become
        unknown at once, for they were claims; idle after `LOST_S`. A source that speaks and cannot tell makes
        all three unknown. How a turn ended stays true.
Rule 4: a status that rests on silence is unconfirmed. After `LOST_S` of it working, waiting and idle become
        unknown; how a turn ended stays true.
Rule 5: work of the agent itself starts a turn. It ends when the source that holds comes to rest. What runs
        beside its turns (a child that outlives its root, a session of unknown lineage) makes the pane working or
        waiting; after it, the pane rests as before, news included.
Rule 6: done and error are shown only for an end that is news: one that the source had not told of when it last
        held. An end that a weaker source tells of than the one that the turn ran by is quiet, and so is rest
        without an end: idle.
Rule 7: what a source says first is no news in a pane that we found running; nor is what a source saw end while
        another one held.
Rule 8: an end may be corrected later to a lesser one (interrupted, error), never to done.
Rule 9: `since` moves only when the status changes, and never back. `turns` counts ends that were told of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from msgspec.structs import replace as with_fields

from orca_tui.status import news
from orca_tui.status.arbiter import RANKS, Verdict, judge, why_not
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
from orca_tui.status.events import Event, ProcessExited, ReporterHeard, Seen, TimePassed, Watched
from orca_tui.status.observing import observe
from orca_tui.status.pane import Aside, Pane, Profiles, interrupted, matured, profile_of, readings
from orca_tui.status.profile import Profile
from orca_tui.status.reading import Reading
from orca_tui.status.record import Evidence, Source, Status, StatusRecord

LOST_S = 30.0
"""Since the last sign of life. Long enough for a restart of the server or a stalled machine, and short enough
that nobody waits for an agent that is stuck."""

TELLING = frozenset({Source.PLUGIN, Source.SESSION_FILE, Source.HOOK})
"""Sources that know of sessions, prompts and messages."""
REST = frozenset({Status.IDLE, Status.DONE, Status.ERROR})
CLAIMS = frozenset({Status.WORKING, Status.WAITING})


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
    before = pane
    now = max(pane.now, event.at)
    step = _stepped(replace(pane, now=now), event, profiles)
    after = step.pane
    record = with_fields(after.record, unread=news.is_unread(after, after.record.status))
    if record.status is before.record.status:
        record = with_fields(record, since=before.record.since)  # Rule 9.
    return _with_effects(before, replace(after, record=record), event, step)


def _stepped(pane: Pane, event: Event, profiles: Profiles) -> _Step:
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
            return _judged(pane, event, profiles)


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


def _judged(pane: Pane, event: Event, profiles: Profiles) -> _Step:
    observed = observe(pane, event, profiles)
    if observed.repeated:  # Spinners in titles turn ten times a second.
        return _Step(pane=pane, taken=False, repeated=True, wake_at=pane.wake_at)
    pane = matured(observed.pane)
    if not pane.reachable:
        record = with_fields(pane.record, confirmed=False)
        return _Step(pane=replace(pane, record=record), why="status rule 2: the pane cannot be seen")
    profile, found = profile_of(pane, profiles), readings(pane, profiles)
    verdict = judge(found, profile, pane.now)
    if verdict.interrupted_at is not None and verdict.reading is not None:
        pane = interrupted(pane, verdict.reading.source, verdict.interrupted_at)
        found = readings(pane, profiles)
        verdict = judge(found, profile, pane.now)
    step = _settle(pane, verdict)
    settled = _absorb(step.pane, found, verdict.reading)
    taken, why = _fate(event, observed.ignored, verdict, step.why, profile)
    return replace(
        step,
        pane=settled,
        taken=taken,
        why=why,
        wake_at=_wake_at(settled, verdict),
    )


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


def _settle(pane: Pane, verdict: Verdict) -> _Step:
    reading = verdict.reading
    if reading is None or reading.status is Status.UNKNOWN:
        return _without_word(pane, verdict)
    pane = replace(pane, lost_at=None)
    lost = not verdict.confirmed and pane.now >= reading.heard_at + LOST_S
    if lost and reading.status not in (Status.DONE, Status.ERROR):
        return _Step(
            pane=_shown(pane, Status.UNKNOWN, reading, confirmed=False), why="status rule 4: silent too long"
        )
    pane = _stepped_aside(pane, reading)
    if reading.status is Status.WORKING:
        return _Step(pane=_working(pane, reading, verdict.confirmed), why="status rule 5: a turn runs")
    if reading.status is Status.WAITING:
        shown = _shown(pane, Status.WAITING, reading, confirmed=verdict.confirmed)
        if not verdict.confirmed:
            return _Step(pane=shown, why="status rule 4: it waited when it was last heard")
        asking, rings = news.asked(shown, reading)
        return _Step(pane=asking, rings=rings, why="it waits for the user")
    return _rested(pane, reading, verdict.confirmed)


def _without_word(pane: Pane, verdict: Verdict) -> _Step:
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
        pane = _shown(pane, Status.UNKNOWN, reading, confirmed=confirmed)
    else:
        pane = replace(pane, record=with_fields(pane.record, confirmed=confirmed))
    return _Step(pane=pane, why="status rule 3: no source can tell")


def _stepped_aside(pane: Pane, reading: Reading) -> Pane:
    """The pane that remembers how it rests, when something begins to run beside its turns (rule 5)."""
    begins = reading.status in CLAIMS and not reading.is_turn and pane.turn_source is None
    if begins and pane.record.status in REST:
        return replace(pane, aside=Aside(status=pane.record.status, unseen=pane.unseen))
    return pane


def _working(pane: Pane, reading: Reading, confirmed: bool) -> Pane:
    if not reading.is_turn and pane.turn_source is None:
        return _shown(pane, Status.WORKING, reading, confirmed=confirmed)
    starts = pane.turn_source is None
    strongest = _stronger(pane.turn_source or reading.source, reading.source)
    pane = replace(pane, turn_source=strongest, aside=None)
    pane = _shown(pane, Status.WORKING, reading, confirmed=confirmed)
    if not starts:
        return pane
    record = with_fields(pane.record, turn_started_at=min(reading.at, pane.now), interrupted=False)
    if reading.source not in TELLING:
        record = with_fields(record, prompt=None, last_message=None)
    return replace(pane, record=record)


def _rested(pane: Pane, reading: Reading, confirmed: bool) -> _Step:
    """Rules 6 to 8."""
    source, runs = reading.source, pane.turn_source
    fresh_ends = reading.ends - pane.settled.get(source, 0)
    weaker = runs is not None and _stronger(runs, source) is not source
    first_word = pane.adopted and source not in pane.settled
    if fresh_ends > 0 and not weaker and not first_word:
        return _ended(pane, reading, fresh_ends, confirmed)
    if runs is None and pane.record.status not in REST and pane.aside is not None:
        return _Step(
            pane=_back(pane, pane.aside, reading, confirmed), why="status rule 5: it rests as before"
        )
    if runs is not None or pane.record.status not in REST:
        quiet = _shown(replace(pane, turn_source=None), Status.IDLE, reading, confirmed=confirmed)
        quiet = replace(quiet, record=with_fields(quiet.record, turn_started_at=None))
        return _Step(pane=quiet, why="status rule 6: rest without an end that is news")
    lesser = {Status.DONE: (Status.ERROR, Status.IDLE), Status.ERROR: (Status.IDLE,)}
    if pane.end_source is source and reading.status in lesser.get(pane.record.status, ()):
        corrected = _shown(pane, reading.status, reading, confirmed=confirmed)
        record = with_fields(corrected.record, interrupted=reading.interrupted)
        return _Step(pane=replace(corrected, record=record), why="status rule 8: the end was another")
    return _Step(pane=_still(pane, reading, confirmed), why="it rests as before")


def _back(pane: Pane, aside: Aside, reading: Reading, confirmed: bool) -> Pane:
    """The pane as it rested before; an end that is not the last one any more is idle."""
    same = aside.status is reading.status
    pane = _shown(
        replace(pane, aside=None), aside.status if same else Status.IDLE, reading, confirmed=confirmed
    )
    return replace(pane, unseen=aside.unseen if same else None)


def _ended(pane: Pane, reading: Reading, ends: int, confirmed: bool) -> _Step:
    pane = replace(pane, turn_source=None, aside=None, end_source=reading.source)
    pane = _shown(pane, reading.status, reading, confirmed=confirmed)
    record = with_fields(
        pane.record, turns=pane.record.turns + ends, interrupted=reading.interrupted, turn_started_at=None
    )
    pane = replace(pane, record=record)
    if reading.status is Status.IDLE:
        return _Step(pane=pane, why="status rule 6: the user ended the turn")
    pane, rings = news.turn_ended(pane, reading.status, reading.source)
    return _Step(pane=pane, rings=rings, why="status rule 6: the turn ended")


def _shown(pane: Pane, status: Status, reading: Reading | None, *, confirmed: bool) -> Pane:
    """The pane with a status, and the facts of the reading that it rests on."""
    before = pane.record
    since = before.since
    if status is not before.status:
        at = pane.now if reading is None or status is Status.UNKNOWN else reading.at
        since = at if before.since <= at <= pane.now else pane.now
    record = with_fields(
        before, status=status, since=since, kind=None, message=None, resets_at=None, confirmed=confirmed
    )
    if reading is not None and status is reading.status:
        record = with_fields(record, kind=reading.kind, message=reading.message, resets_at=reading.resets_at)
    if reading is not None:
        record = _facts(pane, record, reading)
    return news.settled(replace(pane, record=record), status)


def _still(pane: Pane, reading: Reading, confirmed: bool) -> Pane:
    """The pane at rest as it was."""
    record = with_fields(_facts(pane, pane.record, reading), confirmed=confirmed)
    return replace(pane, record=record)


def _facts(pane: Pane, record: StatusRecord, reading: Reading) -> StatusRecord:
    """What a reading tells beside the status. Only some sources know of prompts and sessions."""
    record = with_fields(
        record,
        tool=reading.tool,
        progress=pane.progress if reading.progress is None else reading.progress,
        subagents=reading.subagents,
        evidence=Evidence(source=reading.source, at=reading.at, detail=reading.detail),
    )
    if reading.source not in TELLING:
        return record
    return with_fields(
        record,
        session_id=reading.session_id or record.session_id,
        prompt=reading.prompt,
        last_message=reading.last_message,
    )


def _stronger(one: Source, other: Source) -> Source:
    return min(one, other, key=RANKS.index)


def _absorb(pane: Pane, found: Sequence[Reading], holder: Reading | None) -> Pane:
    """Rule 7, and: the ends of the source that holds stay news until it rests."""
    settled = dict(pane.settled)
    for reading in found:
        holds = holder is not None and reading.source is holder.source
        first_word = pane.adopted and reading.source not in settled
        if first_word or (reading.status in REST if holds else reading.fresh):
            settled[reading.source] = reading.ends
    return pane if settled == pane.settled else replace(pane, settled=settled)


def _wake_at(pane: Pane, verdict: Verdict) -> float | None:
    """When time alone changes something next."""
    times = [verdict.until, pane.pending_ask.rings_at if pane.pending_ask else None]
    if verdict.reading is not None and not verdict.confirmed:
        times.append(verdict.reading.heard_at + LOST_S)
    if pane.lost_at is not None and pane.record.status is Status.IDLE:
        times.append(pane.lost_at + LOST_S)
    return min((time for time in times if time is not None and time > pane.now), default=None)


def _with_effects(before: Pane, after: Pane, event: Event, step: _Step) -> tuple[Pane, list[Outcome]]:
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
    return replace(after, wake_at=step.wake_at), effects


def _observation(pane: Pane, event: Event, step: _Step) -> Observation:
    return Observation(
        at=event.at,
        source=source_of(event),
        what=what(event),
        taken=step.taken,
        why=step.why,
        status=pane.record.status,
    )
