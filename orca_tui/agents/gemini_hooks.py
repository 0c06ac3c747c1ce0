"""What Gemini CLI's hook says, and the extension that has it say so and take notices along.

It says only which session is shown. Its other hooks tell of turns as well, but an answer that the user interrupts
ends in them like a good one, and a dialog that is left ends in none: the title is right about both.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from orca_tui import __version__
from orca_tui.agents import gemini_notices
from orca_tui.agents.hooks import HookReport, never_failing
from orca_tui.agents.notice_hooks import ask_command
from orca_tui.status.events import AgentRecognised, Event, Says, SessionChanged, StateSaid
from orca_tui.status.record import Source

AGENT = "gemini"
EXTENSION = "orca-tui-status"
EVENT = "SessionStart"
TIMEOUT_MS = 3000


def extension_folder(environment: Mapping[str, str]) -> str | None:
    """Where Gemini CLI looks for it, which its own home decides."""
    home = environment.get("GEMINI_CLI_HOME") or environment.get("HOME")
    return f"{home}/.gemini/extensions/{EXTENSION}" if home else None


def extension_files(hook: str) -> Mapping[str, bytes]:
    """The extension, by path in its folder."""
    manifest = {"name": EXTENSION, "version": __version__}
    commands = {EVENT: never_failing(hook)} | {event: _asking(event) for event in gemini_notices.ASKING}
    hooks = {"hooks": {event: [{"hooks": [_entry(command)]}] for event, command in commands.items()}}
    return {
        "gemini-extension.json": json.dumps(manifest, indent=2).encode() + b"\n",
        "hooks/hooks.json": json.dumps(hooks, indent=2).encode() + b"\n",
    }


def _asking(event: str) -> str:
    return ask_command(AGENT, event, nothing=gemini_notices.NOTHING, unless=gemini_notices.NESTED)


def _entry(command: str) -> dict[str, object]:
    return {"type": "command", "name": EXTENSION, "command": command, "timeout": TIMEOUT_MS}


def events_of(report: HookReport, at: float) -> list[Event]:
    """The events of one report. That a hook spoke says nothing of a state, and is said first."""
    session = report.session
    if report.event != EVENT or session is None:
        return []
    detail = "its hook names sessions only"
    return [
        StateSaid(at=at, source=Source.HOOK, says=Says.NOTHING, detail=detail),
        AgentRecognised(at=at, source=Source.HOOK, agent=AGENT, session_id=session),
        SessionChanged(at=at, source=Source.HOOK, session_id=session, agent=AGENT),
    ]
