"""What went wrong in other tools that show the status of agents, and is right here, by what triggered it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from orca_tui.status.board import Board
from orca_tui.status.events import AgentGone, AgentRecognised, Seen, Watched
from orca_tui.status.failures import failure
from orca_tui.status.profile import BlindSpot, Missed, Profile
from orca_tui.status.reconcile import CONSISTENT_S, Look, Member, Watch, looked
from orca_tui.status.record import Kind, Source, Status, StatusRecord, roll_up
from orca_tui.status.settling import STALL_S
from orca_tui.status.turns import End, Ending
from tests.status.told import (
    HOOK,
    PROFILES,
    SCREEN,
    asked,
    busy,
    child,
    child_ended,
    end,
    ended,
    esc,
    failed,
    file,
    output,
    post,
    program,
    resolved,
    said,
    screen,
    session,
    start,
    tool,
)

MakePane = Callable[..., Any]


@pytest.fixture
def claude(timeline: MakePane) -> Any:
    return timeline("claude", board=Board(PROFILES))


def test_a_sub_agent_that_finishes_leaves_its_parent_working(claude: Any) -> None:
    claude.observe(start(1, "t1"), child(2), child_ended(5))

    assert (claude.record.status, claude.rings) == (Status.WORKING, [])


def test_a_sub_agent_that_asks_makes_the_pane_wait(claude: Any) -> None:
    claude.observe(start(1, "t1"), child(2), asked(3, "a", child="c"))
    claude.run_until(4)

    assert (claude.record.status, claude.rings) == (Status.WAITING, [Status.WAITING])


def test_the_same_by_osc_7501(claude: Any) -> None:
    claude.observe(program(1, "working"), program(2, "working", path=("c",)))
    claude.observe(program(3, "blocked", path=("c",), kind=Kind.PERMISSION))
    assert claude.record.status is Status.WAITING

    claude.observe(program(9, "working", path=("c",)), program(10, "clear", path=("c",)))
    assert claude.record.status is Status.WORKING
    claude.observe(program(11, "done"))

    assert (claude.record.status, claude.record.turns) == (Status.DONE, 1)


@pytest.mark.parametrize(
    "answer",
    [resolved(9, "a", turn="t1"), file(9.2, "working"), said(9.1, "working"), screen(9.3, "working")],
    ids=["hook", "file", "title", "screen"],
)
def test_an_answer_is_seen_within_a_second_by_whatever_shows_it(claude: Any, answer: Any) -> None:
    claude.observe(said(0.5, "working"), start(1, "t1"), asked(5, "a", turn="t1"), said(5.1, "at_rest"))
    assert claude.record.status is Status.WAITING

    claude.observe(answer)
    claude.run_until(10)

    assert claude.record.status is Status.WORKING


@pytest.mark.parametrize("seed", range(6))
def test_hooks_out_of_order_lead_to_the_same(claude: Any, seed: int) -> None:
    told = [
        start(10.0, "t1"),
        tool(10.1, "t1"),
        asked(10.2, "a", turn="t1"),
        resolved(10.3, "a", turn="t1"),
        end(10.4, "t1"),
    ]
    for event in told[seed % 5 :] + told[: seed % 5]:
        claude.observe(event)
    claude.run_until(20)

    assert (claude.record.status, claude.record.turns, claude.rings) == (Status.DONE, 1, [Status.DONE])


def test_an_agent_that_generates_without_saying_so_is_seen_on_the_screen(timeline: MakePane) -> None:
    spot = BlindSpot(source=HOOK, misses=Missed.START, shown_by=(SCREEN,), after_s=0.5)
    pane = timeline("grok", board=Board({"grok": Profile(blind_spots=(spot,))}))
    pane.observe(session(1, "s1"), start(2, "t1"), end(3, "t1"), Seen(at=4))

    pane.observe(screen(10, "working"))
    pane.run_until(10.9)
    assert pane.record.status is Status.WORKING
    pane.observe(screen(30, "idle"))
    pane.run_until(40)

    assert (pane.record.status, pane.record.turns) == (Status.DONE, 2)


def test_a_turn_seen_on_the_screen_and_told_late_is_one(timeline: MakePane) -> None:
    spot = BlindSpot(source=HOOK, misses=Missed.START, shown_by=(SCREEN,), after_s=0.5)
    pane = timeline("grok", board=Board({"grok": Profile(blind_spots=(spot,))}))
    pane.observe(start(2, "t1"), end(3, "t1"), screen(10, "working"), start(11.5, "t2"))

    pane.observe(end(20, "t2"), screen(20.4, "idle"))
    pane.run_until(40)

    assert (pane.record.turns, pane.rings) == (2, [Status.DONE, Status.DONE])


def test_a_task_in_the_background_is_work(claude: Any) -> None:
    claude.observe(start(1, "t1"), end(5, "t1", background=1))

    assert (claude.record.status, claude.record.subagents, claude.rings) == (Status.WORKING, 1, [])


def test_a_dialog_that_nobody_knows_is_unknown_and_not_idle(claude: Any) -> None:
    claude.observe(said(1, "working"), said(5, "at_rest"))

    assert claude.record.status is Status.UNKNOWN


def test_what_needs_the_user_comes_first_in_a_group() -> None:
    order = [Status.WAITING, Status.ERROR, Status.WORKING, Status.DONE, Status.UNKNOWN, Status.IDLE]
    records = [
        StatusRecord(pane=status, agent="claude", status=status, unread=status is Status.DONE)
        for status in order
    ]

    for index, status in enumerate(order):
        assert roll_up(records[index:]) is status


@pytest.mark.parametrize("says", ["idle", "at_rest", "working"])
def test_words_in_the_output_override_no_hook(claude: Any, says: str) -> None:
    claude.observe(start(1, "t1"), asked(2, "a", turn="t1"), screen(1.5, says))
    claude.run_until(60)

    assert claude.record.status is Status.WAITING


def test_one_signal_that_is_gone_leaves_the_others(claude: Any) -> None:
    claude.observe(start(1, "t1"), said(1, "working"), screen(1, "working"), screen(5, "nothing"))
    claude.run_until(60)

    assert claude.record.status is Status.WORKING


def test_rest_must_last_and_an_ask_need_not(timeline: MakePane) -> None:
    pane = timeline("gemini", board=Board(PROFILES))

    pane.observe(said(1, "working"), said(5, "idle"), said(5.2, "working"), said(7, "waiting"))

    assert pane.statuses() == [Status.WORKING, Status.WAITING]
    assert pane.shown[-1].at == 7


def test_a_permission_that_was_granted_waits_no_longer_though_the_pane_was_only_passed(claude: Any) -> None:
    claude.observe(
        start(1, "t1"), asked(2, "a", turn="t1"), Watched(at=3, watched=True), Watched(at=3.2, watched=False)
    )
    assert claude.record.status is Status.WAITING

    claude.observe(resolved(9, "a", turn="t1"))

    assert claude.record.status is Status.WORKING


def test_a_minute_of_rest_is_no_ask(claude: Any) -> None:
    """The `idle_prompt` of a minute later is no event at all; nothing else makes the pane wait either."""
    claude.observe(start(1, "t1"), end(5, "t1"))
    claude.run_until(3600)

    assert (claude.statuses(), claude.rings) == ([Status.WORKING, Status.DONE], [Status.DONE])


def test_a_missed_end_is_not_working_for_59_hours(claude: Any) -> None:
    claude.observe(start(1, "t1"), output(2))

    claude.run_until(59 * 3600)

    assert (claude.record.status, claude.record.confirmed) == (Status.UNKNOWN, False)
    assert claude.shown[-1].at == 2 + STALL_S


def test_what_was_seen_is_never_unread_again(claude: Any) -> None:
    claude.observe(start(1, "t1"), end(5, "t1"), Seen(at=6))

    claude.observe(end(7, "t1"), file(8, "ended"), said(8, "at_rest"), screen(8, "idle"), program(9, "idle"))

    assert (claude.record.unread, claude.rings) == (False, [Status.DONE])


def test_a_spent_quota_is_an_error_with_its_end_and_not_work_for_hours(claude: Any) -> None:
    claude.observe(program(1_795_960_000, "working"))

    claude.observe(program(1_795_960_010, "error", message="Claude AI usage limit reached|1795970000"))

    record = claude.record
    assert (record.status, record.kind, record.resets_at) == (Status.ERROR, Kind.RATE_LIMIT, 1_795_970_000)


def test_hooks_tell_of_a_spent_quota_as_well(claude: Any) -> None:
    claude.observe(start(1, "t1"), failed(5, "t1", Kind.RATE_LIMIT, "You've hit your limit · resets 7pm"))
    claude.run_until(7200)

    record = claude.record
    assert (record.status, record.kind, record.resets_at) == (Status.ERROR, Kind.RATE_LIMIT, None)


def test_queued_messages_are_turns_of_their_own_and_none_for_ever(claude: Any) -> None:
    claude.observe(start(1, "t1"), end(5, "t1"), start(5.2, "t2"), end(9, "t2"))

    assert (claude.record.status, claude.record.turns) == (Status.DONE, 2)


def test_two_sources_that_disagree_do_not_flip_the_status(claude: Any) -> None:
    claude.observe(start(1, "t1"))
    for number in range(50):
        claude.observe(said(2.0 + number, "idle"), said(2.5 + number, "working"))
        claude.observe(screen(2.6 + number, "waiting"), screen(2.8 + number, "working"))

    assert claude.statuses() == [Status.WORKING]


def test_a_helper_that_takes_the_foreground_for_a_moment_takes_no_identity() -> None:
    agent = Member(pid=5, started=1.0, agent="claude")
    watch = Watch(agent=agent)
    alone = {"shell_in_front": True, "members": (Member(pid=2, started=0.0),)}

    watch, first = looked(watch, Look(at=1.0, agent_alive=True, **alone))
    watch, second = looked(watch, Look(at=1.0 + 2 * CONSISTENT_S, agent_alive=True, **alone))

    assert (first, second, watch.agent) == ([], [], agent)


def test_the_session_of_an_agent_that_left_can_be_resumed(timeline: MakePane) -> None:
    pane = timeline(None, board=Board(PROFILES))

    pane.observe(start(1, "t1", agent="claude", session_id="s1"), AgentGone(at=2))
    pane.observe(AgentRecognised(at=3, source=Source.PROCESS, agent="codex"))

    assert pane.board.resumable("p1") == ("claude", "s1")


def test_a_pane_that_stalled_is_unknown_and_not_idle(claude: Any) -> None:
    claude.observe(said(1, "working"), output(2))

    claude.run_until(2 + STALL_S)

    assert claude.record.status is Status.UNKNOWN


@pytest.mark.parametrize(
    "message",
    [
        "Quota exhausted. Please sign in with another account",
        "429: limit reached, run /login to switch accounts",
    ],
)
def test_a_spent_quota_is_no_expired_login(message: str) -> None:
    assert failure(message, 0.0).kind is Kind.RATE_LIMIT


def test_a_limit_that_names_an_hour_and_no_day_names_no_end() -> None:
    found = failure("You've hit your session limit · resets 7pm (Europe/Berlin)", 1_795_963_474.0)

    assert (found.kind, found.resets_at) == (Kind.RATE_LIMIT, None)


def test_an_error_stays_until_another_turn_begins(timeline: MakePane) -> None:
    pane = timeline("opencode")
    limit = End(how=Ending.ERROR, kind=Kind.RATE_LIMIT, message="daily quota")

    pane.observe(post(1, busy()), post(5, ended(end=limit)))
    pane.run_until(7200)
    assert (pane.record.status, pane.rings) == (Status.ERROR, [Status.ERROR])
    pane.observe(post(7300, busy(2)), post(7305, ended(2)))

    assert pane.record.status is Status.DONE


def test_an_interrupt_is_never_news(claude: Any) -> None:
    claude.observe(
        program(1, "working"), esc(5), program(5.1, "error", message="aborted"), file(5.3, "ended")
    )
    claude.run_until(60)

    record = claude.record
    assert (record.status, record.interrupted, record.unread, claude.rings) == (Status.IDLE, True, False, [])


def test_a_turn_that_hooks_never_ended_does_not_come_back_when_the_terminal_falls_silent(claude: Any) -> None:
    claude.observe(
        start(1, "t1"), program(1.1, "working"), esc(5), program(5.1, "idle"), program(60, "clear")
    )
    claude.run_until(200)

    assert Status.WORKING not in claude.statuses()[-2:]
    assert (claude.record.status, claude.rings) == (Status.UNKNOWN, [])


def test_an_end_stays_when_its_source_falls_silent_before_a_hook_told_of_it(claude: Any) -> None:
    claude.observe(start(1, "t1"), program(1.1, "working"), program(5.1, "done"), program(60, "clear"))
    claude.run_until(200)

    assert (claude.record.status, claude.rings) == (Status.DONE, [Status.DONE])


def test_a_session_without_turns_is_not_idle_when_the_title_of_a_turn_goes(timeline: MakePane) -> None:
    pane = timeline("gemini", board=Board(PROFILES))

    pane.observe(session(1, "s1"), said(2, "working"), said(9, "nothing"))

    assert pane.record.status is Status.UNKNOWN


def test_work_that_a_stronger_source_is_about_to_tell_of_goes_on(claude: Any) -> None:
    claude.observe(file(1, "working"), program(1.05, "working"), program(9, "done"))

    assert claude.statuses() == [Status.WORKING, Status.DONE]


def test_a_turn_that_fails_at_once_rings_again(claude: Any) -> None:
    claude.observe(program(1, "working"), program(5, "error"), program(9, "working"), program(9.06, "error"))

    assert (claude.record.turns, claude.rings) == (2, [Status.ERROR, Status.ERROR])


def test_a_title_that_spins_before_the_first_report_proves_nothing(claude: Any) -> None:
    claude.observe(said(1, "working"), program(1.6, "idle", "claude"))
    claude.run_until(9)

    assert claude.statuses() == [Status.IDLE]


def test_a_failure_long_after_an_interrupt_is_one(timeline: MakePane) -> None:
    pane = timeline("gemini", board=Board(PROFILES))
    pane.observe(said(1, "working"), screen(1, "working"), esc(4.9), said(5, "idle"), screen(5.2, "idle"))

    pane.observe(said(60, "working"), said(60.1, "idle"), screen(60.3, "failed", text="400"))
    pane.run_until(70)

    assert (pane.record.status, pane.rings) == (Status.ERROR, [Status.ERROR])
