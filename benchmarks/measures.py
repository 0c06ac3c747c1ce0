"""What is measured of one contender, and the numbers that come out."""

from __future__ import annotations

import random
import statistics
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.contenders import Contender
from benchmarks.outer import cpu_seconds, rss_mb

CAT_BYTES = 32 << 20
CAT_RUNS = 5
CAT_LIMIT_S = 120.0
ECHO_KEYS = 200
ECHO_LETTERS = b"QVWXYZNU"  # Capitals that neither prompt nor chrome writes.
ERASE_LINE = b"\x15"
IDLE_S = 10.0


@dataclass(frozen=True, kw_only=True)
class Cat:
    seconds: float
    """Median, from Enter to the text after the file."""
    cpu_seconds: float
    """Median, of all its own processes."""


@dataclass(frozen=True, kw_only=True)
class Echo:
    """Key to echo on the outer terminal, milliseconds."""

    median: float
    p99: float


@dataclass(frozen=True, kw_only=True)
class Idle:
    cpu_percent: float
    bytes: int
    rss_mb: float


def ascii_file(path: Path) -> Path:
    """32 MiB of plain lines."""
    line = "".join(chr(33 + n % 90) for n in range(99)) + "\n"
    path.write_text(line * (CAT_BYTES // len(line)))
    return path


def colour_file(path: Path) -> Path:
    """32 MiB of lines with true colours, as a build log or a diff has."""
    pick = random.Random(1)
    lines = [
        "".join(
            f"\x1b[38;2;{pick.randrange(256)};{pick.randrange(256)};{pick.randrange(256)}mword{n}\x1b[m "
            for n in range(12)
        )
        + "\n"
        for _ in range(500)
    ]
    block = "".join(lines)
    path.write_text(block * (CAT_BYTES // len(block)))
    return path


def cat(contender: Contender, file: Path, runs: int = CAT_RUNS) -> Cat:
    """Show a file in a visible pane, several times."""
    seconds, cpu = [], []
    pids = contender.pids()
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
        times.append((contender.outer.wait_for(letter, 5.0) - started) * 1000)
        contender.outer.write(ERASE_LINE)
    times.sort()
    return Echo(median=statistics.median(times), p99=times[int(len(times) * 0.99)])


def idle(contender: Contender) -> Idle:
    """Nothing happens for ten seconds."""
    contender.outer.settle(quiet_s=2.0)
    pids = contender.pids()
    bytes_before, before = contender.outer.bytes, cpu_seconds(pids)
    contender.outer.drain(IDLE_S)
    return Idle(
        cpu_percent=(cpu_seconds(pids) - before) / IDLE_S * 100,
        bytes=contender.outer.bytes - bytes_before,
        rss_mb=rss_mb(pids),
    )
