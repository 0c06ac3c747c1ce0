"""What the verdicts on one version of an agent come to. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from tests.accuracy.judging import LATEST_MS
from tests.accuracy.running import Result


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """Counts are over all passes."""

    agent: str
    version: str
    recordings: int
    replays: int
    transitions: int
    asks: int
    asks_shown: int
    false_done: int
    false_idle: int
    unknown: int
    median_ms: float
    longest_ms: float
    faults: int

    @property
    def holds(self) -> bool:
        """Every ask shown, nothing false, and everything right within a second of its evidence."""
        return (
            self.faults == self.false_done == self.false_idle == 0
            and self.asks_shown == self.asks
            and self.longest_ms <= LATEST_MS
        )


def figures(results: Iterable[Result]) -> list[Figures]:
    """By agent and version, in their order."""
    grouped: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        key = (result.recording.agent, result.recording.version)
        grouped.setdefault(key, []).append(result)
    return [_of(agent, version, grouped[agent, version]) for agent, version in sorted(grouped)]


def _of(agent: str, version: str, results: Sequence[Result]) -> Figures:
    verdicts = [result.verdict for result in results]
    delays = [delay for verdict in verdicts for delay in verdict.delays_ms]
    return Figures(
        agent=agent,
        version=version,
        recordings=len({result.case.name for result in results}),
        replays=len(results),
        transitions=sum(verdict.transitions for verdict in verdicts),
        asks=sum(verdict.asks for verdict in verdicts),
        asks_shown=sum(verdict.asks_shown for verdict in verdicts),
        false_done=sum(verdict.false_done for verdict in verdicts),
        false_idle=sum(verdict.false_idle for verdict in verdicts),
        unknown=sum(verdict.unknown for verdict in verdicts),
        median_ms=median(delays) if delays else 0.0,
        longest_ms=max(delays, default=0.0),
        faults=sum(len(verdict.faults) for verdict in verdicts),
    )
