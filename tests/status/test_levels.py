"""Sources that know levels only, and the turns that are seen in them."""

from __future__ import annotations

import pytest

from orca_tui.status import levels
from orca_tui.status.events import Says, StateSaid
from orca_tui.status.levels import INTERRUPT_S, SETTLE_S, Level
from orca_tui.status.reading import Reading
from orca_tui.status.record import Kind, Source, Status
from orca_tui.status.turns import End, Ending

LIMIT = StateSaid(
    at=2,
    source=Source.TITLE,
    says=Says.FAILED,
    detail="",
    kind=Kind.RATE_LIMIT,
    text="limit",
    resets_at=99.0,
)
ASKED = StateSaid(
    at=2, source=Source.TITLE, says=Says.WAITING, detail="", kind=Kind.PERMISSION, text="run ls?"
)


def said(*words: tuple[float, Says], interrupt_at: float | None = None) -> Level:
    level: Level | None = None
    for at, says in words:
        event = StateSaid(at=at, source=Source.TITLE, says=says, detail=str(says))
        level = levels.said(level, event, interrupt_at)
    assert level is not None
    return level


def read(level: Level, now: float, *, unproven: bool = False) -> Reading:
    reading = levels.read(levels.matured(level, now), first_rest_proves_nothing=unproven)
    assert reading is not None
    return reading


def test_idle_ends_a_turn_once_it_has_settled() -> None:
    level = said((1, Says.WORKING), (2, Says.IDLE))

    settling = read(level, 2 + SETTLE_S / 2)
    assert (settling.status, settling.ends, settling.until) == (Status.WORKING, 0, 2 + SETTLE_S)
    settled = read(level, 2 + SETTLE_S)
    assert (settled.status, settled.ends, settled.interrupted) == (Status.DONE, 1, False)


def test_a_flash_of_idle_between_two_steps_is_no_end() -> None:
    level = said((1, Says.WORKING), (2, Says.IDLE), (2.1, Says.WORKING), (3, Says.IDLE))

    assert read(level, 10).ends == 1


def test_an_idle_that_settles_after_an_ask_counts_as_the_ask() -> None:
    level = said((1, Says.WORKING), (2, Says.WAITING), (3, Says.IDLE))

    assert read(level, 3).status is Status.WAITING


@pytest.mark.parametrize(("pressed", "interrupted"), [(1.9, True), (2 - INTERRUPT_S - 0.1, False)])
def test_an_interrupt_key_just_before_makes_the_end_the_users_own(pressed: float, interrupted: bool) -> None:
    level = said((1, Says.WORKING), (2, Says.IDLE), interrupt_at=pressed)

    reading = read(level, 3)

    assert reading.interrupted is interrupted
    assert reading.status is (Status.IDLE if interrupted else Status.DONE)
    assert reading.ends == 1


def test_an_interrupted_end_needs_no_settling() -> None:
    level = said((1, Says.WORKING), (2, Says.IDLE), interrupt_at=1.9)

    assert read(level, 2).status is Status.IDLE


def test_a_turn_after_an_interrupted_one_is_done_again() -> None:
    level = said((1, Says.WORKING), (2, Says.IDLE), interrupt_at=1.9)
    for at, says in ((3.0, Says.WORKING), (9.0, Says.IDLE)):
        level = levels.said(level, StateSaid(at=at, source=Source.TITLE, says=says, detail=""), 1.9)

    assert read(level, 10).status is Status.DONE


def test_rest_that_may_be_waiting_is_unknown_and_ends_nothing() -> None:
    reading = read(said((1, Says.WORKING), (2, Says.AT_REST)), 10)

    assert (reading.status, reading.ends) == (Status.UNKNOWN, 0)


def test_the_first_idle_is_unknown_where_it_proves_nothing() -> None:
    assert read(said((1, Says.IDLE)), 10, unproven=True).status is Status.UNKNOWN
    assert read(said((1, Says.IDLE)), 10, unproven=False).status is Status.IDLE
    assert read(said((1, Says.WAITING), (2, Says.IDLE)), 10, unproven=True).status is Status.IDLE


def test_a_source_that_stops_to_say_anything_is_not_consulted_and_ends_nothing() -> None:
    level = said((1, Says.WORKING), (2, Says.NOTHING), (3, Says.IDLE))

    assert levels.read(said((1, Says.WORKING), (2, Says.NOTHING)), first_rest_proves_nothing=False) is None
    assert read(level, 10).ends == 0


def test_a_repeated_word_changes_nothing() -> None:
    level = said((1, Says.WORKING))

    assert (
        levels.said(level, StateSaid(at=5, source=Source.TITLE, says=Says.WORKING, detail="x"), None) is level
    )


def test_every_ask_has_a_name_of_its_own() -> None:
    first = read(said((1, Says.WAITING)), 2)
    second = read(said((1, Says.WAITING), (2, Says.WORKING), (3, Says.WAITING)), 4)

    assert first.ask is not None
    assert first.ask != second.ask


def test_a_failed_turn_is_an_error_once_it_has_settled() -> None:
    level = said((1, Says.WORKING), (2, Says.FAILED))

    settling, settled = read(level, 2.1), read(level, 3)
    assert (settling.status, settling.failed is None) == (Status.WORKING, False)
    assert (settled.status, settled.ends) == (Status.ERROR, 1)


def test_a_failure_tells_what_it_was() -> None:
    level = levels.said(said((1, Says.WORKING)), LIMIT, None)

    reading = read(level, 9)

    assert (reading.kind, reading.message, reading.resets_at) == (Kind.RATE_LIMIT, "limit", 99.0)
    assert reading.failed == End(how=Ending.ERROR, kind=Kind.RATE_LIMIT, message="limit", resets_at=99.0)


def test_a_failure_while_the_end_settles_takes_no_longer() -> None:
    level = said((1, Says.WORKING), (2, Says.IDLE), (2.3, Says.FAILED))

    assert read(level, 2 + SETTLE_S).status is Status.ERROR
    assert read(level, 2 + SETTLE_S).ends == 1


def test_a_failure_after_an_interrupt_key_is_the_users_own() -> None:
    reading = read(said((1, Says.WORKING), (2, Says.FAILED), interrupt_at=1.9), 2)

    assert (reading.status, reading.interrupted, reading.failed) == (Status.IDLE, True, None)


def test_a_key_from_before_the_turn_interrupts_nothing() -> None:
    assert read(said((1, Says.WORKING), (1.4, Says.IDLE), interrupt_at=0.9), 9).status is Status.DONE


def test_ended_is_idle_before_the_first_turn_and_unknown_after_one() -> None:
    fresh, after = read(said((1, Says.ENDED)), 9), read(said((1, Says.WORKING), (2, Says.ENDED)), 9)

    assert (fresh.status, fresh.ended) == (Status.IDLE, False)
    assert (after.status, after.ended, after.ends) == (Status.UNKNOWN, True, 0)


def test_ended_after_an_interrupt_key_is_the_users_own() -> None:
    reading = read(said((1, Says.WORKING), (2, Says.ENDED), interrupt_at=1.9), 2)

    assert (reading.status, reading.interrupted, reading.ends) == (Status.IDLE, True, 1)


def test_a_dialog_that_rest_follows_at_once_was_declined() -> None:
    level = said((1, Says.WORKING), (2, Says.WAITING), (3, Says.IDLE))

    assert (read(level, 9).status, read(level, 9).interrupted) == (Status.IDLE, True)


def test_a_dialog_that_work_follows_was_not() -> None:
    level = said((1, Says.WORKING), (2, Says.WAITING), (3, Says.WORKING), (4, Says.IDLE))

    assert (read(level, 9).status, read(level, 9).interrupted) == (Status.DONE, False)


def test_the_ask_is_still_told_while_the_rest_after_it_settles() -> None:
    level = levels.said(said((1, Says.WORKING)), ASKED, None)
    level = levels.said(level, StateSaid(at=3, source=Source.TITLE, says=Says.IDLE, detail=""), None)

    reading = read(level, 3.1)

    assert (reading.status, reading.kind, reading.message) == (Status.WAITING, Kind.PERMISSION, "run ls?")


def test_another_session_makes_an_open_end_no_question() -> None:
    level = levels.begun_anew(levels.matured(said((1, Says.WORKING), (2, Says.ENDED)), 9))

    assert read(level, 9).status is Status.IDLE


def test_a_working_source_may_say_what_runs() -> None:
    event = StateSaid(at=1, source=Source.TITLE, says=Says.WORKING, detail="", text="1 shell still running")

    assert read(levels.said(None, event, None), 2).message == "1 shell still running"
