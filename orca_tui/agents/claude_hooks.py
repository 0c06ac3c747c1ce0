"""What Claude Code's hooks say, and the plugin that has it say so. Its session file tells of what hooks miss.

Rule 1: a prompt's id names its turn. A slash command has one too and starts none.
Rule 2: what bears the id of a sub-agent is the sub-agent's, and may arrive long after the root's turn.
Rule 3: a permission is asked for when its dialog shows; the notification six seconds later repeats it. Questions
        are permissions of one tool. An ask has no id. It is closed by the end of a tool of the same agent, and
        by the start of one that is later than of the same batch.
Rule 4: compaction by hand is a turn of its own; compaction on the way belongs to the turn that it serves.
Rule 5: the hooks that report are asynchronous, so they never hold the agent up, and may arrive in any order.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from orca_tui import __version__
from orca_tui.agents import claude_notices
from orca_tui.agents.hook_events import HookEvents
from orca_tui.agents.hooks import HookReport, never_failing
from orca_tui.agents.text import MAX_MESSAGE, one_line
from orca_tui.status.events import ChildEnded, ChildStarted, Event
from orca_tui.status.failures import failure
from orca_tui.status.record import Kind
from orca_tui.status.turns import End, Ending

AGENT = "claude"
QUESTION_TOOL = "AskUserQuestion"
EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PermissionRequest",
    "PermissionDenied",
    "PostToolUse",
    "PostToolUseFailure",
    "Elicitation",
    "ElicitationResult",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "Stop",
    "StopFailure",
)
"""Those that are asked for. Not: events per piece of text, and those whose hooks replace what Claude Code does."""
HOOK_TIMEOUT_S = 5  # The poster gives up after one second; starting it may take long on a machine under load.

ERROR_KINDS: Mapping[str, Kind] = {
    "authentication_failed": Kind.AUTH,
    "oauth_org_not_allowed": Kind.AUTH,
    "rate_limit": Kind.RATE_LIMIT,
    "billing_error": Kind.RATE_LIMIT,  # The credit is spent.
    "overloaded": Kind.API,
    "server_error": Kind.API,
    "invalid_request": Kind.API,
    "model_not_found": Kind.API,
}


def plugin_files(hook: str) -> Mapping[str, bytes]:
    """The folder for `--plugin-dir`, by path in it."""
    manifest = {
        "name": "orca-tui-status",
        "version": __version__,
        "description": "Tells orca-tui what this session is doing.",
    }
    entry = {"type": "command", "command": never_failing(hook), "timeout": HOOK_TIMEOUT_S, "async": True}
    events = dict.fromkeys((*EVENTS, *claude_notices.ASKING))
    hooks = {"hooks": {event: [{"hooks": _entries(event, entry)}] for event in events}}
    return {
        ".claude-plugin/plugin.json": json.dumps(manifest, indent=2).encode() + b"\n",
        "hooks/hooks.json": json.dumps(hooks, indent=2).encode() + b"\n",
    }


def _entries(event: str, reporting: dict[str, object]) -> list[dict[str, object]]:
    """The hook that reports an event and those that take notices along; both run at once."""
    return [*([reporting] if event in EVENTS else []), *claude_notices.hooks(event)]


def events_of(report: HookReport, at: float) -> list[Event]:
    """The events of one report that happened at that time."""
    told = HookEvents(agent=AGENT, report=report, at=at, turn=report.prompt_id)
    match report.event:
        case "SessionStart" if report.source != "compact":
            return told.session_changed()
        case "PermissionRequest":
            return [told.asked(Kind.QUESTION if report.tool_name == QUESTION_TOOL else Kind.PERMISSION)]
        case "Elicitation":
            return [told.asked(Kind.QUESTION)]
        case "PreToolUse":
            return told.tool_began()
        case "PostToolUse" | "PostToolUseFailure" | "PermissionDenied":
            return told.tool_ended()
        case "ElicitationResult":
            return [told.answered()]
        # A sub-agent without a type is one of Claude Code's own, such as the one that compacts.
        case "SubagentStart" if report.agent_type:
            return told.child(ChildStarted)
        case "SubagentStop" if report.agent_type:
            return told.child(ChildEnded)
        case _:
            return [] if report.agent_id else _turn(told)  # Rule 2.


def _turn(told: HookEvents) -> list[Event]:
    report = told.report
    match report.event:
        case "UserPromptSubmit":
            return [
                told.started(None if (report.prompt or "").startswith(claude_notices.WAKE) else report.prompt)
            ]
        case "PreCompact" if report.trigger == "manual":
            return [told.started(None)]
        case "PostCompact" if report.trigger == "manual":
            return [told.ended(End(how=Ending.OK))]
        case "Stop":
            return [told.ended(End(how=Ending.OK))]
        case "StopFailure":
            return [told.ended(_failure(report, told.at))]
        case _:
            return []


def _failure(report: HookReport, at: float) -> End:
    """The kind by Claude Code's own word for it, else by its message."""
    message = one_line(report.last_assistant_message or report.error, MAX_MESSAGE)
    found = failure(message, at)
    kind = ERROR_KINDS.get(report.error or "", found.kind)
    return End(how=Ending.ERROR, kind=kind, message=message, resets_at=found.resets_at)
