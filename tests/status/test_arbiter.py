"""Which source holds."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from orca_tui.status.arbiter import RANKS, TELL_S, judge, why_not
from orca_tui.status.blindspots import Context
from orca_tui.status.profile import NO_PROFILE, BlindSpot, Missed, Profile
from orca_tui.status.reading import Reading
from orca_tui.status.record import Kind, Source, Status

SPEAKS_7501 = Profile(emits_program_status=True)
MISSES_INTERRUPTS = Profile(
    blind_spots=(
        BlindSpot(source=Source.HOOK, misses=Missed.INTERRUPT, shown_by=(Source.TITLE,), after_s=1.5),
    )
)


def says(source: Source, status: Status, at: float = 0.0, **facts: Any) -> Reading:
    return Reading(source=source, status=status, at=at, detail="", **facts)


def holder(*readings: Reading, profile: Profile = SPEAKS_7501, now: float = 100.0) -> Source | None:
    reading = judge(readings, profile, Context(now=now)).reading
    return None if reading is None else reading.source


def test_every_source_has_a_rank() -> None:
    assert set(RANKS) == set(Source)


@pytest.mark.parametrize(("higher", "lower"), list(pairwise(RANKS)))
def test_a_lower_source_never_overrides_a_fresh_higher_one(higher: Source, lower: Source) -> None:
    assert holder(says(lower, Status.DONE, at=99), says(higher, Status.WORKING, at=1)) is higher


def test_a_silent_source_gives_way_to_a_fresh_one_below_it() -> None:
    silent = says(Source.PLUGIN, Status.WORKING, fresh=False)

    verdict = judge([silent, says(Source.TITLE, Status.IDLE)], NO_PROFILE, Context(now=0))

    assert verdict.reading is not None
    assert (verdict.reading.source, verdict.confirmed) == (Source.TITLE, True)


def test_silence_holds_unconfirmed_when_there_is_nothing_else() -> None:
    verdict = judge([says(Source.PLUGIN, Status.WORKING, fresh=False)], NO_PROFILE, Context(now=0))

    assert verdict.reading is not None
    assert not verdict.confirmed


def test_a_source_that_is_awaited_holds_unconfirmed_before_weaker_ones() -> None:
    verdict = judge(
        [says(Source.PLUGIN, Status.WORKING, awaited=True), says(Source.TITLE, Status.IDLE)],
        NO_PROFILE,
        Context(now=0),
    )

    assert verdict.reading is not None
    assert (verdict.reading.source, verdict.confirmed) == (Source.PLUGIN, False)


def test_nothing_at_all_is_no_reading() -> None:
    assert judge([], NO_PROFILE, Context(now=0)).reading is None


def test_a_source_that_cannot_tell_gives_way_to_one_below_it_that_can() -> None:
    title = says(Source.TITLE, Status.UNKNOWN)

    assert holder(title, says(Source.SCREEN, Status.WAITING)) is Source.SCREEN
    assert holder(title) is Source.TITLE


@pytest.mark.parametrize("own", [Source.PLUGIN, Source.HOOK])
def test_osc_7501_of_an_agent_that_does_not_speak_it_is_not_consulted_beside_its_own_reports(
    own: Source,
) -> None:
    spoofed = says(Source.PROGRAM_STATUS, Status.DONE)

    assert holder(spoofed, says(own, Status.WORKING), profile=NO_PROFILE) is own
    assert (
        holder(spoofed, says(own, Status.WORKING, fresh=False), profile=NO_PROFILE) is Source.PROGRAM_STATUS
    )
    assert "speaks no OSC 7501" in why_not(
        Source.PROGRAM_STATUS,
        judge([spoofed, says(own, Status.WORKING)], NO_PROFILE, Context(now=0)),
        NO_PROFILE,
    )


def test_osc_7501_of_an_agent_that_speaks_it_goes_before_its_hooks() -> None:
    assert holder(says(Source.PROGRAM_STATUS, Status.DONE), says(Source.HOOK, Status.WORKING)) is (
        Source.PROGRAM_STATUS
    )


@pytest.mark.parametrize("rest", [Status.IDLE, Status.DONE, Status.UNKNOWN])
def test_rest_of_a_weaker_source_ends_a_turn_that_the_holder_misses_to_end(rest: Status) -> None:
    readings = [says(Source.HOOK, Status.WORKING, at=10), says(Source.TITLE, rest, at=20, at_rest=True)]

    early = judge(readings, MISSES_INTERRUPTS, Context(now=21))
    late = judge(readings, MISSES_INTERRUPTS, Context(now=21.5))

    assert (early.fill, early.until) == (None, 21.5)
    assert late.fill is not None
    assert (late.fill.missed, late.fill.at) == (Missed.INTERRUPT, 20)


def test_rest_from_before_the_turn_ends_nothing() -> None:
    readings = [
        says(Source.HOOK, Status.WORKING, at=11, works_since=10),
        says(Source.TITLE, Status.IDLE, at=9),
    ]

    verdict = judge(readings, MISSES_INTERRUPTS, Context(now=100))

    assert (verdict.fill, verdict.until) == (None, None)


def test_a_source_without_a_blind_spot_is_believed() -> None:
    readings = [says(Source.HOOK, Status.WORKING, at=10), says(Source.TITLE, Status.IDLE, at=20)]

    assert judge(readings, NO_PROFILE, Context(now=100)).fill is None


def test_the_verdict_changes_when_the_first_reading_does() -> None:
    readings = [says(Source.PLUGIN, Status.IDLE, until=9.0), says(Source.TITLE, Status.WORKING, until=5.0)]

    assert judge(readings, NO_PROFILE, Context(now=0)).until == 5.0


def test_a_source_that_leaves_the_end_open_gives_way_to_one_that_tells() -> None:
    over = says(Source.SESSION_FILE, Status.UNKNOWN, at=10, ended=True)

    assert holder(over, says(Source.HOOK, Status.DONE, at=10.2)) is Source.HOOK
    assert holder(over) is Source.SESSION_FILE


def test_what_it_contradicts_is_believed_for_a_moment_only() -> None:
    readings = [
        says(Source.SESSION_FILE, Status.UNKNOWN, at=10, ended=True),
        says(Source.HOOK, Status.WORKING, at=5),
    ]

    early = judge(readings, NO_PROFILE, Context(now=10.5))
    late = judge(readings, NO_PROFILE, Context(now=10 + TELL_S))

    assert (early.reading, early.until) == (readings[1], 10 + TELL_S)
    assert late.reading is readings[0]
    assert early.open_ended == {Source.SESSION_FILE: 10}


def test_the_words_of_an_ask_come_from_whoever_has_them() -> None:
    seen = says(Source.SESSION_FILE, Status.WAITING, at=10, began=1.0, kind=Kind.PERMISSION)
    told = says(Source.HOOK, Status.WAITING, at=9.9, kind=Kind.QUESTION, message="rm -rf x?")

    reading = judge([seen, told], NO_PROFILE, Context(now=11)).reading

    assert reading is not None
    assert (reading.source, reading.kind, reading.message) == (
        Source.SESSION_FILE,
        Kind.PERMISSION,
        "rm -rf x?",
    )


def test_the_words_of_an_older_ask_do_not() -> None:
    seen = says(Source.SESSION_FILE, Status.WAITING, at=10, began=8.0)
    old = says(Source.HOOK, Status.WAITING, at=5, message="old")

    reading = judge([seen, old], NO_PROFILE, Context(now=11)).reading

    assert reading is not None
    assert reading.message is None


def test_the_best_source_of_sessions_and_prompts_is_named() -> None:
    program = says(Source.PROGRAM_STATUS, Status.WORKING)
    hook = says(Source.HOOK, Status.WORKING, session_id="s1", prompt="do")

    verdict = judge([program, hook], SPEAKS_7501, Context(now=0))

    assert (verdict.reading, verdict.telling) == (program, hook)
