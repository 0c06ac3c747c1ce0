"""CPU and memory: computed from two looks, and not looked at more than once a second."""

from __future__ import annotations

from collections.abc import Iterable

from orca_tui.process.metrics import Load, Metrics
from orca_tui.process.table import ProcessFacts, Usage
from tests.fakes import FakeClock


class Table:
    """A process table with processes of a test's making."""

    def __init__(self) -> None:
        self.processes: dict[int, dict[int, Usage]] = {}
        self.looks = 0

    def foreground_group(self, master: int) -> int | None:
        return None

    def members(self, group: int) -> tuple[ProcessFacts, ...]:
        return ()

    def process(self, pid: int) -> ProcessFacts | None:
        return None

    def directory(self, pid: int) -> str | None:
        return None

    def usage(self, sessions: Iterable[int]) -> dict[int, dict[int, Usage]]:
        self.looks += 1
        return {session: dict(self.processes.get(session, {})) for session in sessions}


def test_cpu_is_known_at_the_second_look_and_sums_processes_that_were_there_both_times() -> None:
    table, clock = Table(), FakeClock()
    metrics = Metrics(table, clock)
    table.processes[7] = {7: Usage(cpu_s=1.0, rss_bytes=100), 8: Usage(cpu_s=5.0, rss_bytes=50)}
    assert metrics.loads([7]) == {7: Load(cpu_percent=None, rss_bytes=150)}

    clock.jump(2.0)
    table.processes[7] = {7: Usage(cpu_s=2.0, rss_bytes=100), 9: Usage(cpu_s=9.0, rss_bytes=10)}

    assert metrics.loads([7]) == {7: Load(cpu_percent=50.0, rss_bytes=110)}


def test_within_a_second_nobody_looks_again() -> None:
    table, clock = Table(), FakeClock()
    metrics = Metrics(table, clock)
    table.processes[7] = {7: Usage(cpu_s=1.0, rss_bytes=100)}

    for _ in range(5):
        metrics.loads([7])
        clock.jump(0.1)

    assert table.looks == 1


def test_a_new_session_is_looked_at_and_one_that_is_gone_has_no_load() -> None:
    table, clock = Table(), FakeClock()
    metrics = Metrics(table, clock)
    metrics.loads([7])
    table.processes[8] = {8: Usage(cpu_s=1.0, rss_bytes=100)}

    assert metrics.loads([7, 8]) == {8: Load(cpu_percent=None, rss_bytes=100)}
