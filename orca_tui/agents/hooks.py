"""What agents' hooks report, as `hook_post.py` sends it, and the command that sends it. Untrusted: all is bounded.

What an event means is its agent's own: see `claude_hooks.py` and its neighbours.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Annotated

import msgspec

from orca_tui.agents import hook_post
from orca_tui.agents.text import MAX_MESSAGE, MAX_PROMPT, one_line
from orca_tui.base.errors import Invalid, TooLarge

MAX_BODY_BYTES = (
    128 << 10
)  # The poster sends 6,000 characters at most, of up to 12 bytes as they are escaped.
MAX_AGE_S = 30.0
"""A report tells when its hook was started. More than that ago, or in the future, its clock is not believed."""

SESSION_ID = r"^[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}\Z"
"""Ids that can stand on a command line. All agents use UUIDs or words."""
_Text = Annotated[str, msgspec.Meta(max_length=MAX_MESSAGE)]
_Count = Annotated[int, msgspec.Meta(ge=0)]


class HookReport(msgspec.Struct, frozen=True, kw_only=True):
    """One event of a hook."""

    event: Annotated[str, msgspec.Meta(min_length=1, max_length=100)] = msgspec.field(name="hook_event_name")
    at: float
    """When the hook was started, Unix seconds by its own clock."""
    pid: _Count = 0
    ppid: _Count = 0
    session_id: _Text | None = None
    prompt_id: _Text | None = None
    turn_id: _Text | None = None
    agent_id: _Text | None = None
    """The sub-agent that the event is of."""
    agent_type: _Text | None = None
    tool_name: _Text | None = None
    tool_use_id: _Text | None = None
    source: _Text | None = None
    reason: _Text | None = None
    trigger: _Text | None = None
    notification_type: _Text | None = None
    error: _Text | None = None
    prompt: _Text | None = None
    last_assistant_message: _Text | None = None
    ask: _Text | None = None
    """What a tool would do, or what a notification says."""
    stop_hook_active: bool = False
    background: dict[str, _Count] = {}
    """How many background tasks of each kind still run."""

    @property
    def session(self) -> str | None:
        """The id of its session, if it is one that can stand on a command line."""
        return usable_session(self.session_id)

    @property
    def tool(self) -> str | None:
        return one_line(self.tool_name)

    @property
    def ask_text(self) -> str | None:
        return one_line(self.ask, MAX_PROMPT)


def read_hook(body: bytes) -> HookReport:
    """The report in a body; raises `Invalid` or `TooLarge`."""
    if len(body) > MAX_BODY_BYTES:
        raise TooLarge("the hook's report", MAX_BODY_BYTES)
    try:
        return msgspec.json.decode(body, type=HookReport)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Invalid("the report is none of a hook") from error


def moment(report: HookReport, now: float) -> float:
    """When the event happened: hooks arrive in any order, so their start tells more than their arrival."""
    return report.at if now - MAX_AGE_S <= report.at <= now else now


def usable_session(session_id: object) -> str | None:
    """The id of a session, if it is one that can stand on a command line and in a path."""
    found = isinstance(session_id, str) and re.search(SESSION_ID, session_id)
    return session_id if found and isinstance(session_id, str) else None


def poster() -> Path:
    """The script that hooks run."""
    return Path(hook_post.__file__)


def never_failing(command: str) -> str:
    """The command for agents that would take its failure for an objection, also when the script is no longer there."""
    return f"{command} || true"


def hook_command(python: str, agent: str) -> str:
    """The shell command that posts its standard input as an event of that agent; `python` is an interpreter."""
    return shlex.join((python, "-I", "-S", str(poster()), agent))
