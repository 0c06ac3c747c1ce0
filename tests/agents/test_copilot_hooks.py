"""What GitHub Copilot CLI's hooks say: a recorded session, and the plugin."""

from __future__ import annotations

import json

from orca_tui.agents.copilot import Copilot
from orca_tui.agents.copilot_hooks import EVENTS, plugin_files
from orca_tui.agents.copilot_notices import ASKING
from orca_tui.status.events import AgentRecognised, Asked, SessionChanged, TurnStarted
from orca_tui.status.record import Kind
from tests.agents.hook_recordings import events, recorded

COPILOT = Copilot()


def test_a_recorded_sessions_hooks_name_its_sessions_and_prompts() -> None:
    found = [
        event for at, body in recorded("copilot") for event in COPILOT.report_posted(body, "p1", at / 1000)
    ]

    sessions = [event.session_id for event in found if isinstance(event, AgentRecognised)]
    # The start, /clear, and a resume.
    assert [str(session)[:8] for session in sessions] == ["f24b82df", "b9785a7a", "f24b82df"]
    assert not any(isinstance(event, SessionChanged) for event in found)
    prompts = [event.prompt for event in found if isinstance(event, TurnStarted)]
    assert prompts[:3] == ["PLAIN x", "BASH5 x", "BASHQ x"]
    asks = [event.ask for event in found if isinstance(event, Asked)]
    assert [(ask.kind, ask.text) for ask in asks[:2]] == [
        (Kind.PERMISSION, "Run command: sleep 5 && echo hello-from-tool"),
        (Kind.PERMISSION, "Run command: touch made-by-agent.txt"),
    ]


def test_what_says_nothing_new_says_nothing() -> None:
    assert events(COPILOT, {"sessionId": "s1"}, event="sessionEnd") == []
    assert events(COPILOT, {"sessionId": "s1"}, event="errorOccurred") == []
    assert events(COPILOT, {"sessionId": "--x"}, event="sessionStart") == []
    assert events(COPILOT, {"notification_type": "later"}, event="notification") == []


def test_the_plugin_names_each_event_in_its_command() -> None:
    files = plugin_files("post it")

    assert json.loads(files["plugin.json"])["hooks"] == "hooks.json"
    hooks = json.loads(files["hooks.json"])["hooks"]
    assert set(hooks) == set(EVENTS)
    for event, (entry, *asking) in hooks.items():
        assert entry == {"type": "command", "bash": f"post it {event} || true", "timeoutSec": 5}
        assert len(asking) == (event in ASKING)
        assert all(f"/v1/intake/copilot/ask?event={event}" in one["bash"] for one in asking)
