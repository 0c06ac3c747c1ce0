"""What all hooks have in common."""

from __future__ import annotations

from orca_tui.agents.hook_events import BATCH_S, HookEvents
from orca_tui.agents.hooks import HookReport
from orca_tui.status.events import ChildStarted, Resolved, ToolUsed
from orca_tui.status.record import Kind
from orca_tui.status.turns import End, Ending


def told(**fields: object) -> HookEvents:
    report = HookReport(event="X", at=7.0, **fields)  # type: ignore[arg-type]
    return HookEvents(agent="claude", report=report, at=9.0, turn="t1")


def test_a_session_without_an_id_that_can_be_used_is_none() -> None:
    assert told(session_id="--x").session_changed() == []
    assert len(told(session_id="s1").session_changed()) == 1


def test_every_ask_is_one_of_its_own() -> None:
    first, second = told(ask="Bash: ls"), told(ask="Bash: ls")
    later = HookEvents(agent="claude", report=HookReport(event="X", at=8.0), at=9.0, turn="t1")

    assert first.asked(Kind.PERMISSION).ask.id == second.asked(Kind.PERMISSION).ask.id
    assert later.asked(Kind.PERMISSION).ask.id != first.asked(Kind.PERMISSION).ask.id


def test_a_tool_that_begins_answers_what_was_asked_before_its_batch() -> None:
    answered, used = told(tool_name="Bash").tool_began()

    assert isinstance(answered, Resolved)
    assert isinstance(used, ToolUsed)
    assert (answered.at, answered.ask_id) == (9.0 - BATCH_S, None)
    assert (used.at, used.tool, used.turn) == (9.0, "Bash", "t1")


def test_what_a_sub_agent_does_is_of_no_turn_of_the_root() -> None:
    child = told(agent_id="a1")

    assert child.asked(Kind.PERMISSION).turn is None
    assert child.asked(Kind.PERMISSION).child == "a1"
    assert [event.turn for event in child.tool_ended() if isinstance(event, ToolUsed)] == [None]
    assert len(child.child(ChildStarted)) == 1
    assert told().child(ChildStarted) == []


def test_an_end_counts_what_runs_in_the_background() -> None:
    ended = told(background={"shell": 1, "subagent": 2}).ended(End(how=Ending.OK))

    assert (ended.background, ended.background_note) == (3, "1 shell, 2 subagents still running")
    assert told().ended(End(how=Ending.OK)).background_note is None
