"""What OSC 9999 and OSC 26 have in common: which agent, session and text a report may name. Untrusted text, all of it.

Both are told as reports of OSC 7501 for its root record, so that its rules of turns and of trust hold for them.
"""

from __future__ import annotations

import re

from orca_tui.agents.program_status import AGENT_OF_APP
from orca_tui.agents.text import one_line
from orca_tui.status.events import AgentRecognised, Event
from orca_tui.status.record import Source

MAX_NAME = 40

_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}")
"""No word that a program could take for an option."""


def agent_name(text: str | None) -> str | None:
    """`claude` for `Claude Code`; None for what is no name."""
    name = (one_line(text, MAX_NAME + 1) or "").lower().replace(" ", "-")
    if len(name) > MAX_NAME or not _NAME.fullmatch(name):
        return None
    return AGENT_OF_APP.get(name, name)


def session_named(session_id: str | None, agent: str | None, at: float) -> list[Event]:
    """The session that a report names, of an agent that it names, too."""
    if agent is None or session_id is None or not _SESSION.fullmatch(session_id):
        return []
    return [AgentRecognised(at=at, source=Source.PROGRAM_STATUS, agent=agent, session_id=session_id)]
