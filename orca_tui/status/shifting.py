"""A pane's times moved as a whole, for when the clock was set back. Pure.

What lies between two of them stays as long as it was. When a rate limit ends is told by others, and stays.
"""

from __future__ import annotations

from dataclasses import replace

from msgspec.structs import replace as with_fields

from orca_tui.status.levels import Level
from orca_tui.status.lifecycle import Lifecycle
from orca_tui.status.pane import Pane
from orca_tui.status.programs import Programs
from orca_tui.status.record import StatusRecord
from orca_tui.status.reporters import Reporters

SKEW_S = 2.0
"""Events are stamped where they arise, and taken a moment later; one that is older than that, and cannot have been
late, tells that the clock was set back."""


def by_clock(pane: Pane, at: float, *, late_s: float = 0.0) -> Pane:
    """The pane by the clock of something that happened at `at`, and may be taken as late as `late_s` after it."""
    back_s = pane.now - at
    return shifted(pane, -back_s) if back_s > late_s + SKEW_S else pane


def shifted(pane: Pane, by_s: float) -> Pane:
    """The pane as it would be had everything happened `by_s` seconds later."""
    pending, last = pane.pending_ask, pane.last_ask
    return replace(
        pane,
        now=pane.now + by_s,
        record=_record(pane.record, by_s),
        reporters=_reporters(pane.reporters, by_s),
        programs=_programs(pane.programs, by_s),
        levels={source: _level(level, by_s) for source, level in pane.levels.items()},
        lifecycles={source: _lifecycle(told, by_s) for source, told in pane.lifecycles.items()},
        shell=None if pane.shell is None else replace(pane.shell, at=pane.shell.at + by_s),
        interrupt_at=_later(pane.interrupt_at, by_s),
        boundary_at=_later(pane.boundary_at, by_s),
        agent_at=pane.agent_at + by_s,
        over_at=pane.over_at + by_s,
        heard={source: at + by_s for source, at in pane.heard.items()},
        lost_at=_later(pane.lost_at, by_s),
        pending_ask=None if pending is None else replace(pending, rings_at=pending.rings_at + by_s),
        last_ask=None if last is None else replace(last, at=last.at + by_s),
        rang_at=tuple(at + by_s for at in pane.rang_at),
        wake_at=None,
    )


def _later(at: float | None, by_s: float) -> float | None:
    return None if at is None else at + by_s


def _record(record: StatusRecord, by_s: float) -> StatusRecord:
    evidence = record.evidence
    return with_fields(
        record,
        since=record.since + by_s,
        turn_started_at=_later(record.turn_started_at, by_s),
        evidence=None if evidence is None else with_fields(evidence, at=evidence.at + by_s),
    )


def _reporters(reporters: Reporters, by_s: float) -> Reporters:
    moved = {
        key: replace(reporter, heard_at=reporter.heard_at + by_s, changed_at=reporter.changed_at + by_s)
        for key, reporter in reporters.by_process.items()
    }
    return replace(reporters, by_process=moved)


def _programs(programs: Programs, by_s: float) -> Programs:
    records = {path: replace(record, at=record.at + by_s) for path, record in programs.records.items()}
    return replace(
        programs,
        records=records,
        turn_since=_later(programs.turn_since, by_s),
        began_at=programs.began_at + by_s,
        active_since=_later(programs.active_since, by_s),
        changed_at=programs.changed_at + by_s,
        session_at=_later(programs.session_at, by_s),
    )


def _level(level: Level, by_s: float) -> Level:
    return replace(
        level,
        at=level.at + by_s,
        began_at=level.began_at + by_s,
        rested_at=level.rested_at + by_s,
    )


def _lifecycle(told: Lifecycle, by_s: float) -> Lifecycle:
    return replace(
        told,
        began_at=told.began_at + by_s,
        ended_at=told.ended_at + by_s,
        resumed_at=told.resumed_at + by_s,
        asks=tuple(replace(open, at=open.at + by_s) for open in told.asks),
        changed_at=told.changed_at + by_s,
    )
