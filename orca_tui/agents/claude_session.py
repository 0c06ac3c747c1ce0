"""Claude Code's session file, `sessions/PID.json` in its folder: a level that follows what no hook tells of.

Claude Code writes it anew with every change, so it may be read half written; it removes it when it ends in order,
and leaves it behind when it is killed. Errors and good ends look the same in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec

from orca_tui.agents.adapter import FileSaid
from orca_tui.agents.hooks import SESSION_ID
from orca_tui.status.events import AgentRecognised, Says, SessionChanged, StateSaid
from orca_tui.status.record import Kind, Source

AGENT = "claude"
INTERACTIVE = "interactive"
_MS_PER_S = 1000


class _File(msgspec.Struct, frozen=True):
    """The members that are read; there are many more."""

    session_id: Annotated[str, msgspec.Meta(pattern=SESSION_ID)] = msgspec.field(name="sessionId")
    started_at: float = msgspec.field(name="startedAt")
    status: str
    kind: str = INTERACTIVE
    waiting_for: str | None = msgspec.field(name="waitingFor", default=None)


def folder(environment: Mapping[str, str]) -> str | None:
    """Where the files of a program with that environment are."""
    config = environment.get("CLAUDE_CONFIG_DIR")
    if not config:
        home = environment.get("HOME")
        config = f"{home}/.claude" if home else None
    return f"{config}/sessions" if config else None


def read(content: bytes, at: float) -> FileSaid | None:
    """The state in a file; None for a torn one, and for one that is of no interactive session."""
    try:
        file = msgspec.json.decode(content, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if file.kind != INTERACTIVE:
        return None
    says, kind, text = _said(file)
    level = StateSaid(
        at=at,
        source=Source.SESSION_FILE,
        says=says,
        detail="the session file says something unknown"
        if says is Says.NOTHING
        else f"the session file says {file.status}",
        kind=kind,
        text=text,
    )
    session = file.session_id
    named = AgentRecognised(at=at, source=Source.SESSION_FILE, agent=AGENT, session_id=session)
    shown = SessionChanged(at=at, source=Source.SESSION_FILE, session_id=session, agent=AGENT)
    return FileSaid(session_id=session, began_at=file.started_at / _MS_PER_S, events=(level, named, shown))


def _said(file: _File) -> tuple[Says, Kind | None, str | None]:
    match file.status:
        case "busy":
            return Says.WORKING, None, None
        case "shell":  # The turn is over, and a command that it started still runs.
            return Says.WORKING, None, "a background shell still runs"
        case "waiting":
            asks_permission = (file.waiting_for or "").startswith("permission")
            return Says.WAITING, Kind.PERMISSION if asks_permission else Kind.QUESTION, None
        case "idle":
            return Says.ENDED, None, None
        case _:
            return Says.NOTHING, None, None
