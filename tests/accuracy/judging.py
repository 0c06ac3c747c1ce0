"""Compares what was shown with what was true. Pure.

Rule 1: a status is right from the moment at which it was true; within `LATEST_MS` of that it has to be shown.
Rule 2: what was true for a shorter time than `brief_ms` need not be shown.
Rule 3: a status that begins to be shown while something else is true is false, unless it was true at most
`LATEST_MS` before.
Rule 4: `unknown` is never false; where the truth says that it cannot be known it is right as well, and counted
apart. Of what the recording has not recorded nothing is asked.
Rule 5: the bell rings once for each moment at which the truth has it ring, and for nothing else.
Rule 6: a turn that the user ended shows that it was, and no other does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from orca_tui.status.record import Status
from tests.accuracy import bells as bell_rules
from tests.accuracy.held import Held, at, held_of
from tests.accuracy.shown import Bell, Span
from tests.accuracy.truth import Moment, Truth

LATEST_MS = 1000.0
BRIEF_MS = 250.0  # What is over by then nobody has seen in the sidebar.


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """Something that was shown wrong; `forbidden` names it where nothing may ever do that."""

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
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Seen:
    """A moment and the span that showed it, if one did."""

    held: Held
    span: Span | None

    @property
    def delay_ms(self) -> float:
        assert self.span is not None
        return max(0.0, self.span.at - self.held.moment.at)

    @property
    def is_due(self) -> bool:
        """It could be known from the beginning."""
        return self.held.moment.unknowable is None


def judge(truth: Truth, spans: Sequence[Span], bells: Sequence[Bell], brief_ms: float = BRIEF_MS) -> Verdict:
    """The verdict on what was shown; `brief_ms` is more where the evidence itself came late."""
    held = held_of(truth)
    seen = [_Seen(held=one, span=_showing(one, spans)) for one in held]
    wanted = [one for one in seen if not _need_not_be_shown(one.held, brief_ms)]
    asks = [one for one in wanted if _is_ask(one.held.moment)]
    false = [span for span in spans if _is_false(span, held)]
    unknown = [one for one in wanted if one.span is None and _told_as_unknown(one.held, spans)]
    faults = [
        *(fault for one in wanted if one not in unknown for fault in _faults_of(one)),
        *(_false(span, held) for span in false),
        *_kept(spans, held),
        *(Fault(at=at, what=what, forbidden=why) for at, what, why in bell_rules.faults(held, bells)),
    ]
    return Verdict(
        transitions=sum(not moment.unrecorded for moment in truth.moments),
        asks=len(asks),
        asks_shown=sum(one.span is not None and one.delay_ms <= LATEST_MS for one in asks),
        false_done=sum(span.status is Status.DONE for span in false),
        false_idle=sum(span.status is Status.IDLE for span in false),
        unknown=len(unknown),
        delays_ms=tuple(one.delay_ms for one in wanted if one.span is not None and one.is_due),
        faults=tuple(sorted(faults, key=lambda fault: fault.at)),
    )


def _is_ask(moment: Moment) -> bool:
    return moment.status is Status.WAITING and not moment.another_ask


def _need_not_be_shown(held: Held, brief_ms: float) -> bool:
    """Rule 2."""
    moment = held.moment
    free = moment.optional or moment.unrecorded or moment.status is Status.UNKNOWN
    return free or held.until - held.at < brief_ms


def _showing(held: Held, spans: Sequence[Span]) -> Span | None:
    """The first span that shows a moment while it is true, or within the time that it has for that."""
    latest = max(held.until, held.at + LATEST_MS)
    return next(
        (
            span
            for span in spans
            if span.status is held.moment.status and span.until > held.at and span.at < latest
        ),
        None,
    )


def _told_as_unknown(held: Held, spans: Sequence[Span]) -> bool:
    """Rule 4."""
    unknown = (span for span in spans if span.status is Status.UNKNOWN)
    overlaps = any(span.until > held.at and span.at < held.until for span in unknown)
    return held.moment.unknowable is not None and overlaps


def _faults_of(seen: _Seen) -> Iterator[Fault]:
    moment = seen.held.moment
    if seen.span is None:
        yield Fault(at=moment.at, what=f"{moment.told} was not shown")
        return
    if seen.is_due and seen.delay_ms > LATEST_MS:
        yield Fault(at=moment.at, what=f"{moment.told} was shown {seen.delay_ms:.0f} ms late")
    for what in _wrong_marks(seen.held, seen.span):
        yield Fault(at=moment.at, what=what)


def _wrong_marks(held: Held, span: Span) -> Iterator[str]:
    moment = held.moment
    if moment.kind is not None and span.kind is not moment.kind:
        yield f"{moment.status} of kind {span.kind} instead of {moment.kind}"
    if moment.code is not None and span.code != moment.code:
        yield f"exit code {span.code} instead of {moment.code}"
    newly_idle = moment.status is Status.IDLE and held.before is not Status.IDLE
    if newly_idle and not moment.either and span.interrupted is not moment.interrupted:
        yield "idle without the interrupt" if moment.interrupted else "idle as if interrupted"


def _is_false(span: Span, held: Sequence[Held]) -> bool:
    """Rule 3."""
    if span.status is Status.UNKNOWN:
        return False
    return not any(_is_told_by(span, one) and one.at <= span.at < one.until + LATEST_MS for one in held)


def _false(span: Span, held: Sequence[Held]) -> Fault:
    true = at(held, span.at)
    forbidden = None
    if span.status is Status.DONE and true.status is Status.WORKING:
        forbidden = "done while working"
    elif span.status in (Status.IDLE, Status.DONE) and true.status is Status.UNKNOWN:
        forbidden = "idle or done for unknown"
    elif true.status is Status.EXITED:
        forbidden = "anything else after the exit"
    return Fault(at=span.at, what=f"{span.status} was shown, and {true.told} was true", forbidden=forbidden)


def _kept(spans: Sequence[Span], held: Sequence[Held]) -> Iterator[Fault]:
    """What stayed although it was true no more."""
    for span in spans:
        ended = max((one.until for one in held if _is_shown_by(span, one)), default=None)
        if span.status is Status.UNKNOWN or ended is None or span.until <= ended + LATEST_MS:
            continue
        forbidden = "waiting kept after the answer" if span.status is Status.WAITING else None
        if at(held, span.until).status is Status.EXITED:
            forbidden = "anything else after the exit"
        what = f"{span.status} stayed {span.until - ended:.0f} ms too long"
        yield Fault(at=ended, what=what, forbidden=forbidden)


def _is_shown_by(span: Span, held: Held) -> bool:
    overlaps = held.at < span.until and span.at < held.until + LATEST_MS
    return _is_told_by(span, held) and overlaps


def _is_told_by(span: Span, held: Held) -> bool:
    return held.moment.unrecorded or held.moment.status is span.status
