"""OSC 9999: an agent's state as JSON. Reads one payload; keeps no state.

Rule 1: a payload that is no JSON object, or whose `state` is none that we know, is dropped whole.
Rule 2: another field of the wrong type counts as absent; fields that are not known are ignored.
Rule 3: `blocked` and `waiting` need a person. An interrupted `done` is a turn that the user ended. With
        `sessionBoundary` a session begins: no turn has ended.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from orca_tui.agents.reported import agent_name, session_named
from orca_tui.agents.text import MAX_MESSAGE, MAX_PROMPT, one_line
from orca_tui.status.events import Event, ProgramReported, ProgramState
from orca_tui.status.record import Kind

MAX_BYTES = 65536  # What is left of a larger one would be another text.
MAX_TOOL = 60

STATES: Mapping[str, ProgramState] = {
    "working": ProgramState.WORKING,
    "blocked": ProgramState.BLOCKED,
    "waiting": ProgramState.BLOCKED,
    "done": ProgramState.DONE,
    "idle": ProgramState.IDLE,
}


def read(payload: str, at: float) -> list[Event]:
    """The events of the text after `9999;`; empty when it is dropped."""
    if len(payload.encode()) > MAX_BYTES:
        return []
    try:
        fields = msgspec.json.decode(payload.encode())
    except (msgspec.DecodeError, RecursionError):
        return []
    if not isinstance(fields, dict) or not isinstance(fields.get("state"), str):
        return []
    state = STATES.get(fields["state"])
    return [] if state is None else _events(state, fields, at)


def _events(state: ProgramState, fields: Mapping[str, Any], at: float) -> list[Event]:
    agent = agent_name(_text(fields, "agentType"))
    events: list[Event] = []
    if fields.get("sessionBoundary") is True:
        events.append(ProgramReported(at=at, state=ProgramState.CLEAR, agent=agent))
        state = ProgramState.IDLE
    elif state is ProgramState.DONE and fields.get("interrupted") is True:
        state = ProgramState.IDLE
    events.append(
        ProgramReported(
            at=at,
            state=state,
            agent=agent,
            kind=_kind(state, fields),
            title=one_line(_text(fields, "prompt"), MAX_PROMPT),
            message=_message(state, fields),
        )
    )
    return events + session_named(_text(fields, "sessionId"), agent, at)


def _kind(state: ProgramState, fields: Mapping[str, Any]) -> Kind | None:
    if state is not ProgramState.BLOCKED:
        return None
    if _text(fields, "toolName"):
        return Kind.PERMISSION
    return Kind.QUESTION if fields["state"] == "waiting" else None


def _message(state: ProgramState, fields: Mapping[str, Any]) -> str | None:
    """What it waits for; the other texts have no place in a status."""
    if state is not ProgramState.BLOCKED:
        return None
    tool = one_line(_text(fields, "toolName"), MAX_TOOL)
    told = one_line(
        _text(fields, "toolInput") if tool else _text(fields, "lastAssistantMessage"), MAX_MESSAGE
    )
    return f"{tool}: {told}" if tool and told else tool or told


def _text(fields: Mapping[str, Any], name: str) -> str | None:
    value = fields.get(name)
    return value if isinstance(value, str) else None
