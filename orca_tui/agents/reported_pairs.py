"""OSC 26, the proposed Terminal Agent Protocol: an agent's state as pairs. Reads one payload; keeps no state.

Rule 1: pairs stand between `;`, `Key=Value`; the case of a key does not count, nor does a key that is not known,
        and the last of two holds.
Rule 2: without a `Status` that we know, the report says nothing of a state.
Rule 3: free text (`SessionTitle`, `Detail`, `TaskList`) is Base64 of UTF-8; one that is not counts as absent.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping

from orca_tui.agents.reported import agent_name, session_named
from orca_tui.agents.text import MAX_MESSAGE, MAX_PROMPT, one_line
from orca_tui.status.events import Event, ProgramReported, ProgramState
from orca_tui.status.record import Kind

MAX_BYTES = 16384  # A list of tasks is the longest that it carries.

STATES: Mapping[str, tuple[ProgramState, Kind | None]] = {
    "idle": (ProgramState.IDLE, None),
    "running": (ProgramState.WORKING, None),
    "awaiting-approval": (ProgramState.BLOCKED, Kind.PERMISSION),
    "awaiting-input": (ProgramState.BLOCKED, Kind.QUESTION),
    "error": (ProgramState.ERROR, None),
    "finished": (ProgramState.DONE, None),
}

_PAIR = re.compile(r"\s*([A-Za-z]{1,32})\s*=(.*)", re.DOTALL)
_PROGRESS = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


def read(payload: str, at: float) -> list[Event]:
    """The events of the text after `26;`; empty when it says nothing of a state or of a session."""
    if len(payload.encode()) > MAX_BYTES:
        return []
    found = (_PAIR.fullmatch(part) for part in payload.split(";"))
    pairs = {match[1].lower(): match[2].strip() for match in found if match}
    agent = agent_name(pairs.get("codeagent"))
    status = STATES.get(pairs.get("status", "").lower())
    named = session_named(pairs.get("sessionid"), agent, at)
    return named if status is None else [_report(*status, pairs, agent, at), *named]


def _report(
    state: ProgramState, kind: Kind | None, pairs: Mapping[str, str], agent: str | None, at: float
) -> ProgramReported:
    active = state in (ProgramState.WORKING, ProgramState.BLOCKED)
    return ProgramReported(
        at=at,
        state=state,
        agent=agent,
        kind=kind,
        progress=_percent(pairs.get("taskprogress", "")) if active else None,
        title=one_line(_decoded(pairs.get("sessiontitle")), MAX_PROMPT),
        message=one_line(_decoded(pairs.get("detail")), MAX_MESSAGE),
    )


def _percent(text: str) -> int | None:
    """`1/4` is 25."""
    found = _PROGRESS.fullmatch(text)
    if found is None or not 0 <= int(found[1]) <= int(found[2]) or int(found[2]) == 0:
        return None
    return 100 * int(found[1]) // int(found[2])


def _decoded(text: str | None) -> str | None:
    if not text:
        return None
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True).decode()
    except ValueError:  # Neither Base64 nor UTF-8.
        return None
