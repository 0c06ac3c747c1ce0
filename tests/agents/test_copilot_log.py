"""The log of a Copilot session: its lines as Copilot CLI 1.0.102 writes them, shortened."""

from __future__ import annotations

import json

import pytest

from orca_tui.agents import copilot_log
from orca_tui.base.clock import unix_seconds
from orca_tui.status import levels
from orca_tui.status.events import AgentRecognised, InterruptPressed, Says, SessionChanged, StateSaid
from orca_tui.status.levels import Level
from orca_tui.status.record import Kind, Source

ASK = {
    "requestId": "36aff",
    "permissionRequest": {
        "kind": "shell",
        "toolCallId": "call_2_0",
        "fullCommandText": "touch x",
        "intention": "make",
    },
}


def line(kind: str, **data: object) -> bytes:
    return json.dumps(
        {"type": kind, "data": data, "id": "1", "timestamp": "2026-11-29T20:01:39.490Z"}
    ).encode()


def said(kind: str, **data: object) -> list[str]:
    found = copilot_log.events_of(line(kind, **data), 1.0)
    return [str(event.says) for event in found if isinstance(event, StateSaid)]


def shown(*script: tuple[float, bytes]) -> list[str]:
    """What the lines of a log say one after the other, by the rules for levels, once each."""
    level: Level | None = None
    pressed: float | None = None
    statuses: list[str] = []
    for at, text in (*script, (script[-1][0] + 5, b"")):
        if level is not None:
            level = levels.matured(level, at)
        for event in copilot_log.events_of(text, at):
            pressed = event.at if isinstance(event, InterruptPressed) else pressed
            if isinstance(event, StateSaid):
                level = levels.said(level, event, pressed)
        reading = level and levels.read(level, first_rest_proves_nothing=False)
        status = f"{reading.status}{' interrupted' * reading.interrupted}" if reading else "nothing"
        if statuses[-1:] != [status]:
            statuses.append(status)
    return statuses


def test_a_turn_of_several_rounds_is_one() -> None:
    assert shown(
        (0.0, line("session.start", sessionId="s1")),
        (6.0, line("user.message", content="x")),
        (6.1, line("assistant.turn_start", turnId="0")),
        (7.0, line("permission.requested", **ASK)),
        (9.0, line("permission.completed", result={"kind": "approved"})),
        (9.3, line("tool.execution_complete", success=True)),
        (9.8, line("assistant.turn_end", turnId="0")),
        (9.8, line("assistant.turn_start", turnId="1")),
        (9.9, line("assistant.turn_end", turnId="1")),
    ) == ["idle", "working", "waiting", "working", "done"]


def test_esc_at_a_dialog_ends_the_turn_as_interrupted() -> None:
    assert shown(
        (0.0, line("user.message", content="x")),
        (1.0, line("permission.requested", **ASK)),
        (2.0, line("assistant.turn_end", turnId="0")),
        (2.0, line("abort", reason="user_initiated")),
        (2.0, line("permission.completed", result={"kind": "cancelled", "reason": "Session aborted"})),
    ) == ["working", "waiting", "idle interrupted"]


def test_an_abort_ends_the_turn_as_interrupted_whenever_the_key_was_pressed() -> None:
    assert shown(
        (0.0, line("user.message", content="x")),
        (4.0, line("assistant.turn_end", turnId="0")),
        (4.2, line("abort", reason="user_abort")),
        (9.0, line("tool.execution_complete", success=True)),
    ) == ["working", "idle interrupted"]


def test_an_error_behind_the_end_of_a_round_is_how_the_turn_ended() -> None:
    assert shown(
        (0.0, line("user.message", content="x")),
        (0.6, line("assistant.turn_end", turnId="0")),
        (0.6, line("session.error", errorType="query", message="400 fake error 400", statusCode=400)),
    ) == ["working", "error"]


@pytest.mark.parametrize(
    ("status", "message", "kind"),
    [
        (401, "no", Kind.AUTH),
        (403, "no", Kind.AUTH),
        (429, "no", Kind.RATE_LIMIT),
        (400, "400 bad request", Kind.API),
        (None, "You have exceeded your monthly quota", Kind.RATE_LIMIT),
        (None, "odd", Kind.OTHER),
        ("429", "odd", Kind.OTHER),
    ],
)
def test_an_error_tells_its_kind(status: object, message: str, kind: Kind) -> None:
    (event,) = copilot_log.events_of(line("session.error", message=message, statusCode=status), 1.0)

    assert isinstance(event, StateSaid)
    assert (event.says, event.kind, event.text) == (Says.FAILED, kind, message)


@pytest.mark.parametrize(
    ("kind", "data", "says"),
    [
        ("assistant.turn_start", {}, ["working"]),
        ("assistant.turn_end", {}, ["idle"]),
        ("session.shutdown", {}, ["nothing"]),
        ("permission.completed", {"result": {"kind": "approved-for-session"}}, ["working"]),
        ("permission.completed", {"result": {"kind": "denied-interactively-by-user"}}, []),
        ("permission.completed", {"result": None}, []),
        ("user_input.requested", {"question": "Which?"}, ["waiting"]),
        ("user_input.completed", {}, ["working"]),
        ("elicitation.requested", {"message": "Name?"}, ["waiting"]),
        ("exit_plan_mode.requested", {}, ["waiting"]),
        ("assistant.message", {"content": "hi"}, []),
        ("tool.execution_start", {}, []),
        ("tool.execution_complete", {}, []),
        ("session.usage_record", {}, []),
        ("session.model_change", {}, []),
        ("permission.later", {}, []),
    ],
)
def test_a_line_says_what_it_says(kind: str, data: dict[str, object], says: list[str]) -> None:
    assert said(kind, **data) == says


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (ASK, "touch x"),
        ({"permissionRequest": {"kind": "write", "path": "/a/b"}}, "/a/b"),
        ({"permissionRequest": {"fullCommandText": "a\nb\x07c \u202e"}}, "a bc"),
        ({"permissionRequest": {}}, None),
        ({"permissionRequest": "x"}, None),
    ],
)
def test_an_ask_tells_what_is_asked(data: dict[str, object], text: str | None) -> None:
    (event,) = copilot_log.events_of(line("permission.requested", **data), 1.0)

    assert isinstance(event, StateSaid)
    assert (event.kind, event.text, event.source) == (Kind.PERMISSION, text, Source.SESSION_FILE)


@pytest.mark.parametrize("kind", ["session.start", "session.resume"])
def test_a_session_that_begins_is_named(kind: str) -> None:
    level, named, changed = copilot_log.events_of(line(kind, sessionId="s1"), 1.0)

    assert isinstance(level, StateSaid)
    assert isinstance(named, AgentRecognised)
    assert isinstance(changed, SessionChanged)
    assert named.session_id == changed.session_id == "s1"
    assert copilot_log.begins(line(kind, sessionId="s1"))


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"[]", b"7", b"\xff", b'{"type": 7}', b'{"data": {}}', b"[" * 50_000, line("session.start")],
)
def test_a_line_that_cannot_be_read_says_nothing(text: bytes) -> None:
    assert copilot_log.events_of(text, 1.0) == []


def test_odd_data_in_a_known_line_fails_nothing() -> None:
    for kind in ("session.start", "session.error", "permission.requested", "permission.completed", "abort"):
        copilot_log.events_of(b'{"type": "%s", "data": [1]}' % kind.encode(), 1.0)


@pytest.mark.parametrize(
    ("environment", "path"),
    [
        ({"HOME": "/h"}, "/h/.copilot/session-state/s1/events.jsonl"),
        ({"HOME": "/h", "COPILOT_HOME": "/c"}, "/c/session-state/s1/events.jsonl"),
        ({}, None),
    ],
)
def test_the_log_is_in_copilots_home(environment: dict[str, str], path: str | None) -> None:
    assert copilot_log.file_of(environment, "s1") == path


@pytest.mark.parametrize(("read_after_s", "said_after_s"), [(0.2, 0.0), (5.0, 5.0), (-1.0, -1.0)])
def test_a_line_is_of_the_time_at_which_it_says_that_it_was_written(
    read_after_s: float, said_after_s: float
) -> None:
    written = unix_seconds("2026-11-29T20:01:39.490Z")
    assert written is not None

    (event,) = copilot_log.events_of(line("user.message"), written + read_after_s)

    assert event.at == pytest.approx(written + said_after_s)
