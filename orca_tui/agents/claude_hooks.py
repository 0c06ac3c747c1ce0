"""What Claude Code's hooks say, and the plugin that has it say so. Its session file tells of what hooks miss.

Rule 1: a prompt's id names its turn. A slash command has one too and starts none.
Rule 2: what bears the id of a sub-agent is the sub-agent's, and may arrive long after the root's turn.
Rule 3: a permission is asked for when its dialog shows; the notification six seconds later repeats it. Questions
        are permissions of one tool. An ask has no id. It is closed by the end of a tool of the same agent, and
        by the start of one that is later than of the same batch.
Rule 4: compaction by hand is a turn of its own; compaction on the way belongs to the turn that it serves.
Rule 5: the hooks are asynchronous, so they never hold the agent up, and may arrive in any order.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from orca_tui import __version__
from orca_tui.agents.hooks import HookReport
from orca_tui.agents.text import MAX_MESSAGE, one_line, paragraphs
from orca_tui.status.events import (
    Asked,
    ChildEnded,
    ChildStarted,
    Event,
    Resolved,
    SessionChanged,
    ToolUsed,
    TurnEnded,
    TurnStarted,
)
from orca_tui.status.record import Kind, Source
from orca_tui.status.turns import Ask, End, Ending

AGENT = "claude"
QUESTION_TOOL = "AskUserQuestion"
WAKE = "<task-notification>"
"""What a prompt begins with by which a background task wakes the session: nobody typed it."""

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
BATCH_S = 1.0
"""Tools that are called at once may start while one of them asks already; their hooks start within this time."""
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
    entry = {"type": "command", "command": hook, "timeout": HOOK_TIMEOUT_S, "async": True}
    hooks = {"hooks": {event: [{"hooks": [entry]}] for event in EVENTS}}
    return {
        ".claude-plugin/plugin.json": json.dumps(manifest, indent=2).encode() + b"\n",
        "hooks/hooks.json": json.dumps(hooks, indent=2).encode() + b"\n",
    }


def events_of(report: HookReport, at: float) -> list[Event]:
    """The events of one report that happened at that time."""
    match report.event:
        case "SessionStart":
            return _session_started(report, at)
        case "PermissionRequest" | "Elicitation":
            return [_asked(report, at)]
        case "PreToolUse":
            return [_resolved(report, at - BATCH_S), _used(report, at, tool=report.tool)]
        case "PostToolUse" | "PostToolUseFailure" | "PermissionDenied":
            return [_resolved(report, at), _used(report, at, tool=None)]
        case "ElicitationResult":
            return [_resolved(report, at)]
        case "SubagentStart" | "SubagentStop":
            return _child(report, at)
        case _ if report.agent_id:
            return []  # Rule 2.
        case _:
            return _turn(report, at)


def _turn(report: HookReport, at: float) -> list[Event]:
    match report.event:
        case "UserPromptSubmit":
            prompt = None if (report.prompt or "").startswith(WAKE) else report.prompt
            return [_started(report, at, prompt)]
        case "PreCompact" if report.trigger == "manual":
            return [_started(report, at, None)]
        case "PostCompact" if report.trigger == "manual":
            return [_ended(report, at, End(how=Ending.OK))]
        case "Stop":
            return [_ended(report, at, End(how=Ending.OK))]
        case "StopFailure":
            kind = ERROR_KINDS.get(report.error or "", Kind.OTHER)
            message = one_line(report.last_assistant_message or report.error, MAX_MESSAGE)
            return [_ended(report, at, End(how=Ending.ERROR, kind=kind, message=message))]
        case _:
            return []


def _session_started(report: HookReport, at: float) -> list[Event]:
    session = report.session
    if session is None or report.source == "compact":
        return []
    return [SessionChanged(at=at, source=Source.HOOK, session_id=session, agent=AGENT)]


def _started(report: HookReport, at: float, prompt: str | None) -> TurnStarted:
    return TurnStarted(
        at=at,
        source=Source.HOOK,
        turn=report.prompt_id,
        session_id=report.session,
        prompt=one_line(prompt),
        agent=AGENT,
    )


def _ended(report: HookReport, at: float, end: End) -> TurnEnded:
    return TurnEnded(
        at=at,
        source=Source.HOOK,
        end=end,
        turn=report.prompt_id,
        session_id=report.session,
        last_message=paragraphs(report.last_assistant_message),
        background=sum(report.background.values()),
        background_note=_note(report.background),
        agent=AGENT,
    )


def _note(background: Mapping[str, int]) -> str | None:
    """`1 shell, 2 subagents still running`"""
    named = [f"{count} {kind}{'s' * (count != 1)}" for kind, count in background.items()]
    return one_line(f"{', '.join(named)} still running") if named else None


def _asked(report: HookReport, at: float) -> Asked:
    question = report.tool_name in (None, QUESTION_TOOL)
    kind = Kind.QUESTION if question else Kind.PERMISSION
    ask = Ask(id=f"{report.event} {report.at!r}", kind=kind, text=report.ask_text)
    return Asked(
        at=at, source=Source.HOOK, ask=ask, turn=_turn_of(report), child=report.agent_id, agent=AGENT
    )


def _resolved(report: HookReport, at: float) -> Resolved:
    """What that agent or sub-agent asked until then was answered."""
    return Resolved(at=at, source=Source.HOOK, turn=_turn_of(report), child=report.agent_id, agent=AGENT)


def _used(report: HookReport, at: float, *, tool: str | None) -> ToolUsed:
    return ToolUsed(
        at=at, source=Source.HOOK, turn=_turn_of(report), tool=tool, child=report.agent_id, agent=AGENT
    )


def _child(report: HookReport, at: float) -> list[Event]:
    """A sub-agent without a type is one of Claude Code's own, such as the one that compacts."""
    if not report.agent_id or not report.agent_type:
        return []
    kind = ChildStarted if report.event == "SubagentStart" else ChildEnded
    return [kind(at=at, source=Source.HOOK, child=report.agent_id, turn=_turn_of(report), agent=AGENT)]


def _turn_of(report: HookReport) -> str | None:
    """Rule 2: the prompt that started a sub-agent may have been answered long ago."""
    return None if report.agent_id else report.prompt_id
