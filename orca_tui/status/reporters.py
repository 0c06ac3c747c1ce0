"""The processes that report for one pane by a status plugin, and what they say together. Pure.

Rule 1: a process is fresh while it polls, and for `SILENCE_S` after it was last heard.
Rule 2: while any process of the pane's agent is fresh, or has just been given time to be heard again, the
        silent ones are not consulted.
Rule 3: the first permission that is asked is shown; else the latest question; else a busy session, the latest
        root before the latest other; else the last end of a root.
Rule 4: what a child asks or does is shown under its root.
Rule 5: a session of unknown lineage may make the pane busy or waiting, and its end only takes that back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from orca_tui.status.events import TablePosted
from orca_tui.status.reading import Reading, status_of_end
from orca_tui.status.record import Kind, Source, Status
from orca_tui.status.session_table import UNKNOWN_PARENT, ProcessKey
from orca_tui.status.sessions import OpenAsk, Session, Sessions, release, root_of, take
from orca_tui.status.turns import End, Ending

SILENCE_S = 10.0
"""A reporter polls again at once and posts every change: after that long something is wrong with it."""
MAX_PROCESSES = 8  # Of one pane; the ones heard longest ago are forgotten.


@dataclass(frozen=True, kw_only=True, slots=True)
class Reporter:
    """One process."""

    process: ProcessKey
    agent: str
    heard_at: float
    polling: bool = False
    awaited: bool = False
    """It has not been heard since the server started, or could see the pane again."""
    released: bool = False
    """Its agent has left the pane; it is not consulted until it speaks again."""
    sessions: Sessions = field(default_factory=Sessions)
    changed_at: float = 0.0
    """When it last said something new."""

    def fresh_until(self) -> float:
        """Infinite while a poll is open."""
        if self.awaited:
            return float("-inf")
        return float("inf") if self.polling else self.heard_at + SILENCE_S

    def in_time(self, now: float) -> bool:
        """It is fresh, or may still become so after a restart."""
        return now < max(self.fresh_until(), self.heard_at + SILENCE_S)


@dataclass(frozen=True, kw_only=True, slots=True)
class Reporters:
    """All processes of a pane, by the text of their key, in the order in which they were first heard."""

    by_process: Mapping[str, Reporter] = field(default_factory=dict)
    ends: Mapping[str, int] = field(default_factory=dict)
    """Ended turns by agent, those of forgotten processes included."""
    early_polls: frozenset[str] = frozenset()
    """Processes whose poll is open and whose first table has not come yet: the poll may overtake it."""
    order: int = 0

    def knows(self, process: ProcessKey) -> bool:
        """A table of that process was taken."""
        return str(process) in self.by_process


def posted(reporters: Reporters, event: TablePosted) -> Reporters:
    """Fold a table in; it is also a sign of life."""
    key, agent = str(event.table.process), event.agent
    known = reporters.by_process.get(key) or Reporter(
        process=event.table.process,
        agent=agent,
        heard_at=event.at,
        changed_at=event.at,
        polling=key in reporters.early_polls,
    )
    reporters = replace(reporters, early_polls=reporters.early_polls - {key})
    order = reporters.order + 1
    sessions = take(known.sessions, event.table, order)
    if sessions is known.sessions:
        return _with(reporters, replace(known, heard_at=max(known.heard_at, event.at), awaited=False))
    new_ends = sessions.ends - known.sessions.ends
    reporter = replace(
        known,
        sessions=sessions,
        heard_at=max(known.heard_at, event.at),
        changed_at=event.at,
        awaited=False,
        released=False,
    )
    ends = {**reporters.ends, agent: reporters.ends.get(agent, 0) + new_ends}
    return _with(replace(reporters, ends=ends, order=order), reporter)


def heard(reporters: Reporters, process: ProcessKey, at: float, *, polling: bool) -> Reporters:
    """A poll was opened or has ended; of a process without a table that is kept until its table comes."""
    known = reporters.by_process.get(str(process))
    if known is None:
        return replace(reporters, early_polls=_early(reporters.early_polls, str(process), polling))
    return _with(reporters, replace(known, heard_at=max(known.heard_at, at), polling=polling, awaited=False))


def _early(polls: frozenset[str], key: str, polling: bool) -> frozenset[str]:
    if not polling:
        return polls - {key}
    return polls | {key} if len(polls) < MAX_PROCESSES else polls


def died(reporters: Reporters, process: ProcessKey) -> Reporters:
    """Nothing that a dead process said holds any more."""
    kept = {key: reporter for key, reporter in reporters.by_process.items() if key != str(process)}
    return replace(reporters, by_process=kept, early_polls=reporters.early_polls - {str(process)})


def released(reporters: Reporters, agent: str) -> Reporters:
    """The agent has left the pane."""
    return replace(
        reporters,
        by_process={
            key: replace(reporter, sessions=release(reporter.sessions), released=True)
            if reporter.agent == agent
            else reporter
            for key, reporter in reporters.by_process.items()
        },
    )


def restarted(reporters: Reporters, at: float) -> Reporters:
    """Nothing could be heard until now: every process gets its time to be heard again."""
    waiting = {
        key: replace(reporter, heard_at=at, polling=False, awaited=True)
        for key, reporter in reporters.by_process.items()
    }
    return replace(reporters, by_process=waiting)


def living_agent(reporters: Reporters, now: float) -> str | None:
    """The agent of the process that was heard last, if it is fresh and its plugin is loaded."""
    living = [
        reporter
        for reporter in reporters.by_process.values()
        if not reporter.released and reporter.sessions.factories and now < reporter.fresh_until()
    ]
    return max(living, key=lambda reporter: reporter.heard_at).agent if living else None


def read(reporters: Reporters, agent: str, now: float) -> Reading | None:
    """What the processes of that agent say together."""
    consulted = [
        reporter
        for reporter in reporters.by_process.values()
        if reporter.agent == agent and not reporter.released
    ]
    fresh = [reporter for reporter in consulted if now < reporter.fresh_until()]
    in_time = [reporter for reporter in consulted if reporter.in_time(now)]
    consulted = in_time or consulted  # Rule 2.
    if not consulted:
        return None
    expiries = [max(reporter.fresh_until(), reporter.heard_at + SILENCE_S) for reporter in in_time]
    return replace(
        _shown(consulted),
        fresh=bool(in_time),
        awaited=not fresh,
        at=max(reporter.changed_at for reporter in consulted),
        heard_at=max(reporter.heard_at for reporter in consulted),
        is_turn=any(_root_is_busy(reporter.sessions) for reporter in consulted),
        ends=reporters.ends.get(agent, 0),
        subagents=sum(_busy_children(reporter.sessions) for reporter in consulted),
        until=min((time for time in expiries if time < float("inf")), default=None),
    )


def _with(reporters: Reporters, reporter: Reporter) -> Reporters:
    by_process = {**reporters.by_process, str(reporter.process): reporter}
    if len(by_process) > MAX_PROCESSES:
        del by_process[min(by_process, key=lambda key: by_process[key].heard_at)]
    return replace(reporters, by_process=by_process)


def _root_is_busy(sessions: Sessions) -> bool:
    return any(session.busy and session.parent is None for session in sessions.by_id.values())


def _busy_children(sessions: Sessions) -> int:
    return sum(
        session.busy and session.parent not in (None, UNKNOWN_PARENT) for session in sessions.by_id.values()
    )


def _shown(reporters: Sequence[Reporter]) -> Reading:
    """Rule 3."""
    everything = [
        (reporter.sessions, session) for reporter in reporters for session in reporter.sessions.by_id.values()
    ]
    asks = [(sessions, session, open) for sessions, session in everything for open in session.asks]
    permissions = [found for found in asks if found[2].ask.kind is Kind.PERMISSION]
    if permissions:
        return _waiting(*min(permissions, key=lambda found: found[2].order))
    if asks:
        return _waiting(*max(asks, key=lambda found: found[2].order))
    busy = [found for found in everything if found[1].busy]
    if busy:
        return _working(*max(busy, key=lambda found: (found[1].parent is None, found[1].order)))
    return _resting(reporters, everything)


def _waiting(sessions: Sessions, session: Session, open: OpenAsk) -> Reading:
    return _under_root(
        sessions,
        session,
        Reading(
            source=Source.PLUGIN,
            status=Status.WAITING,
            at=0.0,
            detail=f"session {session.id} asks ({open.ask.kind})",
            ask=f"{session.id} {open.ask.id}",
            kind=open.ask.kind,
            message=open.ask.text,
            tool=session.tool,
        ),
    )


def _working(sessions: Sessions, session: Session) -> Reading:
    reading = Reading(
        source=Source.PLUGIN,
        status=Status.WORKING,
        at=0.0,
        detail=f"session {session.id} is busy, turn {session.turn}",
        tool=session.tool,
    )
    if session.retry is not None:
        reading = replace(
            reading,
            detail=f"session {session.id} waits for attempt {session.retry.attempt}",
            message=session.retry.message,
            resets_at=session.retry.next_at,
        )
    return _under_root(sessions, session, reading)


def _under_root(sessions: Sessions, session: Session, reading: Reading) -> Reading:
    """Rule 4."""
    root = root_of(sessions, session) or session
    return replace(reading, session_id=root.id, prompt=root.prompt, last_message=root.last_message)


def _resting(reporters: Sequence[Reporter], everything: Sequence[tuple[Sessions, Session]]) -> Reading:
    roots = [session for _, session in everything if session.parent is None]
    newest = max(roots, key=lambda session: session.order, default=None)
    sessions = max((reporter.sessions for reporter in reporters), key=lambda found: found.end_order)
    end = sessions.last_end
    reading = Reading(
        source=Source.PLUGIN,
        status=Status.IDLE,
        at=0.0,
        detail="no session is busy",
        session_id=newest.id if newest else None,
    )
    if end is None:
        return reading
    ended = sessions.by_id.get(sessions.last_ended or "")
    return replace(
        reading,
        status=status_of_end(end),
        detail=f"the turn of session {sessions.last_ended} ended: {_words(end)}",
        kind=end.kind,
        message=end.message if end.how is Ending.ERROR else None,
        resets_at=end.resets_at,
        interrupted=end.how is Ending.INTERRUPTED,
        prompt=ended.prompt if ended else None,
        last_message=ended.last_message if ended else None,
    )


def _words(end: End) -> str:
    reason = end.message if end.how is Ending.INTERRUPTED else end.kind
    return f"{end.how} ({reason})" if reason else str(end.how)
