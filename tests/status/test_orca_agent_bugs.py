"""What went wrong in Orca with agents that hooks and titles tell of, and is right here, by what triggers it.

Numbers are those of Orca's issues.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from orca_tui.status.board import Board
from orca_tui.status.events import (
    AgentGone,
    AgentRecognised,
    EvidenceLost,
    EvidenceRegained,
    ProcessExited,
    Seen,
)
from orca_tui.status.news import ASK_SETTLE_S
from orca_tui.status.record import Kind, Source, Status
from orca_tui.status.session_table import ProcessKey, SessionRow
from orca_tui.status.settling import LOST_S, STALL_S
from tests.status.told import (
    PROFILES,
    asked,
    busy,
    child,
    child_ended,
    end,
    ended,
    esc,
    file,
    output,
    polls,
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
def opencode(timeline: MakePane) -> Any:
    return timeline("opencode")


@pytest.fixture
def claude(timeline: MakePane) -> Any:
    return timeline("claude", board=Board(PROFILES))


@pytest.mark.parametrize("issue", [21389])
def test_an_ask_that_is_approved_at_once_rings_for_nothing(claude: Any, issue: int) -> None:
    claude.observe(start(1, "t1"))
    for number in range(20):
        at = 2.0 + number
        claude.observe(
            asked(at, f"a{number}", turn="t1"), resolved(at + ASK_SETTLE_S / 2, f"a{number}", turn="t1")
        )

    assert (claude.record.status, claude.rings) == (Status.WORKING, [])


def test_14253_a_shell_that_runs_on_is_told_and_its_end_rings(claude: Any) -> None:
    claude.observe(start(1, "t1"), end(5, "t1", background=1, background_note="1 shell still running"))
    assert (claude.record.status, claude.record.message) == (Status.WORKING, "1 shell still running")

    claude.observe(start(50, "t2"), end(55, "t2"))

    assert (claude.record.status, claude.rings) == (Status.DONE, [Status.DONE])


@pytest.mark.parametrize("issue", [21327, 15317])
def test_a_sub_agent_whose_end_was_lost_ends_with_its_root(claude: Any, issue: int) -> None:
    claude.observe(start(1, "t1"), child(2), end(9, "t1"))

    assert (claude.record.status, claude.record.subagents, claude.rings) == (Status.DONE, 0, [Status.DONE])


def test_11644_a_permission_of_a_batch_goes_with_its_answer_though_others_were_used(claude: Any) -> None:
    claude.observe(
        start(1, "t1"), tool(2, "t1", "Read"), asked(2.1, "Bash", turn="t1"), tool(2.2, "t1", "Read")
    )
    assert claude.record.status is Status.WAITING

    claude.observe(resolved(9, "Bash", turn="t1"), tool(9, "t1"))

    assert claude.record.status is Status.WORKING


def test_11644_two_asks_that_are_open_are_two(claude: Any) -> None:
    claude.observe(start(1, "t1"), asked(2, "a", turn="t1"), asked(3, "b", turn="t1"), resolved(5, "a"))
    claude.run_until(6)

    assert (claude.record.status, claude.record.message) == (Status.WAITING, "b")
    assert claude.rings == [Status.WAITING, Status.WAITING]


def test_8383_an_approval_without_a_hook_is_seen_within_a_second(claude: Any) -> None:
    claude.observe(start(1, "t1"), said(1, "working"), asked(2, "a", turn="t1"), said(2.1, "at_rest"))
    assert claude.record.status is Status.WAITING

    claude.observe(said(9, "working"))
    claude.run_until(10)

    assert (claude.record.status, claude.shown[-1].at <= 10) == (Status.WORKING, True)


def test_2824_the_next_sign_of_work_ends_the_waiting(claude: Any) -> None:
    claude.observe(program(1, "working"), program(2, "blocked", kind=Kind.PERMISSION), program(5, "working"))

    assert claude.record.status is Status.WORKING


@pytest.mark.parametrize("issue", [1141, 2263, 14372])
def test_an_interrupt_without_a_hook_is_seen_at_once(claude: Any, issue: int) -> None:
    claude.observe(start(1, "t1"), said(1, "working"), esc(5), said(5.2, "at_rest"))

    assert (claude.record.status, claude.record.interrupted, claude.rings) == (Status.IDLE, True, [])


def test_13547_an_escape_that_closes_something_else_interrupts_nothing(claude: Any) -> None:
    claude.observe(start(1, "t1"), said(1, "working"), file(1, "working"), esc(5))
    claude.run_until(60)
    assert (claude.record.status, claude.record.interrupted) == (Status.WORKING, False)

    claude.observe(end(61, "t1"), file(61.2, "ended"))
    claude.run_until(62)

    assert (claude.record.status, claude.rings) == (Status.DONE, [Status.DONE])


@pytest.mark.parametrize("issue", [6361, 6558, 8826, 9333, 4375])
def test_an_end_between_two_steps_is_none(timeline: MakePane, issue: int) -> None:
    pane = timeline("gemini", board=Board(PROFILES))

    pane.observe(said(1, "working"), said(5, "idle"), said(5.3, "working"), said(9, "idle"))
    pane.run_until(20)

    assert (pane.rings, pane.record.turns) == ([Status.DONE], 1)


@pytest.mark.parametrize("issue", [14278, 18262, 22017])
def test_an_end_that_is_never_told_is_unknown_and_not_carried_into_the_next_turn(
    claude: Any, issue: int
) -> None:
    claude.observe(start(1, "t1"), output(5))
    claude.run_until(STALL_S + 6)
    assert claude.record.status is Status.UNKNOWN

    claude.observe(start(3000, "t2"), end(3005, "t2"))

    assert (claude.record.status, claude.record.turns, claude.rings) == (Status.DONE, 1, [Status.DONE])


@pytest.mark.parametrize("issue", [8148, 8545])
def test_sub_agents_ring_for_nothing(claude: Any, issue: int) -> None:
    claude.observe(start(1, "t1"))
    for number in range(5):
        claude.observe(child(2.0 + number, f"c{number}"), child_ended(2.5 + number, f"c{number}"))

    assert (claude.record.status, claude.rings) == (Status.WORKING, [])


def test_7819_a_title_at_rest_makes_no_news_while_hooks_say_working(claude: Any) -> None:
    claude.observe(start(1, "t1"), said(1, "working"), said(5, "idle"), said(5.2, "working"))
    claude.run_until(20)

    assert (claude.record.unread, claude.rings) == (False, [])


@pytest.mark.parametrize("issue", [3990, 13341, 10109])
def test_a_nested_agent_takes_nothing_from_its_host(timeline: MakePane, issue: int) -> None:
    pane = timeline(None, board=Board(PROFILES))
    pane.observe(start(1, "t1", agent="claude", session_id="s1"))

    pane.observe(
        start(2, "x1", agent="codex", session_id="nested"),
        end(3, "x1", agent="codex"),
        program(3, "done", "codex"),
        post(4, ended(), agent="opencode"),
    )

    record = pane.record
    assert (record.agent, record.session_id, record.status, pane.rings) == (
        "claude",
        "s1",
        Status.WORKING,
        [],
    )


def test_12228_each_pane_has_a_status_of_its_own() -> None:
    board = Board(PROFILES)
    for pane in ("p1", "p2"):
        board.open(pane, agent="claude", at=0)

    board.observe("p1", start(1, "t1"))
    board.observe("p2", start(1, "t1"))
    board.observe("p2", end(2, "t1"))

    assert [record.status for record in board.records()] == [Status.WORKING, Status.DONE]


@pytest.mark.parametrize("issue", [12686, 14626, 17267])
def test_an_agent_that_is_started_again_in_its_shell_reports_again(timeline: MakePane, issue: int) -> None:
    pane = timeline(None, board=Board(PROFILES))
    found = AgentRecognised(at=1, source=Source.PROCESS, agent="claude")

    pane.observe(
        found, start(2, "t1"), AgentGone(at=3), AgentRecognised(at=4, source=Source.PROCESS, agent="claude")
    )
    assert pane.record.status is Status.UNKNOWN
    pane.observe(start(5, "t1"), end(6, "t1"))

    assert (pane.record.status, pane.rings) == (Status.DONE, [Status.DONE])


@pytest.mark.parametrize("issue", [12346, 14375, 15082])
def test_a_restored_turn_is_not_taken_for_a_living_one(timeline: MakePane, issue: int) -> None:
    before = timeline("opencode")
    before.observe(post(1, busy()))

    after = timeline("opencode", saved=before.board.save("p1"))
    assert (after.record.status, after.record.confirmed) == (Status.WORKING, False)
    after.run_until(1 + LOST_S)

    assert (after.record.status, after.rings) == (Status.UNKNOWN, [])


def test_15082_the_end_of_a_sub_agent_that_never_began_makes_nothing_work(claude: Any) -> None:
    claude.observe(session(1, "s1"), child_ended(2))

    assert claude.record.status is Status.IDLE


def test_14610_an_event_that_is_told_again_is_no_sign_of_life(claude: Any) -> None:
    claude.observe(start(1, "t1"), output(1))
    claude.observe(*(start(100.0 * number, "t1") for number in range(1, 12)))

    claude.run_until(1 + STALL_S)

    assert claude.record.status is Status.UNKNOWN


@pytest.mark.parametrize("issue", [4321, 4533])
def test_a_spinner_that_stands_still_keeps_nothing_working(claude: Any, issue: int) -> None:
    claude.observe(start(1, "t1"), said(1, "working"), end(5, "t1"))
    claude.run_until(60)

    assert (claude.record.status, claude.rings) == (Status.DONE, [Status.DONE])


@pytest.mark.parametrize("issue", [4321, 4533])
def test_a_title_that_an_agent_left_behind_says_nothing_of_the_next(timeline: MakePane, issue: int) -> None:
    pane = timeline(None, board=Board(PROFILES))
    found = AgentRecognised(at=1, source=Source.PROCESS, agent="gemini")
    pane.observe(found, said(2, "working"), AgentGone(at=9))
    assert pane.record.status is Status.IDLE

    pane.observe(AgentRecognised(at=20, source=Source.PROCESS, agent="gemini"))

    assert pane.record.status is Status.UNKNOWN


def test_6555_a_title_that_is_only_a_name_is_not_idle(timeline: MakePane) -> None:
    pane = timeline("gemini", board=Board(PROFILES))

    pane.observe(said(1, "idle"))

    assert pane.record.status is Status.UNKNOWN


def test_4319_what_comes_after_the_end_leaves_it_done(claude: Any) -> None:
    claude.observe(start(1, "t1"), end(5, "t1"), Seen(at=6), tool(7, "t1"), tool(7), end(8, "t1"), end(9))

    record = claude.record
    assert (record.status, record.unread, record.turns, claude.rings) == (
        Status.DONE,
        False,
        1,
        [Status.DONE],
    )


@pytest.mark.parametrize("issue", [13852, 21215, 16989])
def test_a_pane_that_cannot_be_seen_has_not_exited(claude: Any, issue: int) -> None:
    claude.observe(start(1, "t1"), EvidenceLost(at=2, why="the link broke"))
    claude.run_until(3600)
    assert (claude.record.status, claude.record.confirmed) == (Status.WORKING, False)

    claude.observe(EvidenceRegained(at=3601), end(3602, "t1"))

    assert (claude.record.status, claude.rings) == (Status.DONE, [Status.DONE])


def test_a_dead_process_drops_what_it_asked_and_rings_for_nothing(claude: Any) -> None:
    claude.observe(
        start(1, "t1"), asked(2, "a", turn="t1"), ProcessExited(at=2.1, exit_code=-9), end(3, "t1")
    )
    claude.run_until(60)

    assert (claude.record.status, claude.rings) == (Status.EXITED, [])


def test_a_pid_that_is_used_again_is_another_process(opencode: Any) -> None:
    later = ProcessKey(pid=7, started=99.0)
    opencode.observe(post(1, busy()), polls(1))

    opencode.observe(post(100, SessionRow(id="s9"), process=later), screen(101, "idle"))

    assert opencode.board.reporters("p1") == [ProcessKey(pid=7, started=1.0), later]
    assert opencode.record.status is Status.WORKING
