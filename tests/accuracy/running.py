"""Runs cases: each recording as it came and in its variations, and the verdict on each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.accuracy.corpus import Case
from tests.accuracy.judging import BRIEF_MS, Verdict, judge
from tests.accuracy.recording import Recording
from tests.accuracy.replay import Replayed, replay
from tests.accuracy.variations import PASSES


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """One pass of one case."""

    case: Case
    recording: Recording
    passing: str
    replayed: Replayed
    verdict: Verdict


def run(case: Case, plugin: Path) -> Iterator[Result]:
    """All passes of a case."""
    recorded = case.load(plugin)
    for index, one in enumerate(PASSES):
        varied = one.vary(recorded)
        if index and varied.lines == recorded.lines:
            continue  # It has nothing that could come otherwise.
        replayed = replay(varied)
        verdict = judge(case.truth, replayed.spans, replayed.bells, BRIEF_MS + one.late_ms)
        yield Result(case=case, recording=recorded, passing=one.name, replayed=replayed, verdict=verdict)
