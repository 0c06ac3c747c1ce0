"""Gemini CLI's extension and what its hook says."""

from __future__ import annotations

import json

import pytest

from orca_tui.agents.gemini import Gemini
from orca_tui.agents.gemini_hooks import extension_files, extension_folder
from orca_tui.agents.gemini_notices import ASKING
from orca_tui.status.events import AgentRecognised, Says, SessionChanged, StateSaid
from tests.agents.hook_recordings import events, recorded

GEMINI = Gemini()


def test_a_recorded_sessions_hooks_name_its_sessions_and_nothing_else() -> None:
    named = [
        (at, event.session_id)
        for at, body in recorded("gemini")
        for event in GEMINI.report_posted(body, "p1", at / 1000)
        if isinstance(event, SessionChanged)
    ]

    assert [session[:8] for _, session in named] == ["908dc3a4", "3a80441f"]  # The start, and /clear.


def test_a_session_is_named_and_no_state_is_told() -> None:
    payload = {"hook_event_name": "SessionStart", "source": "clear", "session_id": "s2"}

    level, recognised, changed = events(GEMINI, payload, at=4.0)

    assert isinstance(level, StateSaid)
    assert level.says is Says.NOTHING
    assert isinstance(recognised, AgentRecognised)
    assert isinstance(changed, SessionChanged)
    assert recognised.session_id == changed.session_id == "s2"


@pytest.mark.parametrize(
    "payload",
    [
        {"hook_event_name": "AfterAgent", "session_id": "s1"},
        {"hook_event_name": "SessionEnd", "session_id": "s1"},
        {"hook_event_name": "SessionStart", "session_id": "--x"},
        {"hook_event_name": "SessionStart"},
    ],
)
def test_everything_else_says_nothing(payload: dict[str, object]) -> None:
    assert events(GEMINI, payload) == []


def test_the_extension_reports_sessions_and_asks_for_notices() -> None:
    files = extension_files("post it")

    assert json.loads(files["gemini-extension.json"])["name"] == "orca-tui-status"
    hooks = json.loads(files["hooks/hooks.json"])["hooks"]
    entry = {"type": "command", "name": "orca-tui-status", "command": "post it || true", "timeout": 3000}
    assert hooks.pop("SessionStart") == [{"hooks": [entry]}]
    assert set(hooks) == set(ASKING)
    for event, [group] in hooks.items():
        assert f"/v1/intake/gemini/ask?event={event}" in group["hooks"][0]["command"]


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"HOME": "/h"}, "/h/.gemini/extensions/orca-tui-status"),
        ({"HOME": "/h", "GEMINI_CLI_HOME": "/g"}, "/g/.gemini/extensions/orca-tui-status"),
        ({}, None),
    ],
)
def test_its_folder_is_in_geminis_home(environment: dict[str, str], folder: str | None) -> None:
    assert extension_folder(environment) == folder
