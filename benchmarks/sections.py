"""The parts of the suite: each measures everybody, one right after the other, and returns rows with their bars."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from benchmarks import hello, measures
from benchmarks.contenders import SCROLLBACK_LINES, Contender, OrcaTui, contenders
from benchmarks.engines import engines
from benchmarks.payloads import KINDS, payload
from benchmarks.progress import Progress
from benchmarks.results import Bar, Row
from orca_tui.base.errors import Unsupported

T = TypeVar("T")

CAT_BYTES, CAT_RUNS = 32 << 20, 5
OTHER_BYTES, OTHER_RUNS = 8 << 20, 3
CAT_BARS = {"plain": 1.0, "sgr": 0.7}
"""Of these 32 MiB are shown; their times in parts of tmux's."""
FLOOD = f"{measures.FLOODER} $(printf x%.0s $(seq 60))"
IDLE_PANES = 20
START_RUNS = 5
MEMORY_PANES, FULL_PANES = 8, 4
FULL_LINE = "x" * 99
FILL = f"yes {FULL_LINE} | head -n {2 * SCROLLBACK_LINES}; exec cat"
QUIET_AFTER_S = 15.0
"""Scrollback is compressed after ten quiet seconds."""


def cat(progress: Progress) -> list[Row]:
    """Files shown in a visible pane."""
    with tempfile.TemporaryDirectory(prefix="bench-") as directory:
        files = {}
        for kind in KINDS:
            files[kind] = Path(directory) / kind
            files[kind].write_bytes(payload(kind, CAT_BYTES if kind in CAT_BARS else OTHER_BYTES))
        found = _of_all(progress, "cat", lambda contender: dict(_cats(contender, files, progress)))
    rows = []
    for kind, file_bytes in ((kind, CAT_BYTES if kind in CAT_BARS else OTHER_BYTES) for kind in KINDS):
        size = f"{file_bytes >> 20} MiB {kind}"
        of_kind = {name: cats.get(kind) if cats else None for name, cats in found.items()}
        bar = Bar(limit=CAT_BARS[kind], times="tmux") if kind in CAT_BARS else None
        rows.append(_row(f"cat {size}", "s", of_kind, lambda one: one.seconds, bar))
        bar = Bar(limit=1.0, times="tmux") if kind in CAT_BARS else None
        rows.append(_row(f"CPU for {size}", "s", of_kind, lambda one: one.cpu_seconds, bar))
    return rows


def _cats(
    contender: Contender, files: Mapping[str, Path], progress: Progress
) -> Iterator[tuple[str, measures.Cat]]:
    """By payload; one that stalls is measured no further, and what it has shown counts."""
    with suppress(TimeoutError):
        for kind, file in files.items():
            progress(f"cat {kind}: {contender.name}")
            runs = CAT_RUNS if kind in CAT_BARS else OTHER_RUNS
            yield kind, measures.cat(contender, file, runs)


def echo(progress: Progress) -> list[Row]:
    """From a key to its echo, with nothing else going on and beside panes that flood."""
    rows = []
    for floods, median, p99 in (
        (0, Bar(limit=2.5), Bar(limit=8)),
        (1, Bar(limit=2, times="tmux"), Bar(limit=20)),
        (3, Bar(limit=2, times="tmux"), Bar(limit=20)),
    ):
        name = "quiet" if not floods else f"{floods} flooding"

        def measure(contender: Contender, floods: int = floods) -> measures.Echo:
            for _ in range(floods):
                contender.split(FLOOD)
            return measures.echo(contender)

        found = _of_all(progress, f"echo, {name}", measure)
        rows.append(_row(f"key to echo, {name}, median", "ms", found, lambda one: one.median, median))
        rows.append(_row(f"key to echo, {name}, p99", "ms", found, lambda one: one.p99, p99))
    return rows


def flood(progress: Progress) -> list[Row]:
    """What one endless output costs; multiplexers take different amounts of it, so CPU counts by the megabyte."""
    found = _of_all(progress, "flood", lambda contender: measures.flood(contender, FLOOD))
    return [
        _row("flood, CPU for a MB", "ms", found, lambda one: one.cpu_ms_per_mb, Bar(limit=1, times="tmux")),
        _row("flood, taken", "MB/s", found, lambda one: one.mb_a_second),
        _row(
            "flood, pictures", "1/s", found, lambda one: one.pictures_a_second, Bar(limit=45, at_least=True)
        ),
    ]


def idle(progress: Progress) -> list[Row]:
    """Many panes in which nothing happens."""

    def measure(contender: Contender) -> measures.Busy:
        for _ in range(IDLE_PANES - 1):
            contender.split("exec cat")
        return measures.idle(contender)

    found = _of_all(progress, f"idle, {IDLE_PANES} panes", measure)
    return [
        _row(f"idle, {IDLE_PANES} panes, CPU", "%", found, lambda one: one.cpu_percent, Bar(limit=0.5)),
        _row(
            f"idle, {IDLE_PANES} panes, {measures.IDLE_S:g} s",
            "bytes",
            found,
            lambda one: one.bytes,
            Bar(limit=0),
        ),
    ]


def start(progress: Progress) -> list[Row]:
    """From the command to the prompt: with nothing running, and to a session that is there."""
    hellos: list[float] = []
    begun: dict[str, float | None] = {}
    attached: dict[str, float | None] = {}
    for make in contenders():
        progress(f"start: {make.name}")
        begun[make.name] = statistics.median(_begun(make) for _ in range(START_RUNS))
        with suppress(Unsupported), _running(make) as contender:
            seconds = []
            for _ in range(START_RUNS):
                seconds.append(contender.attach())
                hellos.append(_hello())  # In turns, so that a busy moment is everybody's.
            attached[make.name] = statistics.median(seconds)
    return [
        Row(name="start to prompt", unit="s", figures=begun),
        Row(
            name="attach to prompt",
            unit="s",
            figures={**attached, "Textual hello world": statistics.median(hellos)},
            bar=Bar(limit=1.5, times="Textual hello world"),
        ),
    ]


def _begun(make: Callable[[], Contender]) -> float:
    contender = make()
    try:
        return contender.begin()
    finally:
        contender.close()


def _hello() -> float:
    return OrcaTui().shown_alone(Path(hello.__file__), hello.TEXT.encode())


def memory(progress: Progress) -> list[Row]:
    """Resident memory of each process: small panes, and panes with a full scrollback."""

    def small(contender: Contender) -> Mapping[str, float]:
        for _ in range(MEMORY_PANES - 1):
            contender.split("exec cat")
        return measures.memory_mb(contender)

    def full(contender: Contender) -> Mapping[str, float]:
        for _ in range(FULL_PANES):
            contender.split(FILL)
        contender.outer.drain(QUIET_AFTER_S)
        return measures.memory_mb(contender)

    found = _of_all(progress, f"memory, {MEMORY_PANES} panes", small)
    filled = _of_all(progress, f"memory, {FULL_PANES} panes of {SCROLLBACK_LINES} lines", full)
    rows = [_row(f"{MEMORY_PANES} panes, all processes", "MB", found, lambda one: sum(one.values()))]
    for part, bar in (
        ("server", Bar(limit=60 + 15 * FULL_PANES)),
        ("client", Bar(limit=90)),
        ("keeper", None),
    ):
        of_part = {who: None if one is None else one.get(part) for who, one in filled.items()}
        name = f"{FULL_PANES} panes of {SCROLLBACK_LINES} lines, {part}"
        rows.append(Row(name=name, unit="MB", figures=of_part, bar=bar))
    return rows


SECTIONS: Mapping[str, Callable[[Progress], list[Row]]] = {
    "engines": engines,
    "cat": cat,
    "echo": echo,
    "flood": flood,
    "idle": idle,
    "start": start,
    "memory": memory,
}


def _of_all(progress: Progress, name: str, measure: Callable[[Contender], T]) -> dict[str, T | None]:
    """The same measure of everybody; None of one that did not answer in time."""
    found: dict[str, T | None] = {}
    for make in contenders():
        progress(f"{name}: {make.name}")
        found[make.name] = None
        with suppress(TimeoutError), _running(make) as contender:
            found[make.name] = measure(contender)
    return found


@contextmanager
def _running(make: Callable[[], Contender]) -> Iterator[Contender]:
    contender = make()
    contender.begin()
    try:
        yield contender
    finally:
        contender.close()


def _row(
    name: str,
    unit: str,
    found: Mapping[str, T | None],
    figure: Callable[[T], float | None],
    bar: Bar | None = None,
) -> Row:
    figures = {who: None if one is None else figure(one) for who, one in found.items()}
    return Row(name=name, unit=unit, figures=figures, bar=bar)
