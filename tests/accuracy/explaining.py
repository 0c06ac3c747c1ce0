"""One replay for people: what was true beside what was shown, and what the board says of it."""

from __future__ import annotations

from collections.abc import Iterator

from tests.accuracy.running import Result
from tests.accuracy.shown import Span
from tests.accuracy.truth import Moment


def explained(result: Result) -> Iterator[str]:
    """Lines of text."""
    yield f"{result.case.name} ({result.recording.agent} {result.recording.version}), {result.passing}"
    yield f"{'ms':>9}  {'true':42} shown"
    for at, true, shown in sorted(_side_by_side(result), key=lambda row: row[0]):
        yield f"{at:>9.0f}  {true:42} {shown}".rstrip()
    yield "what the board says of the end:"
    for seen in result.replayed.explained:
        taken = "taken" if seen.taken else "ignored"
        yield f"  {seen.source:12} {seen.what}: {taken}, {seen.why} -> {seen.status}"
    yield from faults_of(result)


def faults_of(result: Result) -> Iterator[str]:
    """What was wrong, if anything was."""
    for fault in result.verdict.faults:
        forbidden = f" ({fault.forbidden})" if fault.forbidden else ""
        yield f"{fault.at:>9.0f}  wrong: {fault.what}{forbidden}"


def _side_by_side(result: Result) -> Iterator[tuple[float, str, str]]:
    for moment in result.case.truth.moments:
        yield moment.at, _true(moment), ""
    for span in result.replayed.spans:
        yield span.at, "", _shown(span)
    for bell in result.replayed.bells:
        yield bell.at, "", f"  bell for {bell.status}"


def _true(moment: Moment) -> str:
    marks = [
        moment.told,
        str(moment.kind or ""),
        "ring" if moment.rings else "",
        "interrupted" if moment.interrupted else "",
        "maybe" if moment.optional else "",
        "unrecorded" if moment.unrecorded else "",
        "unknowable" if moment.unknowable else "",
    ]
    return " ".join(mark for mark in marks if mark)


def _shown(span: Span) -> str:
    marks = [str(span.status), str(span.kind or ""), "interrupted" if span.interrupted else ""]
    return " ".join(mark for mark in marks if mark)
