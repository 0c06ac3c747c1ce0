"""What is shown once a source holds: silence, stalls, boundaries, and ends that were open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from orca_tui.status.board import Board
from orca_tui.status.events import EvidenceLost, EvidenceRegained, ReporterDied, Says, Watched
from orca_tui.status.profile import BlindSpot, Missed, Profile
from orca_tui.status.record import Kind, Source, Status
from orca_tui.status.reporters import SILENCE_S
from orca_tui.status.session_table import SessionRow
from orca_tui.status.settling import BOUNDARY_S, BRIEF_S, LOST_S, STALL_S
from orca_tui.status.turns import Ask
from tests.status.told import (
    FILE,
    HOOK,
    PROCESS,
    PROFILES,
    SCREEN,
    asked,
    busy,
    end,
    ended,
    esc,
    file,
    output,
    polls,
    post,
    program,
    said,
    screen,
    session,
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


# Another session.


def test_another_session_takes_the_news_of_the_last_one_away(claude: Any) -> None:
    claude.observe(session(1, "s1"), start(2, "t1"), end(3, "t1"))
    assert claude.record.unread

    claude.observe(session(90, "s2"))

    record = claude.record
    assert (record.status, record.unread, record.interrupted, record.session_id) == (
        Status.IDLE,
        False,
        False,
        "s2",
    )
    assert (claude.rings, record.turns) == ([Status.DONE], 1)


@pytest.mark.parametrize("after_s", [-0.9, -0.2, 0.2, 0.9])
@pytest.mark.parametrize("state", ["idle", "done", "error"])
def test_rest_around_another_session_is_idle_and_rings_for_nothing_after_it(
    claude: Any, state: str, after_s: float
) -> None:
    claude.observe(session(1, "s1"), program(9, "working", "claude"))

    claude.observe(*sorted([program(10 + after_s, state), session(10, "s2")], key=lambda event: event.at))
    claude.run_until(20)

    record = claude.record
    assert (record.status, record.interrupted, record.unread) == (Status.IDLE, False, False)
    assert after_s < 0 or claude.rings == []


def test_rest_long_after_another_session_is_an_end(claude: Any) -> None:
    claude.observe(session(1, "s1"), program(9, "working", "claude"), session(10, "s2"))

    claude.observe(program(10 + BOUNDARY_S + 0.1, "done"))

    assert (claude.record.status, claude.rings) == (Status.DONE, [Status.DONE])


def test_a_turn_that_begins_with_its_session_ends_like_any_other(claude: Any) -> None:
    """Codex names its new session at the next prompt, just after its terminal said that it works."""
    claude.observe(session(1, "s1"))

    claude.observe(program(9.9, "working", "claude"), session(10, "s2"), start(10, "t1", session_id="s2"))
    claude.observe(program(10.4, "done"))

    assert (claude.record.status, claude.rings) == (Status.DONE, [Status.DONE])


def test_the_first_session_that_is_heard_of_is_no_boundary(claude: Any) -> None:
    claude.observe(program(9.9, "working", "claude"), session(10, "s1"), program(10.4, "done"))

    assert (claude.record.status, claude.rings) == (Status.DONE, [Status.DONE])


def test_a_session_that_two_sources_name_is_one_boundary(claude: Any) -> None:
    claude.observe(session(1, "s1"), session(1, "s1", FILE), session(10, "s2"))

    claude.observe(start(10.2, "t1", session_id="s2"), session(10.4, "s2", FILE), end(10.6, "t1"))

    assert (claude.record.status, claude.rings) == (Status.DONE, [Status.DONE])


@pytest.mark.parametrize("source", [Source.TITLE, Source.SCREEN, Source.PROGRAM_STATUS])
def test_what_any_program_can_write_is_no_boundary(claude: Any, source: Source) -> None:
    claude.observe(session(1, "s1"), start(2, "t1"), end(3, "t1"), session(9, "s2", source))

    assert claude.record.status is Status.DONE


def test_the_session_and_prompt_come_from_hooks_while_the_terminal_holds(claude: Any) -> None:
    claude.observe(session(1, "s1"), start(2.1, "t1", session_id="s1", prompt="do"))

    claude.observe(program(2, "working", "claude"), end(5.2, "t1", last_message="did"), program(5, "done"))

    record = claude.record
    assert (record.session_id, record.prompt, record.last_message) == ("s1", "do", "did")
    assert record.evidence.source is Source.PROGRAM_STATUS


# Ends that were open.


def test_a_failure_that_the_title_calls_a_good_end_rings_once_and_as_an_error(gemini: Any) -> None:
    gemini.observe(said(1, "working"), said(5, "idle"), screen(5.3, "failed", kind=Kind.API, text="500"))
    gemini.run_until(20)

    record = gemini.record
    assert (record.status, record.kind, record.message) == (Status.ERROR, Kind.API, "500")
    assert (gemini.rings, gemini.statuses()) == ([Status.ERROR], [Status.WORKING, Status.ERROR])
    assert gemini.shown[-1].at - 5 <= 1


def test_a_failure_that_is_seen_late_corrects_the_end_and_keeps_it_unread(gemini: Any) -> None:
    gemini.observe(said(1, "working"), said(5, "idle"), screen(6.5, "failed", kind=Kind.API))

    assert gemini.statuses() == [Status.WORKING, Status.DONE, Status.ERROR]
    assert (gemini.rings, gemini.record.unread, gemini.record.turns) == ([Status.DONE], True, 1)


def test_a_failure_of_the_turn_before_is_none_of_this_one(gemini: Any) -> None:
    gemini.observe(screen(0.5, "failed"), said(1, "working"), said(5, "idle"))
    gemini.run_until(20)

    assert (gemini.record.status, gemini.rings) == (Status.DONE, [Status.DONE])


def test_hooks_are_given_a_moment_where_a_failure_may_follow(timeline: MakePane) -> None:
    spot = BlindSpot(source=HOOK, misses=Missed.FAILURE, shown_by=(SCREEN,), after_s=2.0)
    board = Board({"gemini": Profile(blind_spots=(spot,))})
    pane = timeline("gemini", board=board)

    pane.observe(start(1, "t1"), end(5, "t1"))
    assert (pane.record.status, pane.rings) == (Status.WORKING, [])
    pane.observe(screen(5.3, "failed", text="500"))

    assert (pane.record.status, pane.rings, pane.record.message) == (Status.ERROR, [Status.ERROR], "500")


def test_a_held_back_end_is_told_after_all(timeline: MakePane) -> None:
    spot = BlindSpot(source=HOOK, misses=Missed.FAILURE, shown_by=(SCREEN,), after_s=2.0)
    pane = timeline("gemini", board=Board({"gemini": Profile(blind_spots=(spot,))}))

    pane.observe(start(1, "t1"), end(5, "t1"))
    pane.run_until(6)

    assert (pane.statuses(), pane.rings) == ([Status.WORKING, Status.DONE], [Status.DONE])
    assert pane.shown[-1].at - 5 <= 1


def test_ready_says_nothing_while_the_trust_dialog_waits(gemini: Any) -> None:
    gemini.observe(said(1, "idle"))
    assert gemini.record.status is Status.UNKNOWN

    gemini.observe(screen(1.3, "waiting", kind=Kind.PERMISSION, text="trust this folder?"))
    assert (gemini.record.status, gemini.record.message) == (Status.WAITING, "trust this folder?")
    gemini.observe(screen(9, "idle"))

    assert (gemini.record.status, gemini.record.turns) == (Status.IDLE, 0)


def test_a_screen_that_is_first_looked_at_after_the_turn_tells_how_it_ended(claude: Any) -> None:
    claude.observe(said(1, "working"), said(9, "at_rest"))
    assert claude.record.status is Status.UNKNOWN

    claude.observe(screen(9.3, "idle"))

    assert (claude.record.status, claude.record.turns, claude.rings) == (Status.DONE, 1, [Status.DONE])


def test_a_screen_that_said_so_before_the_turn_must_say_so_again(claude: Any) -> None:
    claude.observe(screen(0.5, "idle"), said(1, "working"), said(9, "at_rest"))
    assert claude.record.status is Status.UNKNOWN

    claude.observe(screen(9.3, "idle"))

    assert (claude.record.status, claude.rings) == (Status.DONE, [Status.DONE])


def test_work_that_nobody_told_of_and_was_over_at_once_was_no_turn(claude: Any) -> None:
    claude.observe(said(1, "working"), said(1 + BRIEF_S / 2, "at_rest"), screen(1.6, "idle"))

    assert (claude.record.status, claude.rings, claude.record.turns) == (Status.IDLE, [], 0)


@pytest.mark.parametrize("source", ["screen", "hook"])
def test_an_end_that_the_session_file_leaves_open_is_told_by_the_others(claude: Any, source: str) -> None:
    told = {"screen": screen(9.2, "failed", text="500"), "hook": end(9.2, "t1")}
    claude.observe(file(1, "working"), start(1.1, "t1"))

    claude.observe(file(9, "ended"), told[source])
    claude.run_until(20)

    assert claude.rings == [Status.ERROR if source == "screen" else Status.DONE]
    assert claude.shown[-1].at - 9 <= 1


def test_what_runs_below_a_source_that_says_the_turn_is_over_is_not_believed_for_long(
    timeline: MakePane,
) -> None:
    pane = timeline("aider", board=Board({}))

    pane.observe(start(1, "t1"), file(2, "working"), file(9, "ended"))
    pane.run_until(20)

    assert (pane.record.status, pane.rings) == (Status.UNKNOWN, [])


def test_esc_at_the_session_files_end_needs_no_other_word(claude: Any) -> None:
    claude.observe(file(1, "working"), esc(8.9), file(9, "ended"))

    assert (claude.record.status, claude.record.interrupted, claude.rings) == (Status.IDLE, True, [])


def test_an_ask_that_hooks_do_not_tell_of_is_seen_and_goes_when_it_is_gone(claude: Any) -> None:
    claude.observe(start(1, "t1"), screen(2, "working"), screen(5, "waiting", kind=Kind.PERMISSION))
    claude.run_until(5.9)
    assert (claude.record.status, claude.record.kind) == (Status.WAITING, Kind.PERMISSION)

    claude.observe(screen(8, "working"))

    assert (claude.record.status, claude.rings) == (Status.WORKING, [Status.WAITING])


def test_a_pane_that_is_looked_at_is_never_unread(claude: Any) -> None:
    claude.observe(Watched(at=1, watched=True), start(2, "t1"), end(3, "t1"))

    assert (claude.record.unread, claude.rings) == (False, [])
