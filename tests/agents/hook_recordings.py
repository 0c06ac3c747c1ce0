"""Recorded hooks of real agents, sent as the poster would send them, and what they say by themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from orca_tui.agents import hook_post
from orca_tui.agents.adapter import ReportReader
from orca_tui.status import lifecycle
from orca_tui.status.events import (
    Asked,
    ChildEnded,
    ChildStarted,
    Event,
    Resolved,
    SessionChanged,
    ToolUsed,
    TurnEnded,
    TurnStarted,
)
from orca_tui.status.lifecycle import Lifecycle
from orca_tui.status.record import Source

RECORDINGS = Path(__file__).parent.parent / "captured" / "hooks"
LATEST_S = 0.3
"""How much later than others a hook arrives on a busy machine."""
LIFECYCLE = (Asked, ChildEnded, ChildStarted, Resolved, SessionChanged, ToolUsed, TurnEnded, TurnStarted)


def body(payload: dict[str, Any], *, at: float = 0.0, event: str = "") -> bytes:
    """What the poster sends of a payload."""
    members = hook_post.members(json.dumps(payload))
    sent = {**hook_post.facts(members), "at": at, "pid": 2, "ppid": 1}
    sent.setdefault("hook_event_name", event)
    return json.dumps(sent).encode()


def recorded(name: str) -> Iterator[tuple[int, bytes]]:
    """Milliseconds and bodies, in the order in which the hooks were started."""
    lines = [json.loads(line) for line in (RECORDINGS / f"{name}.jsonl").read_text().splitlines()]
    for line in sorted((line for line in lines if "hook" in line), key=lambda line: line["at"]):
        at = line["at"]
        yield at, body(line["payload"], at=at / 1000, event=line["hook"])


def events(reader: ReportReader, payload: dict[str, Any], *, at: float = 0.0, event: str = "") -> list[Event]:
    """What one payload says."""
    return reader.report_posted(body(payload, at=at, event=event), "p1", at)


def said(reader: ReportReader, name: str) -> list[str]:
    """What the recording says, each change of it once: `2069 done`."""
    told, changes, before = Lifecycle(source=Source.HOOK), [], "idle"
    for at, report in recorded(name):
        for event in reader.report_posted(report, "p1", at / 1000):
            assert isinstance(event, LIFECYCLE)
            told = lifecycle.told(told, event)
        if words_of(told) != before:
            before = words_of(told)
            changes.append(f"{at} {before}")
    return changes


def at_rest(reader: ReportReader, name: str, seed: int | None = None) -> dict[int, str]:
    """What is said whenever no hook was started for a while; with a seed, hooks arrive late and in any order."""
    jitter = Random(seed)
    reports = list(recorded(name))
    arrivals = sorted(
        (at / 1000 + (0.0 if seed is None else jitter.uniform(0, LATEST_S)), at, report)
        for at, report in reports
    )
    starts = [at / 1000 for at, _ in reports]
    told, found = Lifecycle(source=Source.HOOK), {}
    for index, (now, _, report) in enumerate(arrivals):
        for event in reader.report_posted(report, "p1", now):
            assert isinstance(event, LIFECYCLE)
            told = lifecycle.told(told, event)
        last = max(at for _, at, _ in arrivals[: index + 1])
        if all(start <= last / 1000 or start > last / 1000 + 2 * LATEST_S for start in starts):
            found[last] = words_of(told)
    return found


def words_of(told: Lifecycle) -> str:
    reading = lifecycle.read(told)
    kind = f" {reading.kind}" if reading.kind else ""
    return f"{reading.status}{kind}"
