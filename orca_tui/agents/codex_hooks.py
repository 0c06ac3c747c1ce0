"""What Codex's hooks say, and the options that ask for them in one invocation, together with their trust.

Codex runs a hook only once its user has trusted it, and asks for that in a dialog. `hooks.state` gives the trust for
one invocation: the hash of what is trusted, by the place where it is written. We give it after the user has agreed to
it in our own words; no file of Codex is changed.

Rule 1: a turn has an id. It begins with its prompt, and ends with `Stop`, or with `Interrupt` by its user.
Rule 2: no hook tells of a turn that failed, nor of the answer to a permission before its tool has ended.
Rule 3: nothing is told of a session before its first prompt.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from orca_tui.agents import codex_notices
from orca_tui.agents.hook_events import HookEvents
from orca_tui.agents.hooks import HookReport
from orca_tui.agents.notice_hooks import ask_command
from orca_tui.status.events import ChildEnded, ChildStarted, Event
from orca_tui.status.record import Kind
from orca_tui.status.turns import End, Ending

AGENT = "codex"
QUESTION_TOOL = "request_user_input"
EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "PreCompact",
    "PostCompact",
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "Interrupt",
)
TIMEOUT_S = 3
"""Codex cuts longer ones for some events, and hashes what it has cut them to."""
PLACE = "/<session-flags>/config.toml"
"""Where Codex says that hooks of the command line are written."""

_WORD_START = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass(frozen=True, kw_only=True, slots=True)
class Hook:
    """One command; Codex waits for it unless it is `apart`."""

    command: str
    apart: bool = True

    @property
    def toml(self) -> str:
        """Strings of TOML are written as those of JSON."""
        command = json.dumps(self.command, ensure_ascii=False)
        apart = json.dumps(self.apart)
        return f'{{type="command",command={command},timeout={TIMEOUT_S},async={apart}}}'


def options(command: str, events: Sequence[str] = EVENTS) -> tuple[str, ...]:
    """The options that have `command` run for these events and notices asked for, trusted."""
    hooks = {event: _hooks(event, command) for event in events}
    return (
        *(
            word
            for event in events
            for word in ("-c", f"hooks.{event}=[{{hooks=[{_listed(hooks[event])}]}}]")
        ),
        "-c",
        f"hooks.state={{{','.join(_trust(event, hooks[event]) for event in events)}}}",
    )


def trusted_hash(event: str, command: str, *, apart: bool = True) -> str:
    """The SHA-256 of a hook as Codex writes it down: compact, sorted, its event in snake case."""
    hook = {"async": apart, "command": command, "timeout": TIMEOUT_S, "type": "command"}
    written = json.dumps(
        {"event_name": _snake(event), "hooks": [hook]},
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
    )
    return hashlib.sha256(written.encode()).hexdigest()


def events_of(report: HookReport, at: float) -> list[Event]:
    """The events of one report that happened at that time."""
    told = HookEvents(agent=AGENT, report=report, at=at, turn=report.turn_id)
    match report.event:
        case "SessionStart":
            return told.session_changed()
        case "PreToolUse":
            return told.tool_began()
        case "PermissionRequest":
            return [told.asked(Kind.QUESTION if report.tool_name == QUESTION_TOOL else Kind.PERMISSION)]
        case "PostToolUse":
            return told.tool_ended()
        case "SubagentStart":
            return told.child(ChildStarted)
        case "SubagentStop":
            return told.child(ChildEnded)
        case _:
            return [] if report.agent_id else _turn(told)


def _turn(told: HookEvents) -> list[Event]:
    report = told.report
    match report.event:
        case "UserPromptSubmit":
            return [told.started(report.prompt)]
        case "PreCompact" if report.trigger == "manual":
            return [told.started(None)]
        case "PostCompact" if report.trigger == "manual":
            return [told.ended(End(how=Ending.OK))]
        case "Stop":
            return [told.ended(End(how=Ending.OK))]
        case "Interrupt":
            return [told.ended(End(how=Ending.INTERRUPTED))]
        case _:
            return []


def _hooks(event: str, command: str) -> list[Hook]:
    reporting = Hook(command=command)
    if event not in codex_notices.ASKING:
        return [reporting]
    return [reporting, Hook(command=ask_command(AGENT, event), apart=False)]


def _listed(hooks: Sequence[Hook]) -> str:
    return ",".join(hook.toml for hook in hooks)


def _trust(event: str, hooks: Sequence[Hook]) -> str:
    return ",".join(
        f"{json.dumps(f'{PLACE}:{_snake(event)}:0:{number}')}="
        f'{{trusted_hash="sha256:{trusted_hash(event, hook.command, apart=hook.apart)}"}}'
        for number, hook in enumerate(hooks)
    )


def _snake(event: str) -> str:
    return _WORD_START.sub("_", event).lower()
