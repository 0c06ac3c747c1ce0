"""One agent, seen by some of its sources or by all: what is shown, when, and what rings.

Each scenario is what Claude Code does in one situation; each column what one source tells of it, in the order and
with the delays that were recorded. Everything is shown within a second of what the user did or saw.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from orca_tui.status.board import Board
from orca_tui.status.events import Event
from orca_tui.status.record import Kind
from tests.status.told import (
    FILE,
    PROFILES,
    asked,
    child,
    child_ended,
    end,
    esc,
    failed,
    file,
    program,
    resolved,
    said,
    screen,
    session,
    start,
    tool,
)

MakePane = Callable[..., Any]
LATEST_S = 1.0

SPINS, RESTS = "working", "at_rest"  # Its title cannot tell rest from waiting.


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """What happens, and how it is told."""

    truth: list[tuple[float, str]]
    keys: list[Event] = field(default_factory=list)
    osc: list[Event] = field(default_factory=list)
    hooks: list[Event] = field(default_factory=list)
    files: list[Event] = field(default_factory=list)
    titles: list[Event] = field(default_factory=list)
    screens: list[Event] = field(default_factory=list)


READY = Scenario(
    truth=[(1, "idle")],
    osc=[program(1.1, "idle", "claude")],
    hooks=[session(1.2, "s1")],
    files=[file(1.3, "ended"), session(1.3, "s1", FILE)],
    titles=[said(1.0, RESTS)],
    screens=[screen(1.4, "idle")],
)

WORKS = Scenario(
    truth=[(10, "working")],
    osc=[program(10.1, "working", "claude")],
    hooks=[start(10.2, "t1", session_id="s1")],
    files=[file(10.3, "working")],
    titles=[said(10.05, SPINS)],
    screens=[screen(10.4, "working")],
)

ENDS = Scenario(
    truth=[(20, "done ring")],
    osc=[program(20.05, "done", "claude")],
    hooks=[end(20.2, "t1")],
    files=[file(20.3, "ended")],
    titles=[said(20.05, RESTS)],
    screens=[screen(20.4, "idle")],
)

ASKS = Scenario(
    truth=[(12, "waiting kind=permission ring")],
    osc=[program(12.05, "blocked", "claude", kind=Kind.PERMISSION, message="approve Bash: ls")],
    hooks=[tool(11.9, "t1"), asked(12.1, turn="t1")],
    files=[file(12.3, "waiting", kind=Kind.PERMISSION)],
    titles=[said(12.05, RESTS)],
    screens=[screen(12.3, "waiting", kind=Kind.PERMISSION)],
)

ALLOWED = Scenario(
    truth=[(15, "working")],
    osc=[program(15.05, "working", "claude")],
    hooks=[resolved(15.3, "a", turn="t1"), tool(15.3, "t1")],
    files=[file(15.2, "working")],
    titles=[said(15.05, SPINS)],
    screens=[screen(15.3, "working")],
)

DECLINED = Scenario(  # By Esc: no hook tells of it.
    truth=[(15, "idle interrupted")],
    keys=[esc(15)],
    osc=[program(15.1, "idle", "claude")],
    files=[file(15.25, "ended")],
    screens=[screen(15.3, "idle")],
)

REFUSED = Scenario(  # By "No": no interrupt key either.
    truth=[(15, "idle interrupted")],
    osc=[program(15.1, "idle", "claude")],
    files=[file(15.25, "ended")],
    screens=[screen(15.3, "idle")],
)

INTERRUPTED = Scenario(
    truth=[(15, "idle interrupted")],
    keys=[esc(15)],
    osc=[program(15.1, "idle", "claude")],
    files=[file(15.25, "ended")],
    titles=[said(15.1, RESTS)],
    screens=[screen(15.3, "idle")],
)

FAILS = Scenario(
    truth=[(20, "error ring")],
    osc=[program(20.05, "error", "claude", message="API Error: 500")],
    hooks=[failed(20.2, "t1")],
    files=[file(20.3, "ended")],
    titles=[said(20.05, RESTS)],
    screens=[screen(20.4, "failed", kind=Kind.API, text="API Error: 500")],
)

DELEGATES = Scenario(  # A sub-agent works on when the answer has ended, and wakes the agent again.
    truth=[(30, "done ring")],
    osc=[
        program(12, "working", "claude", path=("a",)),
        program(25, "clear", "claude", path=("a",)),
        program(30.05, "done", "claude"),
    ],
    hooks=[
        child(12),
        end(20.2, "t1", background=1),
        child_ended(25),
        start(25.3, "t2", session_id="s1"),
        end(30.2, "t2"),
    ],
    files=[file(30.3, "ended")],
    titles=[said(30.05, RESTS)],
    screens=[screen(30.4, "idle")],
)

CLEARS = Scenario(  # `/clear` after an end: the terminal sees work of 0.3 s, the others another session.
    truth=[(40, "working"), (40.3, "idle")],
    osc=[program(40.0, "working", "claude"), program(40.27, "idle", "claude")],
    hooks=[session(40.3, "s2")],
    files=[file(40.1, "working"), file(40.4, "ended"), session(40.4, "s2", FILE)],
    titles=[said(40.0, SPINS), said(40.27, RESTS)],
    screens=[screen(40.5, "idle")],
)

SCENARIOS = {
    "a turn": [READY, WORKS, ENDS],
    "allowed": [READY, WORKS, ASKS, ALLOWED, ENDS],
    "declined": [READY, WORKS, ASKS, DECLINED],
    "refused": [READY, WORKS, ASKS, REFUSED],
    "interrupted": [READY, WORKS, INTERRUPTED],
    "failed": [READY, WORKS, FAILS],
    "sub-agent": [READY, WORKS, DELEGATES],
    "cleared": [READY, WORKS, ENDS, CLEARS],
}

QUIETLY = ["idle", "working", "done ring", "idle"]
"""Nothing of the work of 0.3 s that the terminal alone sees."""
ASKING = ["idle", "working", "waiting kind=permission ring"]

UNKNOWABLE: dict[tuple[str, ...], dict[str, list[str]]] = {
    # What these sources cannot tell is unknown, and rings for nothing that might not be.
    ("titles",): {
        "a turn": ["working", "unknown"],
        "allowed": ["working", "unknown", "working", "unknown"],
        "declined": ["working", "unknown"],
        "refused": ["working", "unknown"],
        "interrupted": ["working", "unknown"],
        "failed": ["working", "unknown"],
        "sub-agent": ["working", "unknown"],
        "cleared": ["working", "unknown", "working", "unknown"],
    },
    ("files",): {
        "a turn": ["idle", "working", "unknown"],
        "allowed": [*ASKING, "working", "unknown"],
        "refused": [*ASKING, "unknown"],
        "failed": ["idle", "working", "unknown"],
        "sub-agent": ["idle", "working", "unknown"],
        "cleared": ["idle", "working", "unknown", "working", "idle"],
    },
    # The user's own acts have no hooks: the status stays, until silence tells.
    ("hooks",): {
        "declined": ASKING,
        "refused": ASKING,
        "interrupted": ["idle", "working"],
        "cleared": QUIETLY,
    },
    # The title looks the same before and after the answer.
    ("hooks", "titles"): {"declined": ASKING, "refused": ASKING, "cleared": QUIETLY},
    ("hooks", "screens"): {"cleared": QUIETLY},
    ("titles", "screens"): {"cleared": ["idle", "working", "done ring", "working", "unknown", "idle"]},
    ("osc",): {"cleared": ["idle", "working", "done ring", "working", "idle interrupted"]},
}

COLUMNS = [
    ("osc",),
    ("hooks",),
    ("files",),
    ("titles",),
    ("hooks", "files"),
    ("hooks", "titles"),
    ("hooks", "screens"),
    ("files", "screens"),
    ("titles", "screens"),
    ("hooks", "files", "titles", "screens"),
    ("osc", "hooks"),
    ("osc", "hooks", "files", "titles", "screens"),
]


def words(shown: Any) -> str:
    told = [str(shown.status)]
    told += [f"kind={shown.kind}"] * (shown.kind is not None and shown.status == "waiting")
    told += ["ring"] * shown.rings
    told += ["interrupted"] * (shown.interrupted and shown.status == "idle")
    return " ".join(told)


def seen(pane: Any) -> list[tuple[float, str]]:
    """What was shown, without what was shown for no time."""
    told = [
        (shown.at, words(shown))
        for shown, following in zip(pane.shown, [*pane.shown[1:], None], strict=True)
        if following is None or following.at > shown.at
    ]
    return [one for one, before in zip(told, [(0.0, ""), *told], strict=False) if one[1] != before[1]]


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("columns", COLUMNS, ids="+".join)
def test_what_some_sources_tell_is_shown(columns: tuple[str, ...], name: str, timeline: MakePane) -> None:
    steps = SCENARIOS[name]
    pane = timeline("claude", board=Board(PROFILES))

    told = [event for step in steps for column in ("keys", *columns) for event in getattr(step, column)]
    pane.observe(*sorted(told, key=lambda event: event.at))
    pane.run_until(pane.now + 10)

    truth = [true for step in steps for true in step.truth]
    shown = seen(pane)
    expected = UNKNOWABLE.get(columns, {}).get(name)
    assert [status for _, status in shown] == (expected or [status for _, status in truth])
    if expected is None:
        late = [(one, true) for one, true in zip(shown, truth, strict=True) if one[0] - true[0] > LATEST_S]
        assert late == []
