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
        self.asked: list[set[int]] = []
        """The sessions of each look."""

    @property
    def looks(self) -> int:
        return len(self.asked)

    def foreground_group(self, master: int) -> int | None:
        return None

    def members(self, group: int) -> tuple[ProcessFacts, ...]:
        return ()

    def process(self, pid: int) -> ProcessFacts | None:
        return None

    def directory(self, pid: int) -> str | None:
        return None

    def usage(self, sessions: Iterable[int]) -> dict[int, dict[int, Usage]]:
        self.asked.append(set(sessions))
        return {session: dict(self.processes.get(session, {})) for session in self.asked[-1]}


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


def test_sessions_that_are_asked_for_one_by_one_share_the_look_of_their_second() -> None:
    table, clock = Table(), FakeClock()
    metrics = Metrics(table, clock)
    for session in (7, 8, 9):
        table.processes[session] = {session: Usage(cpu_s=1.0, rss_bytes=100)}
        metrics.loads([session])
    clock.jump(2.0)
    for session in (7, 8, 9):
        table.processes[session] = {session: Usage(cpu_s=2.0, rss_bytes=100)}
    looks = table.looks

    told = [metrics.loads([session]) for session in (7, 8, 9, 7, 8, 9)]

    assert table.looks == looks + 1
    assert [load.cpu_percent for loads in told for load in loads.values()] == [50.0] * 6


def test_a_session_that_has_ended_is_not_looked_for_any_more() -> None:
    table, clock = Table(), FakeClock()
    metrics = Metrics(table, clock)
    table.processes[7] = {7: Usage(cpu_s=1.0, rss_bytes=100)}
    metrics.loads([7])
    del table.processes[7]
    table.processes[8] = {8: Usage(cpu_s=1.0, rss_bytes=100)}

    for _ in range(2):
        clock.jump(2.0)
        metrics.loads([8])

    assert metrics.loads([7, 8]).keys() == {8}
    assert table.asked[-1] == {7}
    assert table.asked[-2] == {8}
