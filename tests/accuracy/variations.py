"""The same recording as it might have come as well: output cut anywhere, hooks late, twice and out of order.

Pure; the same seed gives the same lines.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tests.accuracy.recording import Line, Recording, output

PIECES = 3  # Into how many an output is cut at most.
LATEST_HOOK_MS = 300.0
"""What a hook's process may take to start on a busy machine (facts of real agents: 100 to 250 ms)."""
TWICE = 0.1
"""Share of the hooks that arrive twice."""


def as_recorded(recording: Recording) -> Recording:
    return recording


def cut(recording: Recording) -> Recording:
    """Output cut at random bytes: in the middle of an escape sequence, of a character. Each is read by itself."""
    chance = random.Random(f"cut {recording.name}")
    lines = [piece for line in recording.lines for piece in _pieces(line, chance)]
    return _in_order(recording, lines)


def hooks_late(recording: Recording) -> Recording:
    """Hooks delayed by up to 300 ms each, so that they overtake each other, and some of them twice.

    Part of the delay comes before the hook's process has looked at the clock (`started`), part after that.
    """
    chance = random.Random(f"hooks {recording.name}")
    lines = [late for line in recording.lines for late in _late(line, chance)]
    return _in_order(recording, lines)


@dataclass(frozen=True, kw_only=True, slots=True)
class Pass:
    """One way to play a recording; `late_ms` is by how much evidence may be late in it."""

    name: str
    vary: Callable[[Recording], Recording]
    late_ms: float = 0.0


PASSES = (
    Pass(name="as recorded", vary=as_recorded),
    Pass(name="output cut", vary=cut),
    Pass(name="hooks late", vary=hooks_late, late_ms=LATEST_HOOK_MS),
)


def _pieces(line: Line, chance: random.Random) -> Iterator[Line]:
    data = line.data() if line.kind == "output" else b""
    if len(data) < 2:
        yield line
        return
    points = sorted({chance.randrange(1, len(data)) for _ in range(chance.randrange(PIECES))})
    for start, end in zip([0, *points], [*points, len(data)], strict=True):
        yield output(line.at, data[start:end])


def _late(line: Line, chance: random.Random) -> Iterator[Line]:
    if line.kind != "hook":
        yield line
        return
    for _ in range(1 + (chance.random() < TWICE)):
        late = chance.random() * LATEST_HOOK_MS
        started = line.at + chance.random() * late
        yield replace(line, at=line.at + late, what={**line.what, "started": started})


def _in_order(recording: Recording, lines: list[Line]) -> Recording:
    return replace(recording, lines=tuple(sorted(lines, key=lambda line: line.at)))
