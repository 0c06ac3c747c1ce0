"""All that is known of one pane's status, as one immutable value. No verdicts: those are `machine.py`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from orca_tui.status import levels, lifecycle, programs, reporters
from orca_tui.status.levels import Level
from orca_tui.status.lifecycle import Lifecycle
from orca_tui.status.profile import NO_PROFILE, Profile
from orca_tui.status.programs import Programs
from orca_tui.status.reading import CLAIMS, Reading
from orca_tui.status.record import Source, Status, StatusRecord
from orca_tui.status.reporters import Reporters

Profiles = Mapping[str, Profile]

TITLE_DOUBT_S = 0.8  # Codex spins its title for up to 1 s before its first report, and works at nothing.


@dataclass(frozen=True, kw_only=True, slots=True)
class PendingAsk:
    """An ask that rings if it is still open then."""

    id: str
    rings_at: float


@dataclass(frozen=True, kw_only=True, slots=True)
class RungAsk:
    """The last ask that rang, or was seen before it could."""

    source: Source
    at: float
    """Of the source's word."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Aside:
    """How the pane rested before something began to run beside the agent's turns."""

    status: Status
    unseen: Status | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Pane:
    """The state of the machine: evidence by source, and what was made of it."""

    record: StatusRecord
    now: float
    child_is_agent: bool = False
    adopted: bool = False
    """Its programs ran before we did: what they say first is no news."""

    reporters: Reporters = field(default_factory=Reporters)
    programs: Programs = field(default_factory=Programs)
    levels: Mapping[Source, Level] = field(default_factory=dict)
    lifecycles: Mapping[Source, Lifecycle] = field(default_factory=dict)
    shell: Reading | None = None
    """What is known of the shell while no agent is in the pane."""
    progress: int | None = None
    """Percent by OSC 9;4."""
    interrupt_at: float | None = None
    boundary_at: float | None = None
    """When another session was shown, as long as no turn has begun in it."""
    session: str | None = None
    """The session that is shown, by the last source that named one."""
    agent_at: float = 0.0
    """When the agent came."""
    heard: Mapping[Source, float] = field(default_factory=dict)
    """When each source last spoke since the agent came, be it the same as before."""
    reachable: bool = True

    turn_source: Source | None = None
    """The strongest source that said that the running turn runs; None when none runs."""
    over_by: Source | None = None
    """The source that told of the last end of a turn, or of rest instead of one."""
    over_at: float = float("-inf")
    aside: Aside | None = None
    end_source: Source | None = None
    """Who told of the end that is shown, or was last."""
    settled: Mapping[Source, int] = field(default_factory=dict)
    """Per source, how many of the ends that it has seen are no news any more."""
    lost_at: float | None = None
    """Since when no source says anything."""

    watched: bool = False
    unseen: Status | None = None
    """The status whose news nobody has seen yet."""
    rung: tuple[str, ...] = ()
    """Asks that have rung, or need not ring."""
    last_ask: RungAsk | None = None
    pending_ask: PendingAsk | None = None
    rang_at: tuple[float, ...] = ()
    """When sources rang lately that may ring only so often."""
    wake_at: float | None = None

    resume_agent: str | None = None
    """With `resume_session`: what was here last, and can be resumed."""
    resume_session: str | None = None


def profile_of(pane: Pane, profiles: Profiles) -> Profile:
    """What is known of the pane's agent beforehand."""
    return profiles.get(pane.record.agent or "", NO_PROFILE)


def readings(pane: Pane, profiles: Profiles) -> list[Reading]:
    """What every source says now. One that has told of a session, and of no turn in it, has no say where another
    has seen one.
    """
    agent = pane.record.agent
    profile = profile_of(pane, profiles)
    unproven = profile.first_rest_proves_nothing
    found: list[Reading | None] = [programs.read(pane.programs, pane.now)]
    for level in pane.levels.values():
        reading = levels.read(level, first_rest_proves_nothing=unproven and level.source is Source.TITLE)
        found.append(_believed(pane, reading) if reading and profile.emits_program_status else reading)
    told = pane.lifecycles.values()
    found += [lifecycle.read(one) for one in told if lifecycle.tells_of_turns(one)]
    found.append(pane.shell if agent is None else reporters.read(pane.reporters, agent, pane.now))
    said = [reading for reading in found if reading is not None]
    turns = pane.turn_source is not None or pane.end_source is not None
    if turns or any(reading.status in CLAIMS or reading.ends > 0 or reading.ended for reading in said):
        return said
    return [*said, *(lifecycle.read(one) for one in told if not lifecycle.tells_of_turns(one))]


def _believed(pane: Pane, reading: Reading) -> Reading:
    """What a level says of an agent that speaks OSC 7501, as far as that may be believed."""
    if pane.programs.left and reading.status in CLAIMS:
        return replace(reading, status=Status.UNKNOWN)  # Rule 8 of `programs.py`.
    return _doubted(pane, reading)


def _doubted(pane: Pane, reading: Reading) -> Reading:
    """A title that spins before anything else was said: an agent that speaks OSC 7501 will tell what it does."""
    first = pane.turn_source is None and pane.end_source is None and Source.PROGRAM_STATUS not in pane.heard
    certain_at = reading.at + TITLE_DOUBT_S
    if reading.source is not Source.TITLE or reading.status is not Status.WORKING or not first:
        return reading
    return reading if pane.now >= certain_at else replace(reading, status=Status.UNKNOWN, until=certain_at)


def matured(pane: Pane) -> Pane:
    """The pane with everything in it that time alone changes."""
    return replace(
        pane, levels={source: levels.matured(level, pane.now) for source, level in pane.levels.items()}
    )


def with_agent(pane: Pane, agent: str, session_id: str | None = None) -> Pane:
    """The pane in the hands of an agent of which nothing is known yet, but for what its plugin said before."""
    record = StatusRecord(
        pane=pane.record.pane,
        agent=agent,
        session_id=session_id,
        since=pane.now,
        turns=pane.record.turns,
    )
    return without_evidence(replace(pane, record=record, shell=None, agent_at=pane.now))


def without_evidence(pane: Pane) -> Pane:
    """The pane without anything that a source said of the agent that was in it."""
    reported = pane.settled.get(Source.PLUGIN)
    settled = {} if reported is None else {Source.PLUGIN: reported}
    return replace(
        pane,
        programs=Programs(),
        levels={},
        lifecycles={},
        progress=None,
        interrupt_at=None,
        boundary_at=None,
        session=None,
        heard={},
        turn_source=None,
        over_by=None,
        over_at=float("-inf"),
        aside=None,
        end_source=None,
        settled=settled,
        lost_at=None,
        pending_ask=None,
    )
