"""What each event changes in what is known of a pane. No verdicts: those are `machine.py`.

Rule 1: a pane that was opened with an agent is that agent's until its process exits.
Rule 2: in a shell, the first agent that is recognised or reports takes the pane. Another kind can only take it
        when the process table says so, or when nothing of the first one is fresh any more; until then it is
        nested, and what it says is kept but not consulted.
Rule 3: when the agent has left, what it claimed (working, waiting) is dropped; how its last turn ended and
        what it can be resumed by are kept.
Rule 4: another session than the one that was shown is a boundary, unless any program could have said so. A turn
        that begins in it ends the boundary. The first session that is heard of only gets its name.
Rule 5: output is a sign of life and says nothing else.
Rule 6: a title that spins for a moment, of which an agent that tells of its turns by OSC 7501 says nothing there, is
        drawn for another session: no turn, and none has ended in it. So Codex draws `/new`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from msgspec.structs import replace as with_fields

from orca_tui.status import levels, lifecycle, programs, reporters
from orca_tui.status.arbiter import UNTRUSTED
from orca_tui.status.events import (
    AgentGone,
    AgentRecognised,
    Asked,
    ChildEnded,
    ChildStarted,
    Event,
    EvidenceLost,
    EvidenceRegained,
    InterruptPressed,
    LifecycleEvent,
    Mark,
    ProcessExited,
    ProgramReported,
    ProgressShown,
    PromptMarked,
    ReporterDied,
    ReporterHeard,
    Resolved,
    Says,
    Seen,
    SessionChanged,
    StateSaid,
    TablePosted,
    TimePassed,
    ToolUsed,
    TurnEnded,
    TurnStarted,
    Watched,
)
from orca_tui.status.levels import Level
from orca_tui.status.lifecycle import Lifecycle
from orca_tui.status.pane import Pane, Profiles, profile_of, readings, with_agent, without_evidence
from orca_tui.status.programs import Programs
from orca_tui.status.reading import Reading
from orca_tui.status.record import Source, Status

HEARD_EVERY_S = 0.1
"""How exactly it is kept when a source said the same again: spinners turn faster, and nothing needs more."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Observed:
    """A pane after an event, and why the event changed nothing, if it did not."""

    pane: Pane
    ignored: str | None = None
    repeated: bool = False
    """It was said before, so nothing follows from it."""


def observe(pane: Pane, event: Event, profiles: Profiles) -> Observed:
    """Fold an event into the evidence."""
    observed = _observed(pane, event, profiles)
    if (
        observed.ignored is not None
        or event.source in (None, Source.PROCESS)
        or isinstance(event, PromptMarked)
    ):
        return observed
    heard_at = observed.pane.heard.get(event.source)
    if observed.repeated and heard_at is not None and event.at < heard_at + HEARD_EVERY_S:
        return observed
    return replace(observed, pane=_heard(observed.pane, event.source, event.at))


def _heard(pane: Pane, source: Source, at: float) -> Pane:
    heard = {**pane.heard, source: max(at, pane.heard.get(source, at))}
    return replace(pane, heard=heard)


def _observed(pane: Pane, event: Event, profiles: Profiles) -> Observed:
    match event:
        case TablePosted() | ReporterHeard() | ReporterDied():
            return _reporter(pane, event, profiles)
        case (
            TurnStarted()
            | TurnEnded()
            | ToolUsed()
            | ChildStarted()
            | ChildEnded()
            | Asked()
            | Resolved()
            | SessionChanged()
        ):
            return _lifecycle(pane, event, profiles)
        case ProgramReported(agent=agent):
            owner = _taken(pane, agent, profiles) if agent else pane
            if owner is None:
                return _nested(pane, agent)
            reported = programs.reported(owner.programs, event, owner.interrupt_at)
            return Observed(pane=replace(owner, programs=reported))
        case StateSaid():
            return _level(pane, event, profiles)
        case ProgressShown(percent=percent):
            return _progress(pane, percent)
        case PromptMarked():
            return _marked(pane, event)
        case InterruptPressed(at=at):
            return Observed(pane=replace(pane, interrupt_at=at))
        case AgentRecognised():
            return _recognised(pane, event)
        case AgentGone():
            return _gone(pane, event)
        case ProcessExited() | Seen() | TimePassed():
            return Observed(pane=pane)
        case EvidenceLost():
            return Observed(pane=replace(pane, reachable=False))
        case EvidenceRegained(at=at):
            waiting = reporters.restarted(pane.reporters, at)
            return Observed(pane=replace(pane, reachable=True, reporters=waiting))
        case Watched(watched=watched):
            return Observed(pane=replace(pane, watched=watched))
        case _:
            assert_never(event)


def _taken(pane: Pane, agent: str, profiles: Profiles) -> Pane | None:
    """The pane in the hands of that agent; None when it is another's (rules 1 and 2)."""
    if pane.record.agent == agent:
        return pane
    if pane.record.agent is None:
        return with_agent(pane, agent)
    fresh = any(
        reading.fresh and reading.status is not Status.UNKNOWN for reading in readings(pane, profiles)
    )
    return None if pane.child_is_agent or fresh else with_agent(pane, agent)


def _nested(pane: Pane, agent: str | None) -> Observed:
    return Observed(pane=pane, ignored=f"{agent} runs inside {pane.record.agent}, which this pane belongs to")


def _unless_repeated(pane: Pane, changed: Pane) -> Observed:
    return Observed(pane=pane, repeated=True) if changed == pane else Observed(pane=changed)


def _reporter(pane: Pane, event: TablePosted | ReporterHeard | ReporterDied, profiles: Profiles) -> Observed:
    match event:
        case ReporterHeard(at=at, process=process, polling=polling):
            early = None if pane.reporters.knows(process) else "this process has posted no table yet"
            heard = reporters.heard(pane.reporters, process, at, polling=polling)
            return Observed(pane=replace(pane, reporters=heard), ignored=early)
        case ReporterDied(process=process):
            return Observed(pane=replace(pane, reporters=reporters.died(pane.reporters, process)))
        case TablePosted(agent=agent):
            posted = reporters.posted(pane.reporters, event)
            if posted.order == pane.reporters.order:
                return Observed(
                    pane=replace(pane, reporters=posted), ignored="a newer table of this factory came before"
                )
            owner = _taken(pane, agent, profiles)
            if owner is None:
                return replace(_nested(pane, agent), pane=replace(pane, reporters=posted))
            return Observed(pane=replace(owner, reporters=posted))
        case _:
            assert_never(event)


def _lifecycle(pane: Pane, event: LifecycleEvent, profiles: Profiles) -> Observed:
    owner = _taken(pane, event.agent, profiles) if event.agent else pane
    if owner is None:
        return _nested(pane, event.agent)
    known = owner.lifecycles.get(event.source) or Lifecycle(source=event.source)
    told = lifecycle.told(known, event)
    if told is known:
        return Observed(pane=owner, ignored="it is of a turn that has ended, or known already")
    owner = replace(owner, lifecycles={**owner.lifecycles, event.source: told})
    owner = replace(owner, programs=_hooked(owner, event, profiles))
    if known.turn_open and not told.turn_open:
        owner = replace(owner, programs=programs.unprompted(owner.programs))
    if isinstance(event, TurnStarted):
        owner = replace(owner, programs=programs.prompted(owner.programs))
        return Observed(pane=_in_session(owner, event))
    if isinstance(event, SessionChanged):
        return Observed(pane=_session_changed(owner, event, lifecycle.crosses(known, event)))
    return Observed(pane=owner)


def _hooked(pane: Pane, event: LifecycleEvent, profiles: Profiles) -> Programs:
    """The records, and that hooks tell of the agent's prompts."""
    tells = event.source is Source.HOOK and Source.HOOK in profile_of(pane, profiles).expects
    return programs.hooked(pane.programs) if tells else pane.programs


def _in_session(pane: Pane, event: TurnStarted) -> Pane:
    """Rule 4."""
    over = pane.boundary_at is not None and event.at >= pane.boundary_at
    return replace(
        pane,
        boundary_at=None if over else pane.boundary_at,
        session=event.session_id or pane.session,
    )


def _session_changed(pane: Pane, event: SessionChanged, crosses: bool) -> Pane:
    """Rule 4. What another source has named already is no other session."""
    if pane.session is not None:
        crosses = event.session_id != pane.session
    bounded = crosses and event.source not in UNTRUSTED
    return replace(pane, boundary_at=event.at if bounded else pane.boundary_at, session=event.session_id)


def _level(pane: Pane, event: StateSaid, profiles: Profiles) -> Observed:
    if pane.record.agent is None:
        return Observed(pane=pane, ignored="no agent is in this pane")
    if event.source is Source.OUTPUT:
        return Observed(pane=pane, repeated=Source.OUTPUT in pane.heard)  # Rule 5.
    known = pane.levels.get(event.source)
    if _is_over(pane, event):
        return Observed(pane=pane, ignored="it is of a turn that has ended")
    if known is not None and _flickers(pane, known, event, profiles):
        known = levels.never_begun(known)
        pane = replace(pane, programs=programs.begun_anew(pane.programs))
    said = levels.said(known, event, pane.interrupt_at)
    if said is known:
        return Observed(pane=pane, repeated=True)
    return Observed(pane=replace(pane, levels=levels.confirmed({**pane.levels, event.source: said})))


def _flickers(pane: Pane, known: Level, event: StateSaid, profiles: Profiles) -> bool:
    """Rule 6."""
    told = event.source is Source.TITLE and profile_of(pane, profiles).emits_program_status
    spun = known.says is Says.WORKING and event.says is Says.IDLE
    return told and spun and programs.flickered(pane.programs, known.at, event.at)


def _is_over(pane: Pane, event: StateSaid) -> bool:
    """It was said before another source told of the end, and is heard after that: logs are read late."""
    claims = event.says in (Says.WORKING, Says.WAITING)
    return claims and pane.over_by is not event.source and event.at < pane.over_at


def _progress(pane: Pane, percent: int | None) -> Observed:
    record = with_fields(pane.record, progress=percent)
    return _unless_repeated(pane, replace(pane, progress=percent, record=record))


def _marked(pane: Pane, event: PromptMarked) -> Observed:
    if pane.child_is_agent:
        return Observed(pane=pane, ignored="this pane has no shell")
    if event.mark in (Mark.PROMPT, Mark.INPUT):
        shown = programs.prompt_shown(pane.programs, event.at)
        shell = _shell(Source.OUTPUT, Status.IDLE, event.at, "the shell shows its prompt")
        return Observed(pane=replace(pane, programs=shown, shell=shell))
    if event.mark is Mark.COMMAND:
        shell = _shell(Source.OUTPUT, Status.UNKNOWN, event.at, "the shell runs a command")
        return Observed(pane=replace(pane, shell=shell))
    return Observed(pane=pane, ignored="that a command has ended says nothing of an agent")


def _shell(source: Source, status: Status, at: float, detail: str) -> Reading:
    return Reading(source=source, status=status, at=at, detail=detail)


def _recognised(pane: Pane, event: AgentRecognised) -> Observed:
    if pane.record.agent == event.agent:
        changed = replace(pane, record=with_fields(pane.record, session_id=event.session_id))
        return _unless_repeated(pane, changed if event.session_id else pane)
    if pane.child_is_agent:
        return _nested(pane, event.agent)
    return Observed(pane=with_agent(pane, event.agent, event.session_id))


def _gone(pane: Pane, event: AgentGone) -> Observed:
    agent = pane.record.agent
    if pane.child_is_agent:
        return Observed(pane=pane, ignored="the pane's process is the agent: only its exit means gone")
    if agent is None:
        return Observed(pane=pane, ignored="no agent was here")
    record = with_fields(pane.record, agent=None, session_id=None, tool=None, progress=None, subagents=0)
    gone = replace(
        without_evidence(pane),
        record=record,
        reporters=reporters.released(pane.reporters, agent),
        shell=_shell(Source.PROCESS, Status.IDLE, event.at, "the agent has left, the shell is back"),
        resume_agent=agent,
        resume_session=pane.record.session_id,
    )
    heir = reporters.living_agent(gone.reporters, gone.now)
    return Observed(pane=with_agent(gone, heir) if heir else gone)
