"""All recordings with their truth, by name."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tests.accuracy import opencode, recording, truth
from tests.accuracy.recording import SUFFIXES, Recording
from tests.accuracy.truth import Truth

AGENTS = Path(__file__).parents[1] / "captured" / "agents"


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """A recording that is read when it is needed, and what was true in it."""

    name: str
    truth: Truth
    load: Callable[[Path], Recording]
    """Takes the built status plugin, which recordings of OpenCode's host need."""


def cases() -> Mapping[str, Case]:
    """Every case; raises `ValueError` for a truth that cannot be read."""
    return {case.name: case for case in [*_agents(), *_opencode()]}


def recordings() -> set[str]:
    """The names of all recordings there are, with a truth or without."""
    agents = {recording.name_of(path) for path in AGENTS.iterdir() if path.name.endswith(SUFFIXES)}
    hosts = {f"opencode_{path.parent.name}_{path.stem}" for path in opencode.OPENCODE.glob("v*/*.jsonl")}
    return agents | hosts


def beginning(case: Case, until_ms: float) -> Case:
    """The same case up to that time, for a closer look: the server only keeps its last observations."""
    return replace(
        case,
        truth=Truth(moments=tuple(moment for moment in case.truth.moments if moment.at <= until_ms)),
        load=lambda plugin: _until(case.load(plugin), until_ms),
    )


def _until(recorded: Recording, until_ms: float) -> Recording:
    return replace(recorded, lines=tuple(line for line in recorded.lines if line.at <= until_ms))


def _agents() -> list[Case]:
    truths = tomllib.loads((AGENTS / "TRUTH.toml").read_text())
    return [
        Case(
            name=name,
            truth=truth.parse(told["truth"], told.get("unknowable")),
            load=lambda _plugin, name=name: recording.load(_file(name)),  # type: ignore[misc]
        )
        for name, told in truths.items()
    ]


def _file(name: str) -> Path:
    return next(path for suffix in SUFFIXES if (path := AGENTS / f"{name}{suffix}").exists())


def _opencode() -> list[Case]:
    truths = tomllib.loads((opencode.OPENCODE / "TRUTH.toml").read_text())
    return [
        Case(
            name=f"opencode_{version}_{name}",
            truth=truth.parse(lines),
            load=lambda plugin, version=version, name=name: opencode.load(plugin, version, name),  # type: ignore[misc]
        )
        for version, names in truths.items()
        for name, lines in names.items()
    ]
