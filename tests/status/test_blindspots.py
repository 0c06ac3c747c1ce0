"""What the holder misses, and who shows it when."""

from __future__ import annotations

from typing import Any

import pytest

from orca_tui.status.blindspots import HOLD_S, Blind, Context, look
from orca_tui.status.profile import BlindSpot, Missed
from orca_tui.status.reading import Reading
from orca_tui.status.record import Kind, Source, Status
from orca_tui.status.turns import End, Ending

AFTER_S = 1.5
LIMIT = End(how=Ending.ERROR, kind=Kind.RATE_LIMIT, message="limit", resets_at=99.0)


def says(source: Source, status: Status, at: float, **facts: Any) -> Reading:
    return Reading(source=source, status=status, at=at, detail="rule", **facts)


def hook(status: Status, at: float = 10.0, **facts: Any) -> Reading:
    return says(Source.HOOK, status, at, **{"began": 10.0, "works_since": 10.0} | facts)


def title(status: Status, at: float, **facts: Any) -> Reading:
    return says(Source.TITLE, status, at, **facts)


def blind(missed: Missed, holder: Reading, witness: Reading, now: float, **context: Any) -> Blind:
    spot = BlindSpot(source=holder.source, misses=missed, shown_by=(witness.source,), after_s=AFTER_S)
    return look(holder, [holder, witness], [spot], Context(now=now, **context))


CONTRARY = {
    Missed.START: (hook(Status.IDLE), title(Status.WORKING, 20)),
    Missed.ASK: (hook(Status.WORKING), title(Status.WAITING, 20)),
    Missed.ANSWER: (hook(Status.WAITING), title(Status.WORKING, 20)),
    Missed.INTERRUPT: (hook(Status.WORKING), title(Status.IDLE, 20)),
    Missed.FAILURE: (hook(Status.WORKING), title(Status.ERROR, 20, failed=LIMIT)),
    Missed.SIGN_IN: (hook(Status.IDLE), title(Status.WAITING, 20, kind=Kind.AUTH)),
}


@pytest.mark.parametrize("missed", list(Missed))
def test_a_witness_is_believed_after_a_while_and_not_before(missed: Missed) -> None:
    early = blind(missed, *CONTRARY[missed], now=20 + AFTER_S - 0.1)
    late = blind(missed, *CONTRARY[missed], now=20 + AFTER_S)

    assert (early.fill, early.until) == (None, 20 + AFTER_S)
    assert late.fill is not None
    assert (late.fill.missed, late.fill.witness, late.fill.at) == (missed, Source.TITLE, 20)


@pytest.mark.parametrize("missed", list(Missed))
def test_what_was_said_before_is_no_evidence(missed: Missed) -> None:
    holder, witness = CONTRARY[missed]
    old = title(witness.status, 9, failed=witness.failed)

    assert blind(missed, holder, old, now=100) == Blind()


@pytest.mark.parametrize("missed", list(Missed))
def test_only_what_a_source_is_known_to_miss_is_filled(missed: Missed) -> None:
    for other in Missed:
        found = blind(other, *CONTRARY[missed], now=100).fill

        # A failure ends the turn as well; a source that misses starts misses every claim.
        also = (other, missed) in ((Missed.INTERRUPT, Missed.FAILURE), (Missed.START, Missed.SIGN_IN))
        assert (found is not None) == (other is missed or also)


@pytest.mark.parametrize(
    ("status", "kind", "believed"),
    [
        (Status.IDLE, Kind.AUTH, True),
        (Status.DONE, Kind.AUTH, True),
        (Status.IDLE, Kind.PERMISSION, False),
        (Status.ERROR, Kind.AUTH, False),
        (Status.WORKING, Kind.AUTH, False),
    ],
)
def test_a_sign_in_is_shown_to_rest_alone_and_nothing_but_a_sign_in(
    status: Status, kind: Kind, believed: bool
) -> None:
    witness = title(Status.WAITING, 20, kind=kind)

    assert (blind(Missed.SIGN_IN, hook(status), witness, now=100).fill is not None) == believed


def test_a_missing_sign_in_that_stood_there_before_the_first_rest_counts_until_a_turn_has_begun() -> None:
    footer = title(Status.WAITING, 9, kind=Kind.AUTH)

    assert blind(Missed.SIGN_IN, hook(Status.IDLE), footer, now=10 + AFTER_S - 0.1, unused=True).fill is None
    assert blind(Missed.SIGN_IN, hook(Status.IDLE), footer, now=10 + AFTER_S, unused=True).fill is not None
    assert blind(Missed.SIGN_IN, hook(Status.IDLE), footer, now=100).fill is None


def test_rest_from_while_it_asked_is_no_interrupt_of_the_work_after_it() -> None:
    resumed = hook(Status.WORKING, at=30, works_since=30.0)

    assert blind(Missed.INTERRUPT, resumed, title(Status.UNKNOWN, 20, at_rest=True), now=100).fill is None


def test_a_witness_that_is_not_named_shows_nothing() -> None:
    spot = BlindSpot(source=Source.HOOK, misses=Missed.INTERRUPT, shown_by=(Source.SCREEN,), after_s=0.0)
    readings = [hook(Status.WORKING), title(Status.IDLE, 20)]

    assert look(readings[0], readings, [spot], Context(now=100)) == Blind()


def test_a_late_word_of_the_holder_gives_it_time_again() -> None:
    found = blind(Missed.INTERRUPT, hook(Status.WORKING, at=20.3), title(Status.IDLE, 20), now=21.5)

    assert (found.fill, found.until) == (None, 20.3 + AFTER_S)


@pytest.mark.parametrize(
    ("pressed", "at_once"),
    [(19.8, True), (20.2, True), (18.9, False), (9.0, False), (None, False)],
)
def test_an_interrupt_key_makes_an_interrupt_certain_at_once(pressed: float | None, at_once: bool) -> None:
    found = blind(
        Missed.INTERRUPT, hook(Status.WORKING), title(Status.IDLE, 20), now=20.3, interrupt_at=pressed
    )

    assert (found.fill is not None) is at_once


def test_an_interrupted_turn_is_the_holders_own_end() -> None:
    fill = blind(Missed.INTERRUPT, *CONTRARY[Missed.INTERRUPT], now=100).fill

    assert fill is not None
    assert (fill.reading.source, fill.reading.status, fill.reading.interrupted) == (
        Source.HOOK,
        Status.IDLE,
        True,
    )
    assert fill.end == End(how=Ending.INTERRUPTED)


def test_rest_that_may_be_waiting_ends_work_and_no_ask() -> None:
    rest = title(Status.UNKNOWN, 20, at_rest=True)

    assert blind(Missed.INTERRUPT, hook(Status.WORKING), rest, now=100).fill is not None
    assert blind(Missed.INTERRUPT, hook(Status.WAITING), rest, now=100).fill is None


def test_a_source_that_cannot_tell_how_a_turn_ended_still_shows_that_it_is_over() -> None:
    over = title(Status.UNKNOWN, 20, ended=True)

    assert blind(Missed.INTERRUPT, hook(Status.WORKING), over, now=100).fill is not None
    assert blind(Missed.INTERRUPT, hook(Status.WAITING), over, now=100).fill is not None


def test_a_turn_that_stops_with_a_failure_was_not_interrupted() -> None:
    fill = blind(Missed.INTERRUPT, hook(Status.WORKING), title(Status.ERROR, 20, failed=LIMIT), now=100).fill

    assert fill is not None
    assert (fill.end, fill.reading.status) == (LIMIT, Status.ERROR)


@pytest.mark.parametrize(
    ("at", "believed"), [(9.0, False), (15.0, True), (20 + AFTER_S, True), (22.0, False)]
)
def test_a_failure_is_of_the_turn_that_just_ended(at: float, believed: bool) -> None:
    failed = title(Status.WORKING, at, failed=LIMIT)  # It may still be settling.

    fill = blind(Missed.FAILURE, hook(Status.DONE, at=20), failed, now=100).fill

    assert (fill is not None) is believed
    if fill is not None:
        assert (fill.reading.status, fill.reading.message, fill.reading.resets_at) == (
            Status.ERROR,
            "limit",
            99.0,
        )


def test_an_end_that_may_prove_a_failure_is_held_back_for_a_moment_only() -> None:
    found = blind(Missed.FAILURE, hook(Status.DONE, at=20), title(Status.IDLE, 15), now=20)
    other = blind(Missed.INTERRUPT, hook(Status.DONE, at=20), title(Status.IDLE, 15), now=20)

    assert (found.hold_until, other.hold_until) == (20 + HOLD_S, None)


def test_a_turn_that_only_a_witness_saw_begin_is_its_own_to_end() -> None:
    done = title(Status.DONE, 30)

    own = blind(Missed.START, hook(Status.IDLE), done, now=30, runs=Source.TITLE)
    other = blind(Missed.START, hook(Status.IDLE), done, now=30)

    assert own.fill is not None
    assert own.fill.reading is done
    assert other.fill is None


def test_the_holder_takes_its_turn_back_when_it_speaks() -> None:
    found = blind(
        Missed.START, hook(Status.IDLE, at=31), title(Status.WORKING, 30), now=100, runs=Source.TITLE
    )

    assert found.fill is None
