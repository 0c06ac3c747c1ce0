"""What Codex's hooks say, and the options that ask for them."""

from __future__ import annotations

import tomllib

import pytest

from orca_tui.agents.codex import Codex
from orca_tui.agents.codex_hooks import EVENTS, options, trusted_hash
from orca_tui.agents.codex_notices import ASKING
from orca_tui.status.events import Asked, ChildEnded, ChildStarted, SessionChanged, TurnEnded, TurnStarted
from orca_tui.status.record import Kind
from orca_tui.status.turns import Ending
from tests.agents.hook_recordings import at_rest, events, said

CODEX = Codex()
COMMAND = """'/a b/py' -I -S '/x "q" é/p.py' codex"""


def hook(name: str, **fields: object) -> list[object]:
    payload = {"session_id": "s1", "turn_id": "t1", "hook_event_name": name, **fields}
    return list(events(CODEX, payload, at=1.0))


def test_a_recorded_session_says_what_was_true_but_for_failures() -> None:
    # By hand, from what was typed and which hooks ran. The four failures of the model between 39803 and 61206
    # ran none: there the last word stays until the next prompt.
    assert said(CODEX, "codex") == [
        "2238 working",
        "2492 done",
        "4285 working",
        "4684 waiting permission",
        "13321 working",
        "13495 done",
        "16159 working",
        "16538 waiting permission",
        "18153 idle",  # Esc at the dialog.
        "21606 working",
        "25571 idle",  # Esc while it streamed.
        "29006 working",
        "31471 idle",  # Esc in a tool.
        "34929 working",
        "35184 done",
        "39803 working",
        "67659 done",
        "73760 working",
        "74146 done",
        "80171 working",  # /compact
        "80323 done",
        "121955 idle",  # /new
        "122063 working",
        "122324 done",
    ]


@pytest.mark.parametrize("seed", range(20))
def test_the_order_in_which_hooks_arrive_does_not_matter(seed: int) -> None:
    told = at_rest(CODEX, "codex")

    assert len(told) > 10
    assert at_rest(CODEX, "codex", seed) == told


@pytest.mark.parametrize(
    ("event", "hashed"),
    [
        ("Stop", "399f4269c830727dad9db198fad361c852f35b03061ceffcff597b9452f53ef5"),
        ("UserPromptSubmit", "410ff32be9b818af95d29d6ff3bbe1dc02191faa50cda11d89211033b780a7ee"),
    ],
)
def test_trust_is_the_hash_that_codex_takes(event: str, hashed: str) -> None:
    """Both were taken by Codex 0.169.0, and made by another program."""
    assert trusted_hash(event, COMMAND) == hashed


def test_the_options_are_toml_that_names_every_hook_and_trusts_it() -> None:
    words = options(COMMAND)
    values = tomllib.loads("\n".join(word for word in words if word != "-c"))["hooks"]

    assert words.count("-c") == len(EVENTS) + 1
    state = values.pop("state")
    assert set(values) == set(EVENTS)
    entry = {"type": "command", "command": COMMAND, "timeout": 3, "async": True}
    for event, [group] in values.items():
        assert group["hooks"][0] == entry
        asking = group["hooks"][1:]
        assert [one["async"] for one in asking] == ([False] if event in ASKING else [])
        for one in asking:
            place = f"/<session-flags>/config.toml:{snake(event)}:0:1"
            assert state[place] == {
                "trusted_hash": f"sha256:{trusted_hash(event, one['command'], apart=False)}"
            }
    assert state["/<session-flags>/config.toml:user_prompt_submit:0:0"] == {
        "trusted_hash": f"sha256:{trusted_hash('UserPromptSubmit', COMMAND)}"
    }
    assert len(state) == len(EVENTS) + len(ASKING)


def snake(event: str) -> str:
    return {"UserPromptSubmit": "user_prompt_submit", "PostToolUse": "post_tool_use", "Stop": "stop"}[event]


def test_a_command_with_any_character_of_a_path_is_still_toml() -> None:
    command = 'a "b" \\ \t é 🐋'

    values = tomllib.loads("\n".join(word for word in options(command, ("Stop",)) if word != "-c"))

    assert values["hooks"]["Stop"][0]["hooks"][0]["command"] == command


def test_a_turn_has_the_id_that_codex_gives_it() -> None:
    (started,) = hook("UserPromptSubmit", prompt="fix it")
    (ended,) = hook("Interrupt")

    assert isinstance(started, TurnStarted)
    assert isinstance(ended, TurnEnded)
    assert (started.turn, started.session_id, started.prompt) == ("t1", "s1", "fix it")
    assert (ended.turn, ended.end.how) == ("t1", Ending.INTERRUPTED)


def test_a_permission_and_a_question_are_told_apart() -> None:
    (permission,) = hook("PermissionRequest", tool_name="Bash", tool_input={"command": "rm x"})
    (question,) = hook(
        "PermissionRequest",
        tool_name="request_user_input",
        tool_input={"questions": [{"question": "Which?"}]},
    )

    assert isinstance(permission, Asked)
    assert isinstance(question, Asked)
    assert (permission.ask.kind, permission.ask.text) == (Kind.PERMISSION, "Bash: rm x")
    assert (question.ask.kind, question.ask.text) == (Kind.QUESTION, "Which?")


def test_sub_agents_start_and_end_no_turns() -> None:
    assert isinstance(hook("SubagentStart", agent_id="a")[0], ChildStarted)
    assert isinstance(hook("SubagentStop", agent_id="a")[0], ChildEnded)
    assert hook("SubagentStop") == []
    assert hook("Stop", agent_id="a") == hook("UserPromptSubmit", agent_id="a") == []


def test_a_session_is_named_and_compaction_on_the_way_ends_no_turn() -> None:
    assert isinstance(hook("SessionStart", source="startup")[0], SessionChanged)
    assert hook("PreCompact", trigger="auto") == hook("PostCompact", trigger="auto") == []
    assert hook("SessionEnd", reason="other") == hook("Later") == []
