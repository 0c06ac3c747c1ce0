"""Recordings of real agents, replayed through adapter and board, show what was written down by hand."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from orca_tui.agents import program_status
from orca_tui.agents.registry import Agents
from orca_tui.status.events import Event, InterruptPressed, ProcessExited, ReporterHeard
from orca_tui.status.record import Status
from orca_tui.status.session_table import ProcessKey

TESTS = Path(__file__).parents[1]
OPENCODE = TESTS / "captured" / "opencode"
AGENTS = TESTS / "captured" / "agents"
REPLAY = TESTS / "hosts" / "replay.mjs"

LATEST_MS = 1000  # Every status is right within a second of its evidence.
BRIEF_MS = 100  # What is true for less than that need not be shown.

INTERRUPT_KEYS = {"b'\\x1b'", "b'\\x03'"}
"""Escape and ctrl+c, as the recordings have them."""
FALLBACK_CODE = -2
"""Of an exit whose mark names no code (see TRUTH.toml)."""

OPENCODE_TRUTH = tomllib.loads((OPENCODE / "TRUTH.toml").read_text())
AGENTS_TRUTH = tomllib.loads((AGENTS / "TRUTH.toml").read_text())


def recorded(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text().splitlines():
        yield json.loads(line)


# What was shown, in the words of the truth.


def split(line: str) -> tuple[int, str]:
    at, _, told = line.partition(" ")
    return int(at), told


def words(shown: Any) -> str:
    """`waiting kind=permission ring`, as TRUTH.toml has it."""
    told = [str(shown.status)]
    if shown.another_ask:
        told = ["asks", "2"]
    elif shown.kind is not None:
        told.append(f"kind={shown.kind}")
    if shown.rings > 0:
        told.append("ring")
    if shown.interrupted and shown.status is Status.IDLE:
        told.append("interrupted")
    if shown.code is not None:
        told += ["code", str(shown.code)]
    return " ".join(told)


def without_kind(told: str) -> str:
    return " ".join(word for word in told.split() if not word.startswith("kind="))


def lasting(truth: list[tuple[int, str]], told: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The truth without what was too brief to be shown, and was not."""
    kept: list[tuple[int, str]] = []
    for (at, status), (ends, _) in zip(truth, [*truth[1:], (sys.maxsize, "")], strict=True):
        seen = len(kept) < len(told) and without_kind(told[len(kept)][1]) == without_kind(status)
        if seen or ends - at >= BRIEF_MS:
            kept.append((at, status))
    return kept


def check(timeline: Any, lines: list[str]) -> None:
    """The statuses shown are those of the truth, in their order, once each, in time."""
    told = [
        (round(shown.at * 1000), words(shown))
        for shown, following in zip(timeline.shown, [*timeline.shown[1:], None], strict=True)
        if following is None or following.at > shown.at
    ]
    truth = lasting([split(line) for line in lines], told)
    for index, (_, expected) in enumerate(truth[: len(told)]):
        if expected == without_kind(expected):
            told[index] = (told[index][0], without_kind(told[index][1]))
    assert [status for _, status in told] == [status for _, status in truth]
    late = [
        (one, true) for one, true in zip(told, truth, strict=True) if not 0 <= one[0] - true[0] <= LATEST_MS
    ]
    assert late == []
    assert all(shown.rings <= 1 for shown in timeline.shown)


# OpenCode: the recording goes through the status plugin, its tables through the adapter.


@pytest.fixture(scope="session")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plugin") / "orca-tui-status.mjs"
    subprocess.run([sys.executable, "-m", "status_plugin.generate", str(path)], check=True)
    return path


def tables(plugin: Path, recording: Path) -> list[tuple[int, bytes]]:
    """What the plugin posts, with the time in ms."""
    command = ["node", str(REPLAY), "--plugin", str(plugin), str(recording)]
    printed = subprocess.run(command, check=True, capture_output=True, timeout=60).stdout
    posts = [json.loads(line) for line in printed.splitlines()]
    return [(post["at"], json.dumps(post["table"]).encode()) for post in posts]


def exit_of(recording: Path) -> list[tuple[int, Event]]:
    for line in recorded(recording):
        if line["kind"] == "mark" and line["what"] == "exited":
            told = line.get("line", "").removeprefix("EXIT=")
            code = line.get("rc", int(told) if told else FALLBACK_CODE)
            return [(line["at"], ProcessExited(at=line["at"] / 1000, exit_code=code))]
    return []


def opencode_events(plugin: Path, recording: Path) -> list[tuple[int, Event]]:
    reader = Agents().reader("opencode")
    assert reader is not None
    events: list[tuple[int, Event]] = []
    for at, body in tables(plugin, recording):
        events += [(at, event) for event in reader.report_posted(body, "p1", at / 1000)]
    process = ProcessKey.parse("4242-1767225599.5")
    first = events[0][0]
    events.append((first, ReporterHeard(at=first / 1000, process=process, polling=True)))
    return sorted(events + exit_of(recording), key=lambda timed: timed[0])


@pytest.mark.parametrize(
    ("version", "name"), [(version, name) for version, names in OPENCODE_TRUTH.items() for name in names]
)
def test_an_opencode_recording_shows_its_truth(
    version: str, name: str, plugin: Path, timeline: Callable[..., Any]
) -> None:
    pane = timeline("opencode")

    for _, event in opencode_events(plugin, OPENCODE / version / f"{name}.jsonl"):
        pane.observe(event)

    check(pane, OPENCODE_TRUTH[version][name])


def test_every_opencode_recording_has_its_truth() -> None:
    # These need a second process, or the shared service in which the plugin is silent.
    without = {"dl_attach", "v2tui_service", "v2tui_standalone", "v2tui_standalone_kill"}

    for version, truth in OPENCODE_TRUTH.items():
        names = {path.stem for path in (OPENCODE / version).glob("*.jsonl")}
        assert names - without == set(truth)


# The others: titles, OSC 7501 and keys.


def agent_events(agent: str, line: dict[str, Any]) -> list[Event]:
    at, label = line["at"] / 1000, line["label"]
    if line["kind"] == "title":
        adapter = Agents().by_name(agent)
        return adapter.title_said(label, at) if adapter else []
    if line["kind"] == "osc":
        return program_status.read(label.removeprefix("OSC 7501;"), at) if "7501" in label else []
    if line.get("bytes") in INTERRUPT_KEYS:
        return [InterruptPressed(at=at)]
    if label.startswith("exited=True status="):
        return [ProcessExited(at=at, exit_code=-int(label.rpartition("=")[2]))]
    return [ProcessExited(at=at, exit_code=0)] if label in ("exited", "exit 0") else []


@pytest.mark.parametrize("name", AGENTS_TRUTH)
def test_a_recording_of_another_agent_shows_its_truth_but_for_the_known_misses(
    name: str, timeline: Callable[..., Any]
) -> None:
    entry = AGENTS_TRUTH[name]
    pane = timeline(entry["agent"])

    for line in recorded(AGENTS / f"{name}.jsonl"):
        pane.observe(*agent_events(entry["agent"], line))
    pane.run_until(pane.now + 1)

    misses = {at: shown for at, (shown, _) in entry.get("misses", {}).items()}
    expected = [misses.get(truth.partition(" ")[0], truth) for truth in entry["truth"]]
    check(pane, [line for line in expected if line])
