"""What is shown once a source holds: silence and stalls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from orca_tui.status.board import Board
from orca_tui.status.events import EvidenceLost, EvidenceRegained, ReporterDied, Says
from orca_tui.status.record import Kind, Source, Status
from orca_tui.status.reporters import SILENCE_S
from orca_tui.status.session_table import SessionRow
from orca_tui.status.settling import LOST_S, STALL_S
from orca_tui.status.turns import Ask
from tests.status.told import (
    PROCESS,
    PROFILES,
    asked,
    busy,
    end,
    ended,
    output,
    polls,
    post,
    said,
    screen,
    start,
)

MakePane = Callable[..., Any]


@pytest.fixture
def claude(timeline: MakePane) -> Any:
    return timeline("claude", board=Board(PROFILES))


@pytest.fixture
def gemini(timeline: MakePane) -> Any:
    return timeline("gemini", board=Board(PROFILES))


# Silence.


def test_a_silent_reporter_is_unconfirmed_then_unknown_and_never_done(timeline: MakePane) -> None:
    pane = timeline("opencode")
    pane.observe(post(1, busy()))

    pane.run_until(1 + SILENCE_S)
    assert (pane.record.status, pane.record.confirmed) == (Status.WORKING, False)
    pane.run_until(1 + LOST_S)

    assert (pane.record.status, pane.record.confirmed) == (Status.UNKNOWN, False)
    assert pane.statuses() == [Status.WORKING, Status.UNKNOWN]
    assert pane.record.since == 1 + LOST_S


@pytest.mark.parametrize("asks", [(), (Ask(id="a", kind=Kind.PERMISSION),)])
def test_silence_makes_waiting_and_idle_unknown_as_well(timeline: MakePane, asks: tuple[Ask, ...]) -> None:
    pane = timeline("opencode")

    pane.observe(post(1, SessionRow(id="s1", asks=asks)))
    pane.run_until(1 + LOST_S)

    assert pane.record.status is Status.UNKNOWN


def test_how_a_turn_ended_outlives_silence(timeline: MakePane) -> None:
    pane = timeline("opencode")

    pane.observe(post(1, busy()), post(2, ended()))
    pane.run_until(500)

    record = pane.record
    assert (record.status, record.unread, record.confirmed) == (Status.DONE, True, False)


def test_a_reporter_that_polls_is_never_silent(timeline: MakePane) -> None:
    pane = timeline("opencode")

    pane.observe(post(1, busy()), polls(2))
    pane.run_until(5000)

    assert (pane.record.status, pane.record.confirmed) == (Status.WORKING, True)


def test_a_poll_that_overtakes_the_first_table_is_heard(timeline: MakePane) -> None:
    pane = timeline("opencode")

    pane.observe(polls(0.9), post(1, busy()))
    pane.run_until(5000)

    assert (pane.record.status, pane.record.confirmed) == (Status.WORKING, True)


def test_a_reporter_that_is_heard_again_goes_on_in_the_same_turn(timeline: MakePane) -> None:
    pane = timeline("opencode")
    pane.observe(post(1, busy()))
    pane.run_until(100)

    pane.observe(polls(101))
    assert (pane.record.status, pane.record.confirmed, pane.record.turn_started_at) == (
        Status.WORKING,
        True,
        1,
    )
    pane.observe(post(102, ended()))

    assert (pane.record.status, pane.record.turns, pane.rings) == (Status.DONE, 1, [Status.DONE])


def test_weaker_evidence_ends_a_silent_turn_quietly(timeline: MakePane) -> None:
    pane = timeline("opencode")

    pane.observe(said(0.5, Says.WORKING), post(1, busy()), said(11, Says.IDLE))
    pane.run_until(20)

    assert pane.statuses() == [Status.WORKING, Status.IDLE]
    assert (pane.rings, pane.record.turns, pane.record.confirmed) == ([], 0, True)


def test_the_reporters_own_word_after_that_is_news(timeline: MakePane) -> None:
    pane = timeline("opencode")
    pane.observe(said(0.5, Says.WORKING), post(1, busy()), said(11, Says.IDLE))
    pane.run_until(20)

    pane.observe(post(21, ended()))

    assert (pane.record.status, pane.rings, pane.record.turns) == (Status.DONE, [Status.DONE], 1)


def test_what_a_dead_reporter_claimed_is_dropped(timeline: MakePane) -> None:
    working, done = timeline(None), timeline(None)

    working.observe(post(1, busy()), ReporterDied(at=2, process=PROCESS))
    done.observe(post(1, busy()), post(2, ended()), ReporterDied(at=3, process=PROCESS))

    assert (working.record.status, working.rings) == (Status.UNKNOWN, [])
    assert (done.record.status, done.record.unread) == (Status.DONE, True)


def test_a_broken_link_changes_nothing_but_the_confirmation(timeline: MakePane) -> None:
    pane = timeline("opencode")

    pane.observe(post(1, busy()), EvidenceLost(at=2, why="ssh"))
    pane.run_until(500)
    assert (pane.record.status, pane.record.confirmed) == (Status.WORKING, False)
    pane.observe(EvidenceRegained(at=500), polls(501))

    assert (pane.record.status, pane.record.confirmed) == (Status.WORKING, True)
    assert pane.statuses() == [Status.WORKING]


# Stalls.


def test_a_working_agent_that_gives_no_sign_of_life_is_unknown_and_never_done(claude: Any) -> None:
    claude.observe(start(1, "t1"), output(5))

    claude.run_until(5 + STALL_S - 1)
    assert claude.record.status is Status.WORKING
    claude.run_until(5 + STALL_S)

    assert (claude.record.status, claude.record.confirmed, claude.rings) == (Status.UNKNOWN, False, [])


@pytest.mark.parametrize("sign", [output(3000), said(3000, "working"), screen(3000, "working")])
def test_any_sign_of_life_goes_on_with_the_same_turn(claude: Any, sign: Any) -> None:
    claude.observe(said(0.5, "working"), screen(0.5, "working"), start(1, "t1"), output(5))
    claude.run_until(2999)
    assert claude.record.status is Status.UNKNOWN

    claude.observe(sign)
    assert (claude.record.status, claude.record.turn_started_at) == (Status.WORKING, 0.5)
    claude.observe(end(3001, "t1"))

    assert (claude.record.turns, claude.rings) == (1, [Status.DONE])


def test_an_agent_whose_terminal_is_written_to_works_for_hours(claude: Any) -> None:
    claude.observe(start(1, "t1"))

    for minute in range(0, 600, 10):
        claude.observe(output(60.0 * minute + 2))

    assert claude.statuses() == [Status.WORKING]


def test_a_spinner_that_turns_is_a_sign_of_life(claude: Any) -> None:
    claude.observe(said(1, "working"), output(1))

    for minute in range(0, 600, 10):
        claude.observe(said(60.0 * minute + 2, "working"))

    assert Status.UNKNOWN not in claude.statuses()


def test_where_nothing_would_show_life_its_absence_proves_nothing(claude: Any) -> None:
    claude.observe(start(1, "t1"))

    claude.run_until(10 * STALL_S)

    assert claude.record.status is Status.WORKING


def test_an_agent_may_wait_for_its_user_for_days(claude: Any) -> None:
    claude.observe(start(1, "t1"), output(1), asked(2, "a", turn="t1"))

    claude.run_until(100 * STALL_S)

    assert claude.record.status is Status.WAITING


def test_a_reporter_with_a_heartbeat_does_not_stall(timeline: MakePane) -> None:
    pane = timeline("opencode")

    pane.observe(post(1, busy()), polls(1), output(2))
    pane.run_until(10 * STALL_S)

    assert pane.record.status is Status.WORKING


def test_output_alone_is_no_verdict(claude: Any) -> None:
    claude.observe(output(1), said(2, "nothing", Source.OUTPUT))

    assert claude.record.status is Status.UNKNOWN
    claude.observe(start(3, "t1"), said(4, "nothing", Source.OUTPUT))
    assert claude.record.status is Status.WORKING
