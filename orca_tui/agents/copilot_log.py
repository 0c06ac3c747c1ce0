"""What GitHub Copilot CLI writes to the log of a session, `events.jsonl`: the best that there is about it.

Rule 1: a turn of its user is one or more rounds of the model. The end of a round is the end of the turn only if no
        round begins in the same moment, so it is told as a level, which settles.
Rule 2: an abort and an error are written right behind the end of the round, and say how the turn ended.
Rule 3: only what begins or goes on by itself says working: tools end long after an abort.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from orca_tui.agents.hooks import usable_session
from orca_tui.agents.text import MAX_MESSAGE, one_line
from orca_tui.base.clock import unix_seconds
from orca_tui.status.events import (
    AgentRecognised,
    Event,
    InterruptPressed,
    Says,
    SessionChanged,
    StateSaid,
)
from orca_tui.status.failures import failure
from orca_tui.status.record import Kind, Source

AGENT = "copilot"
BEGINS = frozenset({"session.start", "session.resume"})
"""What a program that begins or goes on with a session writes first: all before it is history."""
WORKS = frozenset({"user.message", "assistant.turn_start"})
QUESTIONS = frozenset({"user_input", "elicitation", "exit_plan_mode"})
READ_WITHIN_S = 1.0
"""Lines are read within 0.25 s; what a line says of a time longer ago is history, or another clock's."""
KIND_OF_STATUS: Mapping[int, Kind] = {401: Kind.AUTH, 403: Kind.AUTH, 429: Kind.RATE_LIMIT}


class _Line(msgspec.Struct, frozen=True):
    type: str
    data: msgspec.Raw = msgspec.Raw(b"{}")
    timestamp: str = ""


def file_of(environment: Mapping[str, str], session_id: str) -> str | None:
    """Where a program with that environment has the log of a session."""
    home = environment.get("COPILOT_HOME")
    if not home:
        home = f"{environment['HOME']}/.copilot" if environment.get("HOME") else None
    return f"{home}/session-state/{session_id}/events.jsonl" if home else None


def begins(line: bytes) -> bool:
    """Whether a program wrote this line first."""
    read = _read(line)
    return read is not None and read.type in BEGINS


def events_of(line: bytes, at: float) -> list[Event]:
    """What a line says; nothing for one that cannot be read. `at` is when it was read."""
    read = _read(line)
    if read is None:
        return []
    at = _written_at(read, at)
    if read.type in BEGINS:
        return _session(_data(read), at)
    if read.type in WORKS:
        return [_says(at, Says.WORKING, read.type)]
    if read.type == "assistant.turn_end":
        return [_says(at, Says.IDLE, read.type)]
    if read.type == "abort":
        # The key may have been pressed longer ago than keys count, or in another terminal.
        working = _says(at, Says.WORKING, read.type)
        return [working, InterruptPressed(at=at), _says(at, Says.IDLE, read.type)]
    if read.type == "session.error":
        return [_failed(_data(read), at)]
    if read.type == "session.shutdown":
        return [_says(at, Says.NOTHING, read.type)]
    return _asks(read, at)


def _written_at(read: _Line, at: float) -> float:
    """When the line was written, by its own word where that can be: other sources may have spoken since."""
    written = unix_seconds(read.timestamp)
    return at if written is None or not at - READ_WITHIN_S <= written <= at else written


def _asks(read: _Line, at: float) -> list[Event]:
    what, _, happened = read.type.partition(".")
    if what != "permission" and what not in QUESTIONS:
        return []
    if happened == "requested":
        kind = Kind.QUESTION if what in QUESTIONS else Kind.PERMISSION
        return [_says(at, Says.WAITING, read.type, kind=kind, text=_ask(_data(read)))]
    if happened == "completed" and _goes_on(what, _data(read)):
        return [_says(at, Says.WORKING, read.type)]
    return []


def _session(data: Mapping[str, Any], at: float) -> list[Event]:
    session = usable_session(data.get("sessionId"))
    if session is None:
        return []
    return [
        _says(at, Says.IDLE, "session begins"),
        AgentRecognised(at=at, source=Source.SESSION_FILE, agent=AGENT, session_id=session),
        SessionChanged(at=at, source=Source.SESSION_FILE, session_id=session, agent=AGENT),
    ]


def _failed(data: Mapping[str, Any], at: float) -> StateSaid:
    message = data.get("message")
    text = one_line(message, MAX_MESSAGE) if isinstance(message, str) else None
    found = failure(text, at)
    status = data.get("statusCode")
    return StateSaid(
        at=at,
        source=Source.SESSION_FILE,
        says=Says.FAILED,
        detail="the log says session.error",
        kind=KIND_OF_STATUS.get(status, found.kind) if isinstance(status, int) else found.kind,
        text=text,
        resets_at=found.resets_at,
    )


def _ask(data: Mapping[str, Any]) -> str | None:
    """What is asked: a command, what it is for, or a question."""
    request = data.get("permissionRequest", data)
    if not isinstance(request, dict):
        return None
    names = ("fullCommandText", "path", "url", "toolTitle", "intention", "question", "message")
    texts = (request.get(name) for name in names)
    return one_line(next((text for text in texts if isinstance(text, str) and text), None))


def _goes_on(what: str, data: Mapping[str, Any]) -> bool:
    """After a refusal the turn may be over: what follows it says that."""
    result = data.get("result")
    kind = result.get("kind") if isinstance(result, dict) else None
    return what in QUESTIONS or (isinstance(kind, str) and kind.startswith("approved"))


def _says(
    at: float, says: Says, what: str, *, kind: Kind | None = None, text: str | None = None
) -> StateSaid:
    return StateSaid(
        at=at,
        source=Source.SESSION_FILE,
        says=says,
        detail=f"the log says {what}",
        kind=kind,
        text=text,
    )


def _read(line: bytes) -> _Line | None:
    try:
        return msgspec.json.decode(line, type=_Line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _data(read: _Line) -> Mapping[str, Any]:
    try:
        return msgspec.json.decode(read.data, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}
