"""How fast terminal engines take payloads: ours as the server feeds it, pyte, @xterm/headless on Node."""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.payloads import COLS, KINDS, ROWS, payload
from benchmarks.progress import Progress
from benchmarks.results import OURS, Bar, Row
from orca_tui.term.ghostty import GhosttyFactory

CHUNK_BYTES = 64 << 10
"""What the server reads at once."""
SCROLLBACK_LINES = 10_000
SIZE_BYTES = 16 << 20
PYTE_BYTES = 128 << 10
"""Half a second of it."""
RUNS = 3
XTERM_SCRIPT = Path(__file__).with_name("feed_xterm.mjs")
TIMES_XTERM = 1.2


def engines(progress: Progress) -> list[Row]:
    """MB/s into each engine."""
    rows = []
    for kind in KINDS:
        progress(f"engines: {kind}")
        data = payload(kind, SIZE_BYTES)
        figures = {OURS: ours(data), "@xterm/headless": xterm(data), "pyte": pyte(payload(kind, PYTE_BYTES))}
        bar = Bar(limit=TIMES_XTERM, times="@xterm/headless", at_least=True)
        rows.append(Row(name=f"engine, {kind}", unit="MB/s", figures=figures, bar=bar))
    return rows


def ours(data: bytes) -> float:
    factory = GhosttyFactory()

    def once() -> float:
        engine = factory.new(COLS, ROWS, scrollback_lines=SCROLLBACK_LINES)
        started = time.perf_counter()
        for start in range(0, len(data), CHUNK_BYTES):
            engine.feed(data[start : start + CHUNK_BYTES])
        seconds = time.perf_counter() - started
        engine.close()
        return len(data) / 1e6 / seconds

    return statistics.median(once() for _ in range(RUNS))


def pyte(data: bytes) -> float | None:
    """None where pyte is not installed, or fails on the payload."""
    try:
        import pyte as library
    except ImportError:
        return None
    stream = library.ByteStream(library.HistoryScreen(COLS, ROWS, history=SCROLLBACK_LINES))
    started = time.perf_counter()
    try:
        for start in range(0, len(data), CHUNK_BYTES):
            stream.feed(data[start : start + CHUNK_BYTES])
    except TypeError:  # Its parser passes some sequences on with arguments that its screen does not take.
        return None
    return len(data) / 1e6 / (time.perf_counter() - started)


def xterm(data: bytes) -> float | None:
    """None without Node.js or the package."""
    node = shutil.which("node")
    if node is None or not (XTERM_SCRIPT.parent / "node_modules").exists():
        return None
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        sizes = (str(number) for number in (COLS, ROWS, SCROLLBACK_LINES, CHUNK_BYTES, RUNS))
        argv = [node, str(XTERM_SCRIPT), file.name, *sizes]
        done = subprocess.run(argv, capture_output=True, text=True, check=True)
    seconds: list[float] = json.loads(done.stdout)
    return len(data) / 1e6 / statistics.median(seconds)
