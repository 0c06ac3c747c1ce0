"""OSC 9999."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_tui.agents.reported_json import MAX_BYTES, read
from orca_tui.status.events import AgentRecognised, ProgramReported, ProgramState
from orca_tui.status.record import Kind


def report(**fields: Any) -> ProgramReported:
    (event,) = read(json.dumps(fields), 1.0)
    assert isinstance(event, ProgramReported)
    return event


@pytest.mark.parametrize(
    ("fields", "state", "kind", "message"),
    [
        ({"state": "working"}, ProgramState.WORKING, None, None),
        ({"state": "blocked"}, ProgramState.BLOCKED, None, None),
        (
            {"state": "blocked", "toolName": "Bash", "toolInput": "rm\n-rf x"},
            ProgramState.BLOCKED,
            Kind.PERMISSION,
            "Bash: rm -rf x",
        ),
        ({"state": "waiting", "toolName": "Bash"}, ProgramState.BLOCKED, Kind.PERMISSION, "Bash"),
        (
            {"state": "waiting", "lastAssistantMessage": "Which color?"},
            ProgramState.BLOCKED,
            Kind.QUESTION,
            "Which color?",
        ),
        ({"state": "done", "lastAssistantMessage": "Fine."}, ProgramState.DONE, None, None),
        ({"state": "done", "interrupted": True}, ProgramState.IDLE, None, None),
        ({"state": "done", "interrupted": "yes"}, ProgramState.DONE, None, None),
        ({"state": "working", "interrupted": True}, ProgramState.WORKING, None, None),
        ({"state": "idle"}, ProgramState.IDLE, None, None),
    ],
)
def test_a_state_is_told(
    fields: dict[str, Any], state: ProgramState, kind: Kind | None, message: str | None
) -> None:
    event = report(**fields)

    assert (event.state, event.kind, event.message, event.path) == (state, kind, message, ())


def test_a_session_boundary_ends_no_turn() -> None:
    events = read('{"state": "done", "sessionBoundary": true}', 1.0)

    assert [event.state for event in events if isinstance(event, ProgramReported)] == ["clear", "idle"]


def test_the_agent_its_prompt_and_its_session_are_told() -> None:
    event, session = read(
        json.dumps({"state": "working", "agentType": "my bot", "prompt": "fix\nit", "sessionId": "s1"}), 1.0
    )

    assert isinstance(event, ProgramReported)
    assert (event.agent, event.title) == ("my-bot", "fix it")
    assert isinstance(session, AgentRecognised)
    assert (session.agent, session.session_id) == ("my-bot", "s1")


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "{",
        "null",
        "[]",
        '"working"',
        "{}",
        '{"state": 3}',
        '{"state": "Working"}',
        '{"state": "resting", "prompt": "x"}',
        '{"prompt": "x"}',
        "[" * 5000,
        '{"state":' * 5000,
        '{"state": "working", "prompt": "' + "x" * MAX_BYTES + '"}',
    ],
)
def test_a_payload_without_a_known_state_is_dropped_whole(payload: str) -> None:
    assert read(payload, 1.0) == []


@pytest.mark.parametrize("value", [3, None, [], {}, True])
def test_a_field_of_the_wrong_type_counts_as_absent(value: object) -> None:
    event = report(state="blocked", prompt=value, toolName=value, agentType=value, lastAssistantMessage=value)

    assert (event.title, event.kind, event.agent, event.message) == (None, None, None, None)


def test_hostile_text_is_made_safe() -> None:
    event = report(state="waiting", lastAssistantMessage="a\u202eb\x1b[31m\u2066c\0", prompt="\x07p" * 999)

    assert event.message == "ab[31mc"
    assert event.title is not None
    assert len(event.title) <= 200
    assert "\x07" not in event.title


@given(st.text() | st.dictionaries(st.text(), st.text() | st.integers() | st.booleans()).map(json.dumps))
def test_no_payload_is_an_error(payload: str) -> None:
    read(payload, 1.0)
