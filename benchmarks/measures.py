"""What is measured of one contender, and the numbers that come out."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks.contenders import Contender
from benchmarks.outer import cpu_seconds, of_home

CAT_LIMIT_S = 60.0  # The slowest that did not stall took a tenth of it.
ECHO_KEYS = 200
ECHO_LIMIT_S = 5.0
ECHO_LETTERS = b"QVWXYZNU"  # Capitals that neither prompt nor chrome writes.
ERASE_LINE = b"\x15"
IDLE_S = 10.0
FLOODER = "yes"
FLOOD_S = 5.0


@dataclass(frozen=True, kw_only=True)
class Cat:
    """Medians, from Enter to the text after the file."""

    seconds: float
    cpu_seconds: float
    """Of all its own processes."""


@dataclass(frozen=True, kw_only=True)
class Echo:
    """Key to echo on the outer terminal, milliseconds."""

    median: float
    p99: float


@dataclass(frozen=True, kw_only=True)
class Busy:
    """While time passes."""

    cpu_percent: float
    bytes: float
    pictures_a_second: float


def cat(contender: Contender, file: Path, runs: int) -> Cat:
    """Show a file in a visible pane, several times."""
    seconds, cpu = [], []
    pids = list(contender.parts().values())
    for run in range(runs):
        marker = f"END{run}{random.randrange(10**6)}"
        halves = marker[:4], marker[4:]
        before = cpu_seconds(pids)
        started = time.perf_counter()
        contender.outer.write(f"cat {file}; printf '%s%s\\n' {halves[0]} {halves[1]}\r".encode())
        seconds.append(contender.outer.wait_for(marker.encode(), CAT_LIMIT_S) - started)
        contender.outer.settle()
        cpu.append(cpu_seconds(pids) - before)
    return Cat(seconds=statistics.median(seconds), cpu_seconds=statistics.median(cpu))


def echo(contender: Contender, keys: int = ECHO_KEYS) -> Echo:
    """Press keys at a shell prompt, at uneven moments, and wait for each on the outer terminal."""
    pick = random.Random(2)
    times = []
    for number in range(keys):
        letter = ECHO_LETTERS[number % len(ECHO_LETTERS) :][:1]
        contender.outer.drain(0.03 + pick.random() * 0.02)
        started = time.perf_counter()
        contender.outer.write(letter)
        times.append((contender.outer.wait_for(letter, ECHO_LIMIT_S) - started) * 1000)
        contender.outer.write(ERASE_LINE)
    times.sort()
    return Echo(median=statistics.median(times), p99=times[int(len(times) * 0.99)])


def busy(contender: Contender, seconds: float) -> Busy:
    """What it does while so much time passes."""
    outer, pids = contender.outer, list(contender.parts().values())
    bytes_before, bursts_before, before = outer.bytes, outer.bursts, cpu_seconds(pids)
    outer.drain(seconds)
    return Busy(
        cpu_percent=(cpu_seconds(pids) - before) / seconds * 100,
        bytes=outer.bytes - bytes_before,
        pictures_a_second=(outer.bursts - bursts_before) / seconds,
    )


@dataclass(frozen=True, kw_only=True)
class Flood:
    """While a visible pane prints without end."""

    cpu_ms_per_mb: float
    """CPU milliseconds of all its own processes for a megabyte that the program could write."""
    mb_a_second: float
    pictures_a_second: float


def flood(contender: Contender, command: str) -> Flood:
    """`command` is a shell command that starts `FLOODER`."""
    contender.split(command)
    before = _written(contender.root)
    while_flooding = busy(contender, FLOOD_S)
    mb = (_written(contender.root) - before) / 1e6
    return Flood(
        cpu_ms_per_mb=while_flooding.cpu_percent / 100 * FLOOD_S * 1000 / mb,
        mb_a_second=mb / FLOOD_S,
        pictures_a_second=while_flooding.pictures_a_second,
    )


def _written(root: Path) -> int:
    """What the flooding program has written so far, as the kernel counts it."""
    flooders = (process for process in of_home(str(root)) if process.name() == FLOODER)
    return sum(process.io_counters().write_chars for process in flooders)


def idle(contender: Contender) -> Busy:
    """Nothing happens."""
    contender.outer.settle(quiet_s=2.0)
    return busy(contender, IDLE_S)


def memory_mb(contender: Contender) -> Mapping[str, float]:
    """Resident memory by process."""
    return {part: psutil.Process(pid).memory_info().rss / 1e6 for part, pid in contender.parts().items()}
