"""What a person needs to see of a recording to write down its truth: keys, marks, hooks, files, titles, reports.

It shows the evidence in its order and no verdict of ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from orca_tui.term.engine import Notification, ProgramStatus, Progress, TitleChanged
from orca_tui.term.ghostty import GhosttyFactory
from tests.accuracy.recording import Line, Recording

SPINNERS = set("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏◐◑")
TELLING = (
    *("source", "reason", "tool_name", "toolName", "notification_type", "prompt", "error"),
    *("background_tasks", "is_interrupt", "stopReason", "errorContext", "recoverable"),
    *("prompt_id", "turn_id", "agent_id", "session_id", "prompt_response", "message"),
)
LONGEST = 200


def listing(recording: Recording) -> Iterator[str]:
    """One line per thing that happened, with its time in ms."""
    engine = GhosttyFactory().new(recording.cols, recording.rows, scrollback_lines=100)
    title = ""
    for line in recording.lines:
        if line.kind != "output":
            yield f"{line.at:>7.0f} {line.kind:8} {_told(line)}"
            continue
        for fact in engine.feed(line.data()).facts:
            match fact:
                case TitleChanged(title=new):
                    if _still(new) != _still(title):
                        yield f"{line.at:>7.0f} title    {new.strip()}"
                    title = new
                case ProgramStatus(payload=payload):
                    yield f"{line.at:>7.0f} osc7501  {payload}"
                case Progress(state=state, percent=percent):
                    yield f"{line.at:>7.0f} osc9;4   {state} {percent}"
                case Notification(title=head, body=body):
                    yield f"{line.at:>7.0f} notice   {head} {body}"
                case _:
                    pass
    engine.close()


def _still(title: str) -> str:
    """A title whose spinner does not turn."""
    return "".join("~" if character in SPINNERS else character for character in title.strip())


def _told(line: Line) -> str:
    match line.kind:
        case "hook":
            return f"{line.what['event']} {_telling(line.what['payload'])}"
        case "key":
            return str(line.what.get("name") or repr(line.what.get("text")))
        case "file":
            path = line.what["path"].rpartition("/")[2]
            return f"{path} {_short(_of_file(line.what.get('text') or line.what.get('append') or 'gone'))}"
        case "table":
            return _of_table(line.what["table"])
        case "mark":
            return str(line.what["what"])
        case _:
            return _short(json.dumps(line.what, ensure_ascii=False))


def _of_file(text: str) -> str:
    """What a file of Claude Code says of its session, and which events are in a log of Copilot's."""
    told = [_json(line) for line in text.splitlines()]
    if not told or not all(told):
        return text
    names = ("type", "status", "waitingFor", "sessionId")
    return ", ".join(" ".join(str(one[name]) for name in names if one.get(name)) for one in told)


def _of_table(table: dict[str, Any]) -> str:
    """What a status plugin says of each of its sessions."""
    rows = [
        " ".join(
            [
                str(row["id"])[-6:],
                "busy" if row.get("busy") else "at rest",
                f"turn {row.get('turn', 0)}",
                f"ended {row['end']}" if row.get("end") else "",
                " ".join(f"asks {ask['kind']}" for ask in row.get("asks", ())),
                f"retry {row['retry']['attempt']}" if row.get("retry") else "",
            ]
        ).strip()
        for row in table.get("sessions", ())
    ]
    return f"{'gone' if table.get('gone') else ''} {'; '.join(rows)}".strip() or "no session"


def _json(text: str) -> dict[str, object]:
    try:
        read = json.loads(text)
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}


def _telling(payload: object) -> str:
    if not isinstance(payload, dict):
        return ""
    kept = {name: payload[name] for name in TELLING if payload.get(name) not in (None, "", [])}
    for name in ("session_id", "prompt_id", "turn_id", "agent_id"):
        if name in kept:
            kept[name] = str(kept[name])[-6:]
    return _short(json.dumps(kept, ensure_ascii=False))


def _short(text: str) -> str:
    text = text.replace("\n", "⏎")
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
