"""What events change in what is known of a pane: whose it is, and what its shell says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from orca_tui.status.board import Board
from orca_tui.status.events import (
    AgentGone,
    AgentRecognised,
    Mark,
    PromptMarked,
    Says,
    TurnStarted,
)
from orca_tui.status.record import Kind, Source, Status
from orca_tui.status.turns import Ask
from tests.status.told import SPEAKS_7501, busy, ended, post, program, said

MakePane = Callable[..., Any]


# Whose pane it is.


def test_an_agent_that_reports_in_a_shell_takes_the_pane(timeline: MakePane) -> None:
    pane = timeline(None)

    pane.observe(post(1, busy()))

    assert (pane.record.agent, pane.record.status) == ("opencode", Status.WORKING)


def test_a_nested_agent_takes_neither_the_pane_nor_its_turn(timeline: MakePane) -> None:
    pane = timeline(None, board=Board(SPEAKS_7501))
    pane.observe(program(1, "working", "claude"))

    pane.observe(post(2, busy()), post(3, ended()), program(4, "done", "codex"))

    assert (pane.record.agent, pane.record.status, pane.rings) == ("claude", Status.WORKING, [])
    assert "runs inside claude" in pane.board.explain("p1")[-1].why


def test_the_process_table_gives_the_pane_to_another_agent(timeline: MakePane) -> None:
    pane = timeline(None, board=Board(SPEAKS_7501))

    pane.observe(program(1, "working", "claude"), AgentRecognised(at=2, source=Source.PROCESS, agent="codex"))

    assert (pane.record.agent, pane.record.status) == ("codex", Status.UNKNOWN)


def test_an_agent_that_has_withdrawn_leaves_the_pane_to_the_next_that_reports(timeline: MakePane) -> None:
    pane = timeline(None, board=Board(SPEAKS_7501))

    pane.observe(program(1, "idle", "claude"), program(2, "clear", "claude"), program(3, "idle", "codex"))

    assert (pane.record.agent, pane.record.status) == ("codex", Status.IDLE)


def test_a_pane_that_was_opened_with_an_agent_stays_that_agents(timeline: MakePane) -> None:
    pane = timeline("claude")

    pane.observe(AgentRecognised(at=1, source=Source.PROCESS, agent="codex"), AgentGone(at=2))
    pane.observe(post(3, busy()))

    assert (pane.record.agent, pane.record.status) == ("claude", Status.UNKNOWN)


def test_an_agent_that_left_claims_nothing_and_can_be_resumed(timeline: MakePane) -> None:
    pane = timeline(None)

    pane.observe(post(1, busy(asks=(Ask(id="a", kind=Kind.PERMISSION),))), AgentGone(at=2))

    record = pane.record
    assert (record.agent, record.status, record.interrupted, record.unread) == (
        None,
        Status.IDLE,
        False,
        False,
    )
    assert record.since == 2
    assert pane.board.resumable("p1") == ("opencode", "s1")


def test_an_end_is_still_shown_when_the_agent_has_left(timeline: MakePane) -> None:
    pane = timeline(None)

    pane.observe(post(1, busy()), post(2, ended()), AgentGone(at=3))
    pane.run_until(500)

    assert (pane.record.status, pane.record.unread, pane.record.agent) == (Status.DONE, True, None)


def test_an_agent_that_comes_back_after_it_was_believed_gone_goes_on(timeline: MakePane) -> None:
    pane = timeline(None)

    pane.observe(post(1, ended(1)), post(2, busy(2)), AgentGone(at=3), post(4, busy(2)), post(5, ended(2)))

    assert (pane.record.turns, pane.rings) == (2, [Status.DONE, Status.DONE])


def test_a_nested_agent_that_still_lives_takes_the_pane_of_one_that_left(timeline: MakePane) -> None:
    pane = timeline(None, board=Board(SPEAKS_7501))

    pane.observe(program(1, "working", "claude"), post(2, busy()), AgentGone(at=3))

    assert (pane.record.agent, pane.record.status) == ("opencode", Status.WORKING)


# Shells.


def test_a_shell_at_its_prompt_is_idle_and_unknown_while_a_command_runs(timeline: MakePane) -> None:
    pane = timeline(None)

    pane.observe(PromptMarked(at=1, mark=Mark.PROMPT), PromptMarked(at=2, mark=Mark.COMMAND))
    pane.observe(PromptMarked(at=3, mark=Mark.FINISHED, exit_code=0), PromptMarked(at=3, mark=Mark.PROMPT))

    assert pane.statuses() == [Status.IDLE, Status.UNKNOWN, Status.IDLE]
    assert (pane.rings, pane.record.turns) == ([], 0)


def test_a_prompt_drops_what_a_program_claimed_that_died(timeline: MakePane) -> None:
    pane = timeline(None, board=Board(SPEAKS_7501))

    pane.observe(program(1, "working", "codex"), PromptMarked(at=5, mark=Mark.PROMPT), AgentGone(at=6))

    assert pane.record.status is Status.IDLE
    assert Status.DONE not in pane.statuses()


def test_marks_say_nothing_in_a_pane_without_a_shell(timeline: MakePane) -> None:
    pane = timeline("codex", board=Board(SPEAKS_7501))

    pane.observe(program(1, "working", "codex"), PromptMarked(at=5, mark=Mark.PROMPT))

    assert pane.record.status is Status.WORKING


def test_a_title_says_nothing_where_no_agent_is(timeline: MakePane) -> None:
    pane = timeline(None)

    pane.observe(said(1, Says.WORKING))

    assert pane.record.status is Status.UNKNOWN


def test_hooks_of_a_nested_agent_are_not_consulted(timeline: MakePane) -> None:
    pane = timeline("claude")

    pane.observe(TurnStarted(at=1, source=Source.HOOK, turn="t1", agent="codex"))
    assert pane.record.status is Status.UNKNOWN
    pane.observe(TurnStarted(at=2, source=Source.HOOK, turn="t2", agent="claude"))

    assert pane.record.status is Status.WORKING


def test_a_session_that_comes_with_the_agent_is_kept(timeline: MakePane) -> None:
    pane = timeline("claude")

    pane.observe(AgentRecognised(at=1, source=Source.HOOK, agent="claude", session_id="s7"))

    assert pane.record.session_id == "s7"


def test_a_title_that_spins_for_a_moment_after_a_turn_is_another_session(timeline: MakePane) -> None:
    """Codex draws `/new` so."""
    pane = timeline("codex", board=Board(SPEAKS_7501))
    pane.observe(program(1, "working", "codex"), program(5, "done", "codex"), program(6, "idle", "codex"))
    assert pane.record.status is Status.DONE

    pane.observe(said(8, Says.IDLE), said(9, Says.WORKING), said(9.03, Says.IDLE))

    assert (pane.record.status, pane.record.interrupted, pane.record.turns) == (Status.IDLE, False, 1)
    assert pane.rings == [Status.DONE]


def test_another_session_is_seen_while_the_title_of_the_turn_before_still_settles(timeline: MakePane) -> None:
    pane = timeline("codex", board=Board(SPEAKS_7501))
    pane.observe(said(1, Says.WORKING), program(1, "working", "codex"), said(1.4, Says.IDLE))
    pane.observe(program(1.41, "done", "codex"), program(1.42, "idle", "codex"))

    pane.observe(said(1.85, Says.WORKING), said(1.86, Says.IDLE))

    assert (pane.record.status, pane.rings) == (Status.IDLE, [Status.DONE])


def test_a_turn_that_the_reports_tell_of_is_none_the_less_for_a_short_title(timeline: MakePane) -> None:
    pane = timeline("codex", board=Board(SPEAKS_7501))
    pane.observe(program(1, "working", "codex"), said(1.01, Says.WORKING), program(1.06, "done", "codex"))

    pane.observe(said(1.07, Says.IDLE))

    assert (pane.record.status, pane.rings) == (Status.DONE, [Status.DONE])
