"""Compares what was shown with what was true. Pure.

Rule 1: a status is right from the moment at which it was true; within `LATEST_MS` of that it has to be shown.
Rule 2: what was true for less than `BRIEF_MS` need not be shown.
Rule 3: a status that begins to be shown while something else is true is false, unless it was true at most
`LATEST_MS` before.
Rule 4: `unknown` is never false; where the truth says that it cannot be known it is right as well, and counted
apart.
Rule 5: the bell rings once for each moment at which the truth has it ring, and for nothing else.
Rule 6: a turn that the user ended shows that it was, and no other does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from orca_tui.status.record import Status
from tests.accuracy.shown import Bell, Span
from tests.accuracy.truth import Moment, Truth

LATEST_MS = 1000.0
BRIEF_MS = 100.0
ASK_RINGS_MS = 300.0
"""An ask that is answered sooner need not ring (docs/status.md)."""
FOREVER = float("inf")
NOTHING_YET = Moment(at=-FOREVER, status=Status.UNKNOWN)


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """Something that was shown wrong; `forbidden` names the rule of the table that nothing may break."""

    at: float
    what: str
    forbidden: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """Of one replay."""

    transitions: int
    asks: int
    asks_shown: int
    false_done: int
    false_idle: int
    unknown: int
    """Moments that the agent's evidence could not tell, and that were shown as unknown."""
    delays_ms: tuple[float, ...]
    """From the evidence to the right status, for every moment that was shown."""
    faults: tuple[Fault, ...] = field(default=())


@dataclass(frozen=True, kw_only=True, slots=True)
class _True:
    """A moment and how long it lasted."""

    moment: Moment
    until: float

    @property
    def brief(self) -> bool:
        return self.until - self.moment.at < BRIEF_MS


def judge(truth: Truth, spans: Sequence[Span], bells: Sequence[Bell]) -> Verdict:
    """The verdict on what was shown."""
    held = _held(truth)
    faults: list[Fault] = []
    delays: list[float] = []
    unknown = asks = asks_shown = 0
    for true in held:
        span = _showing(true, spans)
        expected = true.moment.status is not Status.UNKNOWN and not true.brief
        if true.moment.status is Status.WAITING and not true.moment.another_ask and not true.brief:
            asks += 1
            asks_shown += span is not None and _delay(true, span) <= LATEST_MS
        if span is not None:
            delays.append(_delay(true, span))
            faults += _wrong_marks(true.moment, span)
            if delays[-1] > LATEST_MS:
                faults.append(Fault(at=true.moment.at, what=f"{_told(true.moment)} {delays[-1]:.0f} ms late"))
        elif true.moment.unknowable is not None and _unknown_at(true, spans):
            unknown += 1
        elif expected:
            faults.append(Fault(at=true.moment.at, what=f"{_told(true.moment)} was not shown"))
    false = [span for span in spans if _is_false(span, held)]
    faults += [_false(span, held) for span in false]
    faults += _kept(spans, held)
    faults += _bell_faults(held, bells)
    return Verdict(
        transitions=len(truth.moments),
        asks=asks,
        asks_shown=asks_shown,
        false_done=sum(span.status is Status.DONE for span in false),
        false_idle=sum(span.status is Status.IDLE for span in false),
        unknown=unknown,
        delays_ms=tuple(delays),
        faults=tuple(sorted(faults, key=lambda fault: fault.at)),
    )


def _held(truth: Truth) -> list[_True]:
    ends = [*(moment.at for moment in truth.moments[1:]), FOREVER]
    return [_True(moment=moment, until=end) for moment, end in zip(truth.moments, ends, strict=True)]


def _at(held: Sequence[_True], at: float) -> Moment:
    """What was true then."""
    return next((true.moment for true in reversed(held) if true.moment.at <= at), NOTHING_YET)


def _showing(true: _True, spans: Sequence[Span]) -> Span | None:
    """The first span that shows a moment while it is true, or soon after it was."""
    moment = true.moment
    return next(
        (
            span
            for span in spans
            if span.status is moment.status
            and span.until > moment.at
            and span.at < max(true.until, min(true.until + LATEST_MS, moment.at + LATEST_MS))
        ),
        None,
    )


def _delay(true: _True, span: Span) -> float:
    return max(0.0, span.at - true.moment.at)


def _unknown_at(true: _True, spans: Sequence[Span]) -> bool:
    return any(
        span.status is Status.UNKNOWN and span.until > true.moment.at and span.at < true.until for span in spans
    )


def _told(moment: Moment) -> str:
    return "another ask" if moment.another_ask else str(moment.status)


def _wrong_marks(moment: Moment, span: Span) -> list[Fault]:
    faults = []
    if moment.kind is not None and span.kind is not moment.kind:
        faults.append(f"{moment.status} of kind {span.kind} instead of {moment.kind}")
    if moment.code is not None and span.code != moment.code:
        faults.append(f"exit code {span.code} instead of {moment.code}")
    if moment.status is Status.IDLE and span.interrupted is not moment.interrupted:
        faults.append("idle without the interrupt" if moment.interrupted else "idle as if interrupted")
    return [Fault(at=moment.at, what=what) for what in faults]


def _is_false(span: Span, held: Sequence[_True]) -> bool:
    """Rule 3."""
    if span.status is Status.UNKNOWN:
        return False
    return not any(
        true.moment.status is span.status and true.moment.at <= span.at < true.until + LATEST_MS
        for true in held
    )


def _false(span: Span, held: Sequence[_True]) -> Fault:
    true = _at(held, span.at)
    forbidden = None
    if span.status is Status.DONE and true.status is Status.WORKING:
        forbidden = "done while working"
    elif span.status in (Status.IDLE, Status.DONE) and true.status is Status.UNKNOWN:
        forbidden = "idle or done for unknown"
    elif true.status is Status.EXITED:
        forbidden = "something else after the exit"
    return Fault(at=span.at, what=f"{span.status} was shown, and {true.status} was true", forbidden=forbidden)


def _kept(spans: Sequence[Span], held: Sequence[_True]) -> list[Fault]:
    """What stayed although it was true no more."""
    faults = []
    for span in spans:
        ended = max((true.until for true in held if _shows(span, true)), default=None)
        if ended is None or span.until <= ended + LATEST_MS:
            continue
        forbidden = "waiting kept after the answer" if span.status is Status.WAITING else None
        if _at(held, span.until - 1).status is Status.EXITED:
            forbidden = "something else after the exit"
        faults.append(
            Fault(at=ended, what=f"{span.status} stayed {span.until - ended:.0f} ms", forbidden=forbidden)
        )
    return faults


def _shows(span: Span, true: _True) -> bool:
    overlaps = true.moment.at < span.until and span.at < true.until + LATEST_MS
    return true.moment.status is span.status and overlaps


def _bell_faults(held: Sequence[_True], bells: Sequence[Bell]) -> list[Fault]:
    """Rule 5."""
    left = list(bells)
    faults = []
    for true in held:
        if not true.moment.rings:
            continue
        rang = next((bell for bell in left if _rings_for(bell, true)), None)
        if rang is not None:
            left.remove(rang)
        elif true.until - true.moment.at > LATEST_MS and true.moment.unknowable is None:
            faults.append(Fault(at=true.moment.at, what=f"no bell for {_told(true.moment)}"))
    return faults + [_needless(bell, held) for bell in left]


def _rings_for(bell: Bell, true: _True) -> bool:
    latest = true.moment.at + LATEST_MS + (ASK_RINGS_MS if true.moment.status is Status.WAITING else 0.0)
    return bell.status is true.moment.status and true.moment.at <= bell.at <= latest


def _needless(bell: Bell, held: Sequence[_True]) -> Fault:
    true = _at(held, bell.at)
    forbidden = "a ring for the user's own interrupt" if true.interrupted else "two rings for one turn"
    if not true.interrupted and not (true.rings and true.status is bell.status):
        forbidden = "a ring for nothing"
    return Fault(at=bell.at, what=f"the bell rang for {bell.status}", forbidden=forbidden)
