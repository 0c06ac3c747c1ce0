"""CPU and memory of panes, measured only when somebody asks, and then at most once per second: a measurement goes
through all of the machine's processes, so it is for every session that is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from orca_tui.base.clock import Clock
from orca_tui.process.table import ProcessTable, Usage

SAMPLE_AFTER_S = 1.0
"""A second listing within that gets the same numbers; CPU over less is noise."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Load:
    """What the programs of one session use; `cpu_percent` (100 = one core) is None until measured twice."""

    cpu_percent: float | None
    rss_bytes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class _Look:
    """One session as it was seen last."""

    at: float
    """Monotonic seconds."""
    processes: dict[int, Usage]
    load: Load | None
    """None: it has no processes."""


class Metrics:
    """Measures sessions, named by their leaders' pids."""

    def __init__(self, table: ProcessTable, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._all_looked_at = -SAMPLE_AFTER_S
        self._looks: dict[int, _Look] = {}

    def loads(self, sessions: Iterable[int]) -> dict[int, Load]:
        """The load of each session that still has processes."""
        wanted = set(sessions)
        now = self._clock.monotonic()
        if now - self._all_looked_at >= SAMPLE_AFTER_S:
            living = {session for session, look in self._looks.items() if look.load is not None}
            self._looks, self._all_looked_at = self._look_at(wanted | living, now), now
        elif new := wanted - self._looks.keys():
            self._looks |= self._look_at(new, now)
        found = ((session, self._looks[session].load) for session in wanted)
        return {session: load for session, load in found if load is not None}

    def _look_at(self, sessions: set[int], now: float) -> dict[int, _Look]:
        return {
            session: _look(self._looks.get(session), processes, now)
            for session, processes in self._table.usage(sessions).items()
        }


def _look(before: _Look | None, processes: dict[int, Usage], now: float) -> _Look:
    load = Load(
        cpu_percent=_percent(before.processes, processes, now - before.at) if before is not None else None,
        rss_bytes=sum(used.rss_bytes for used in processes.values()),
    )
    return _Look(at=now, processes=processes, load=load if processes else None)


def _percent(before: dict[int, Usage], now: dict[int, Usage], elapsed_s: float) -> float | None:
    """CPU of the processes that were there both times; one that came or went between is not counted."""
    if elapsed_s < SAMPLE_AFTER_S:
        return None
    used = sum(max(0.0, now[pid].cpu_s - before[pid].cpu_s) for pid in now.keys() & before.keys())
    return round(100 * used / elapsed_s, 1)
