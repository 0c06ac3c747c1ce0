"""What GitHub Copilot CLI's hooks say, and the plugin that has them say so.

They name the session, from its first prompt on, and what is asked and answered; its log, which is found by that name,
says the rest. They know no turns by id, and tell of no interrupt.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from orca_tui import __version__
from orca_tui.agents import copilot_notices
from orca_tui.agents.hook_events import HookEvents
from orca_tui.agents.hooks import HookReport, never_failing
from orca_tui.agents.notice_hooks import ask_command
from orca_tui.status.events import AgentRecognised, Event
from orca_tui.status.record import Kind, Source
from orca_tui.status.turns import End, Ending

AGENT = "copilot"
EVENTS = (
    "sessionStart",
    "userPromptSubmitted",
    "preToolUse",
    "postToolUse",
    "notification",
    "agentStop",
)
TIMEOUT_S = 5


def plugin_files(hook: str) -> Mapping[str, bytes]:
    """The folder for `--plugin-dir`, by path in it. Payloads do not name their event, so the command does."""
    manifest = {
        "name": "orca-tui-status",
        "version": __version__,
        "description": "Tells orca-tui what this session is doing.",
        "hooks": "hooks.json",
    }
    hooks = {event: _entries(event, hook) for event in EVENTS}
    return {
        "plugin.json": json.dumps(manifest, indent=2).encode() + b"\n",
        "hooks.json": json.dumps({"version": 1, "hooks": hooks}, indent=2).encode() + b"\n",
    }


def events_of(report: HookReport, at: float) -> list[Event]:
    """The events of one report that happened at that time."""
    told = HookEvents(agent=AGENT, report=report, at=at, turn=None)
    match report.event:
        case "sessionStart":
            return _session(told)
        case "userPromptSubmitted":
            return [told.started(report.prompt)]
        case "preToolUse":
            return told.tool_began()
        case "postToolUse":
            return told.tool_ended()
        # Its own notification names itself as Claude Code's does.
        case "notification" | "Notification" if report.notification_type == "permission_prompt":
            return [told.asked(Kind.PERMISSION)]
        case "agentStop":
            return [told.ended(End(how=Ending.OK))]
        case _:
            return []


def _session(told: HookEvents) -> list[Event]:
    """It runs with the first prompt of a session, and may arrive behind that: it names the session, and bounds none."""
    session = told.report.session
    if session is None:
        return []
    return [AgentRecognised(at=told.at, source=Source.HOOK, agent=AGENT, session_id=session)]


def _entries(event: str, hook: str) -> list[dict[str, object]]:
    commands = [never_failing(f"{hook} {event}")]
    if event in copilot_notices.ASKING:
        commands.append(ask_command(AGENT, event))
    return [_entry(command) for command in commands]


def _entry(command: str) -> dict[str, object]:
    return {"type": "command", "bash": command, "timeoutSec": TIMEOUT_S}
