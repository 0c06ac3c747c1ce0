"""CPU and memory of panes, measured only when somebody asks, and then at most once per second."""

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


class Metrics:
    """Measures sessions, named by their leaders' pids."""

    def __init__(self, table: ProcessTable, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._sampled_at: float | None = None
        self._usage: dict[int, dict[int, Usage]] = {}
        self._loads: dict[int, Load] = {}

    def loads(self, sessions: Iterable[int]) -> dict[int, Load]:
        """The load of each session that still has processes."""
        wanted = set(sessions)
        now = self._clock.monotonic()
        due = self._sampled_at is None or now - self._sampled_at >= SAMPLE_AFTER_S
        if due or not wanted <= self._usage.keys():
            self._sample(wanted, now)
        return {session: load for session, load in self._loads.items() if session in wanted}

    def _sample(self, sessions: set[int], now: float) -> None:
        elapsed = now - self._sampled_at if self._sampled_at is not None else 0.0
        usage = self._table.usage(sessions)
        self._loads = {
            session: Load(
                cpu_percent=_percent(self._usage.get(session), processes, elapsed),
                rss_bytes=sum(used.rss_bytes for used in processes.values()),
            )
            for session, processes in usage.items()
            if processes
        }
        self._usage = usage
        self._sampled_at = now


def _percent(before: dict[int, Usage] | None, now: dict[int, Usage], elapsed_s: float) -> float | None:
    """CPU of the processes that were there both times; one that came or went between is not counted."""
    if before is None or elapsed_s <= 0:
        return None
    used = sum(max(0.0, now[pid].cpu_s - before[pid].cpu_s) for pid in now.keys() & before.keys())
    return round(100 * used / elapsed_s, 1)
