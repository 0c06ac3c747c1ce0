"""What Claude Code's hooks say: a recorded session, and what recordings do not hold."""

from __future__ import annotations

import json

import pytest

from orca_tui.agents.claude import Claude
from orca_tui.agents.claude_hooks import EVENTS, plugin_files
from orca_tui.status import lifecycle
from orca_tui.status.events import (
    Asked,
    ChildEnded,
    ChildStarted,
    Resolved,
    SessionChanged,
    ToolUsed,
    TurnEnded,
    TurnStarted,
)
from orca_tui.status.lifecycle import Lifecycle
from orca_tui.status.record import Kind, Source
from orca_tui.status.turns import Ending
from tests.agents.hook_recordings import at_rest, events, said, words_of

CLAUDE = Claude()
BASE = {"session_id": "s1", "prompt_id": "p1"}


def hook(name: str, *, at: float = 1.0, **fields: object) -> list[object]:
    return list(events(CLAUDE, {**BASE, "hook_event_name": name, **fields}, at=at))


def told(*reported: list[object]) -> str:
    state = Lifecycle(source=Source.HOOK)
    for one in reported:
        for event in one:
            state = lifecycle.told(state, event)  # type: ignore[arg-type]
    return words_of(state)


def test_a_recorded_session_says_what_was_true_but_for_interrupts() -> None:
    # By hand, from what was typed and which hooks ran. Esc at 22242, 34722, 42031, 104818 and 187432, and No at
    # 27315, ran none: there the last word stays until the next one.
    assert said(CLAUDE, "claude") == [
        "1661 working",
        "2069 done",
        "3998 working",
        "4568 waiting permission",
        "18258 working",
        "19183 done",
        "20756 working",
        "21465 waiting permission",
        "25872 working",
        "26289 waiting permission",
        "31043 working",
        "39231 waiting permission",
        "45753 working",
        "49282 done",  # A sub-agent outlived the first answer.
        "53519 working",
        "54226 waiting permission",
        "55383 working",
        "55887 waiting permission",
        "56912 working",
        "57584 done",
        "59485 working",
        "59909 waiting permission",
        "62987 working",
        "63467 done",
        "66387 working",
        "68584 error api",
        "75784 working",
        "78334 error rate_limit",
        "88372 working",
        "89132 waiting question",
        "97303 working",
        "97944 done",
        "101969 working",
        "102299 waiting question",
        "108386 working",  # Compaction by hand.
        "108885 done",
        "114763 working",
        "115024 done",
        "184548 working",
        "253155 idle",  # /clear
    ]


@pytest.mark.parametrize("seed", range(20))
def test_the_order_in_which_hooks_arrive_does_not_matter(seed: int) -> None:
    told = at_rest(CLAUDE, "claude")

    assert len(told) > 20
    assert at_rest(CLAUDE, "claude", seed) == told


def test_a_prompt_starts_the_turn_of_its_id() -> None:
    (event,) = hook("UserPromptSubmit", prompt="fix\nit")

    assert isinstance(event, TurnStarted)
    assert (event.turn, event.session_id, event.prompt, event.agent) == ("p1", "s1", "fix it", "claude")


def test_a_prompt_that_a_background_task_wrote_is_not_shown_as_the_users() -> None:
    (event,) = hook("UserPromptSubmit", prompt="<task-notification>\n<task-id>x</task-id>")

    assert isinstance(event, TurnStarted)
    assert event.prompt is None


def test_an_end_with_background_tasks_says_how_many_of_which_kind() -> None:
    tasks = [{"type": "shell", "status": "running"}, {"type": "shell"}, {"type": "subagent"}]
    (event,) = hook("Stop", background_tasks=tasks, last_assistant_message="ok")

    assert isinstance(event, TurnEnded)
    assert (event.background, event.background_note) == (3, "2 shells, 1 subagent still running")
    assert (event.end.how, event.last_message) == (Ending.OK, "ok")


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("authentication_failed", Kind.AUTH),
        ("rate_limit", Kind.RATE_LIMIT),
        ("billing_error", Kind.RATE_LIMIT),
        ("overloaded", Kind.API),
        ("server_error", Kind.API),
        ("invalid_request", Kind.API),
        ("model_not_found", Kind.API),
        ("max_output_tokens", Kind.OTHER),
        ("unknown", Kind.OTHER),
        ("later_kind", Kind.OTHER),
        (None, Kind.OTHER),
    ],
)
def test_a_failed_turn_tells_what_failed(error: str | None, kind: Kind) -> None:
    (event,) = hook("StopFailure", error=error, last_assistant_message="It is odd")

    assert isinstance(event, TurnEnded)
    assert (event.end.how, event.end.kind, event.end.message) == (Ending.ERROR, kind, "It is odd")


def test_a_failure_without_a_known_word_is_read_from_its_message() -> None:
    (event,) = hook("StopFailure", error="later_kind", last_assistant_message="You've hit your session limit")

    assert isinstance(event, TurnEnded)
    assert event.end.kind is Kind.RATE_LIMIT


def test_a_permission_tells_what_it_is_for() -> None:
    (event,) = hook("PermissionRequest", tool_name="Bash", tool_input={"command": "rm x"})

    assert isinstance(event, Asked)
    assert (event.ask.kind, event.ask.text, event.turn, event.child) == (
        Kind.PERMISSION,
        "Bash: rm x",
        "p1",
        None,
    )


def test_a_question_is_no_permission() -> None:
    questions = {"questions": [{"question": "Which color?"}]}
    (event,) = hook("PermissionRequest", tool_name="AskUserQuestion", tool_input=questions)

    assert isinstance(event, Asked)
    assert (event.ask.kind, event.ask.text) == (Kind.QUESTION, "Which color?")


def test_the_same_command_asked_for_twice_in_a_turn_waits_twice() -> None:
    bash = {"tool_name": "Bash", "tool_input": {"command": "npm test"}}
    first = (
        hook("UserPromptSubmit", prompt="x"),
        hook("PermissionRequest", at=2.0, **bash),
        hook("PostToolUse", at=3.0, **bash),
    )

    assert told(*first) == "working"
    assert told(*first, hook("PermissionRequest", at=4.0, **bash)) == "waiting permission"


def test_the_next_tool_of_a_turn_closes_what_was_asked_before() -> None:
    asked = (hook("UserPromptSubmit", prompt="x"), hook("PermissionRequest", at=2.0, tool_name="Bash"))

    assert told(*asked, hook("PreToolUse", at=4.0, tool_name="Read")) == "working"


def test_a_tool_of_the_same_batch_leaves_the_ask_open() -> None:
    asked = (hook("UserPromptSubmit", prompt="x"), hook("PermissionRequest", at=2.0, tool_name="Bash"))

    assert told(*asked, hook("PreToolUse", at=2.01, tool_name="Read")) == "waiting permission"


@pytest.mark.parametrize("name", ["PostToolUse", "PostToolUseFailure", "PermissionDenied"])
def test_the_end_of_a_tool_closes_its_ask(name: str) -> None:
    asked = (hook("UserPromptSubmit", prompt="x"), hook("PermissionRequest", at=2.0, tool_name="Bash"))

    assert told(*asked, hook(name, at=2.5, tool_name="Bash")) == "working"


def test_a_servers_question_waits_for_its_answer() -> None:
    asked = (hook("UserPromptSubmit", prompt="x"), hook("Elicitation", at=2.0, message="Your name?"))

    assert told(*asked) == "waiting question"
    assert told(*asked, hook("ElicitationResult", at=3.0)) == "working"


def test_what_a_sub_agent_asks_is_open_until_it_is_answered_or_ends() -> None:
    child = {"agent_id": "a1", "agent_type": "general-purpose"}
    asked = (
        hook("UserPromptSubmit", prompt="x"),
        hook("SubagentStart", at=2.0, **child),
        hook("PermissionRequest", at=3.0, tool_name="Bash", **child),
    )

    assert told(*asked) == "waiting permission"
    assert told(*asked, hook("PostToolUse", at=4.0, tool_name="Read")) == "waiting permission"
    assert told(*asked, hook("PostToolUse", at=4.0, tool_name="Bash", **child)) == "working"
    assert told(*asked, hook("SubagentStop", at=4.0, **child)) == "working"


def test_a_sub_agents_ask_long_after_the_roots_turn_is_not_late() -> None:
    child = {"agent_id": "a1", "agent_type": "x"}
    ended = (
        hook("UserPromptSubmit", prompt="x"),
        hook("SubagentStart", at=2.0, **child),
        hook("Stop", at=3.0, background_tasks=[{"type": "subagent"}]),
        hook("UserPromptSubmit", at=4.0, prompt_id="p2", prompt="y"),
    )

    assert told(*ended, hook("PermissionRequest", at=5.0, tool_name="Bash", **child)) == "waiting permission"


@pytest.mark.parametrize("name", ["Stop", "StopFailure", "UserPromptSubmit", "PreCompact"])
def test_no_event_of_a_sub_agent_starts_or_ends_a_turn(name: str) -> None:
    assert hook(name, agent_id="a1", agent_type="x", trigger="manual") == []


def test_sub_agents_begin_and_end_but_for_those_that_claude_runs_for_itself() -> None:
    assert isinstance(hook("SubagentStart", agent_id="a1", agent_type="x")[0], ChildStarted)
    assert isinstance(hook("SubagentStop", agent_id="a1", agent_type="x")[0], ChildEnded)
    assert hook("SubagentStop", agent_id="a1", agent_type="") == []


def test_compaction_on_the_way_ends_no_turn() -> None:
    assert hook("PreCompact", trigger="auto") == hook("PostCompact", trigger="auto") == []
    assert hook("SessionStart", source="compact") == []


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "fork"])
def test_a_session_that_starts_is_named(source: str) -> None:
    (event,) = hook("SessionStart", source=source, session_id="s2")

    assert isinstance(event, SessionChanged)
    assert event.session_id == "s2"


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("Notification", {"notification_type": "idle_prompt", "message": "Claude is waiting for your input"}),
        ("Notification", {"notification_type": "permission_prompt"}),
        ("SessionEnd", {"reason": "prompt_input_exit"}),
        ("SessionStart", {"session_id": "--resume"}),
        ("PostToolBatch", {}),
        ("Later", {}),
    ],
)
def test_what_says_nothing_new_says_nothing(name: str, fields: dict[str, object]) -> None:
    assert hook(name, **fields) == []


def test_events_carry_the_time_at_which_their_hooks_started() -> None:
    resolved, used = hook("PostToolUse", at=5.5, tool_name="Bash")

    assert isinstance(resolved, Resolved)
    assert isinstance(used, ToolUsed)
    assert (resolved.at, used.at, used.tool) == (5.5, 5.5, None)


def test_a_late_word_of_an_ended_turn_changes_nothing() -> None:
    ended = (hook("UserPromptSubmit", prompt="x"), hook("Stop", at=3.0, background_tasks=[]))

    assert told(*ended, hook("PreToolUse", at=2.9, tool_name="Bash")) == "done"
    assert told(*ended, hook("PermissionRequest", at=2.9, tool_name="Bash")) == "done"
    assert told(*ended, hook("Stop", at=3.1, background_tasks=[])) == "done"


def entries(event: str) -> list[dict[str, object]]:
    """The hooks of our plugin for an event."""
    files = plugin_files("post it")
    assert set(files) == {".claude-plugin/plugin.json", "hooks/hooks.json"}
    assert json.loads(files[".claude-plugin/plugin.json"])["name"] == "orca-tui-status"
    [group] = json.loads(files["hooks/hooks.json"])["hooks"][event]
    return list(group["hooks"])


@pytest.mark.parametrize("event", EVENTS)
def test_the_plugin_reports_every_event_without_holding_claude_up(event: str) -> None:
    reporting = {"type": "command", "command": "post it || true", "timeout": 5, "async": True}

    assert entries(event)[0] == reporting
    assert all(one.get("timeout") in (3, 86400) for one in entries(event)[1:])


@pytest.mark.parametrize(
    ("event", "asks", "rings"),
    [
        ("SessionStart", False, True),
        ("UserPromptSubmit", True, True),
        ("PostToolBatch", True, False),
        ("Stop", True, True),
        ("PostToolUse", False, False),
        ("PermissionRequest", False, False),
    ],
)
def test_the_plugin_asks_for_notices_and_hangs_up_a_doorbell(event: str, asks: bool, rings: bool) -> None:
    commands = [str(one["command"]) for one in entries(event) if one["command"] != "post it || true"]

    assert [
        f"/v1/intake/claude/ask?event={event}" in command for command in commands if "/ask" in command
    ] == ([True] if asks else [])
    assert any("/v1/intake/claude/bell" in command for command in commands) is rings
    assert [one.get("asyncRewake", False) for one in entries(event) if "/bell" in str(one["command"])] == (
        [True] if rings else []
    )
