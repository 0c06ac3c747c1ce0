"""Recorded terminals of agents that say nothing but what they show: title and screen alone tell the truth.

The truth is by hand, from the driver's marks in the recordings.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from orca_tui.server.panes import Pane
from orca_tui.status.events import InterruptPressed
from orca_tui.status.record import Status
from tests.server.rooms import Rooms

pytestmark = pytest.mark.anyio

PTY = Path(__file__).parents[1] / "captured" / "pty"
STEP_S = 0.25
BRIEF_S = 0.5
"""For so long it may be unknown what a title means that says no more than that nothing runs."""
KEYS = {"b'\\x1b'", "b'\\x03'"}

CLAUDE = [
    *("idle", "working", "done"),
    *("working", "waiting permission", "working", "done"),
    *("working", "waiting permission", "idle interrupted"),  # Esc at the dialog
    *("working", "waiting permission", "idle interrupted"),  # No
    *("working", "idle interrupted"),  # Esc while streaming
    *("working", "waiting permission", "working", "idle interrupted"),  # Esc in a tool
    *("working", "done"),  # a sub-agent, which outlives the first answer
    *("working", "waiting permission", "working", "waiting permission", "working", "done"),  # two tools
    *("working", "waiting permission", "working", "done"),  # a file
    *("working", "error api", "working", "error rate_limit"),
    *("working", "waiting question", "working", "done"),
    *("working", "waiting question", "idle interrupted"),
    *("working", "done"),  # /compact
]
CODEX = [
    *("working", "done"),
    *("working", "waiting permission", "working", "done"),
    *("working", "waiting permission", "working", "idle interrupted"),  # As its title has it.
    *("working", "idle interrupted", "working", "idle interrupted"),
    *("working", "done"),
    *("working", "error rate_limit", "working", "error api", "working", "error rate_limit"),
    *("working", "error api"),
    *("working", "done", "working", "done"),
]
GEMINI = ["idle", "working", "waiting", "waiting permission", "working", "done"]
"""Its title tells at once that it waits; the screen, which has to pause first, for what."""


async def replayed(inside: Rooms, pane: Pane, name: str, *, start_s: float, end_s: float) -> list[str]:
    """The statuses that were shown, in words."""
    meta = json.loads((PTY / f"{name}.json").read_text())
    data = (PTY / f"{name}.bin").read_bytes().replace(b"\x1b]7501;", b"\x1b]7599;")
    pane.engine.resize(meta["cols"], meta["rows"])
    happened = [(at, data[begin : begin + size]) for at, begin, size in meta["chunks_t_off_len"]]
    happened += [(at, None) for at, typed, _ in meta["inputs"] if typed in KEYS]
    began, shown = inside.clock.now(), [(0.0, "unknown")]
    for at, output in [*sorted(happened, key=lambda one: one[0]), (end_s, b"")]:
        while inside.clock.now() - began < min(at, end_s) - 0.001:
            inside.jump(min(STEP_S, max(0.001, min(at, end_s) - (inside.clock.now() - began))))
            note(inside, pane, began, shown)
        if at >= end_s:
            break
        if output is None:
            inside.session.observe(pane.id, [InterruptPressed(at=inside.clock.now())])
        else:
            inside.writes(pane, output)
        note(inside, pane, began, shown)
    lasted = zip(shown, [*shown[1:], (end_s, "")], strict=True)
    words = [
        word
        for (at, word), (until, _) in lasted
        if at >= start_s and (word != "unknown" or until - at > BRIEF_S)
    ]
    return [word for number, word in enumerate(words) if number == 0 or words[number - 1] != word]


def note(inside: Rooms, pane: Pane, began: float, shown: list[tuple[float, str]]) -> None:
    record = inside.session.board.record(pane.id)
    kind = record.kind if record.status in (Status.WAITING, Status.ERROR) else None
    own = "interrupted" if record.interrupted and record.status is Status.IDLE else None
    word = " ".join(filter(None, (record.status, kind, own)))
    if word != shown[-1][1]:
        shown.append((inside.clock.now() - began, word))


@pytest.mark.parametrize(
    ("agent", "name", "start_s", "end_s", "truth"),
    [
        ("claude", "claude_main", 1.0, 115.0, CLAUDE),
        ("codex", "codex_main", 2.0, 79.0, CODEX),
        ("gemini", "gemini_short", 1.0, 12.0, GEMINI),
    ],
)
async def test_title_and_screen_alone_tell_the_truth(
    inside: Rooms, agent: str, name: str, start_s: float, end_s: float, truth: list[str]
) -> None:
    pane = inside.pane(agent)

    assert await replayed(inside, pane, name, start_s=start_s, end_s=end_s) == truth
