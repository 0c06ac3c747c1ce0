"""Posts one event of an agent's hook to the server. A script of its own, started by the agent as
`python -I -S hook_post.py AGENT [EVENT]`; imports nothing of ours.

Rule 1: it never fails its agent: the exit code is 0, and it prints nothing but the `{}` that some agents want.
Rule 2: it reads all of its input, however long, and keeps 4 MiB of it at most.
Rule 3: it sends the few facts that status needs: no tool's output, and texts only as long as they are shown.
Rule 4: outside a pane it does nothing, nor for an agent that another one of its kind runs as a tool. Inside,
        nobody waits for it longer than a second.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time

TYPE_CHECKING = False
"""As type checkers understand it: to import `typing` would cost a tenth of the run."""
if TYPE_CHECKING:
    from typing import Any

MAX_INPUT_BYTES = 4 << 20
CHUNK_BYTES = 64 << 10
LIMIT_S = 1.0
JSON_WANTED = ("gemini", "qwen")
"""Agents that take anything but JSON on standard output for a failure."""
NESTED_IF_SET = {"gemini": "GEMINI_CLI", "qwen": "QWEN_CODE"}
"""What agents whose hooks are everywhere set for the commands that they run, and not for their hooks."""

ID, WORD, LINE, TEXT = 200, 100, 200, 2000
LIMITS = {
    "hook_event_name": WORD,
    "session_id": ID,
    "prompt_id": ID,
    "turn_id": ID,
    "agent_id": ID,
    "agent_type": WORD,
    "tool_name": WORD,
    "tool_use_id": ID,
    "source": WORD,
    "reason": WORD,
    "trigger": WORD,
    "notification_type": WORD,
    "error": LINE,
    "prompt": LINE,
    "last_assistant_message": TEXT,
}
"""What is sent of a payload, and how many characters of it."""
OTHER_NAMES = {"prompt_response": "last_assistant_message", "stop_reason": "reason"}
"""How some agents call the same."""
ASKED_OF = ("command", "file_path", "path", "url", "pattern", "query", "question", "description")
"""What a tool's input says first of what the tool is to do."""
MAX_KINDS = 16


def main(arguments: list[str]) -> None:
    started = time.time()
    agent, *event = arguments
    if agent in JSON_WANTED:
        os.write(1, b"{}")
    payload = members(_read_all(0).decode(errors="replace"))
    path, token = os.environ.get("ORCA_TUI_INTAKE"), os.environ.get("ORCA_TUI_TOKEN")
    nested = os.environ.get(NESTED_IF_SET.get(agent, ""))
    if path and token and not nested:
        body = {**facts(payload), "at": started, "pid": os.getpid(), "ppid": os.getppid()}
        body.setdefault("hook_event_name", "".join(event[:1]))
        _post(path, token, agent, json.dumps(body).encode())


def members(text: str) -> dict[str, Any]:
    """The members of a JSON object by their names in snake case; of one that was cut off, those that are whole."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = _whole_members(text)
    return {_snake(name): value for name, value in found.items()} if isinstance(found, dict) else {}


def facts(payload: dict[str, Any]) -> dict[str, Any]:
    """What is sent of a payload."""
    found: dict[str, Any] = {}
    for name, value in payload.items():
        name = OTHER_NAMES.get(name, name)
        text = _message_of(value)
        if name in LIMITS and text is not None:
            found[name] = _clean(text, LIMITS[name])
    if payload.get("stop_hook_active") is True:
        found["stop_hook_active"] = True
    if isinstance(payload.get("background_tasks"), list):
        found["background"] = _running(payload["background_tasks"])
    ask = _ask(payload)
    if ask is not None:
        found["ask"] = _clean(" ".join(ask.split()), LINE)
    return found


def _read_all(descriptor: int) -> bytes:
    kept = bytearray()
    while chunk := os.read(descriptor, CHUNK_BYTES):
        kept += chunk[: MAX_INPUT_BYTES - len(kept)]
    return bytes(kept)


def _whole_members(text: str) -> dict[str, Any]:
    """Agents put what names an event before what makes it long."""
    decoder = json.JSONDecoder()
    found: dict[str, Any] = {}
    rest = text.lstrip()
    try:
        while rest[:1] in ("{", ","):
            name, end = decoder.raw_decode(rest[1:].lstrip())
            value_text = rest[1:].lstrip()[end:].lstrip().removeprefix(":").lstrip()
            value, end = decoder.raw_decode(value_text)
            if end == len(value_text):
                break  # A number may have had more digits.
            found[str(name)] = value
            rest = value_text[end:].lstrip()
    except (ValueError, RecursionError):
        pass  # Here it was cut.
    return found


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def _message_of(value: object) -> str | None:
    """A text, or the text of an error that is told as an object."""
    if isinstance(value, dict):
        value = value.get("message")
    return value if isinstance(value, str) else None


def _running(tasks: list[Any]) -> dict[str, int]:
    """How many background tasks of each kind still run."""
    counts: dict[str, int] = {}
    for task in tasks:
        if isinstance(task, dict) and task.get("status", "running") == "running":
            kind = _clean(str(task.get("type", "task")), WORD)
            if kind in counts or len(counts) < MAX_KINDS:
                counts[kind] = counts.get(kind, 0) + 1
    return counts


def _ask(payload: dict[str, Any]) -> str | None:
    """What a tool would do, or what a notification says, as one text."""
    tool, values = payload.get("tool_name"), payload.get("tool_input", payload.get("tool_args"))
    if not isinstance(tool, str):
        return _message_of(payload.get("message"))
    if not isinstance(values, dict):
        return tool
    questions = values.get("questions")
    if isinstance(questions, list) and questions and isinstance(questions[0], dict):
        return str(questions[0].get("question", tool))
    for name in ASKED_OF:
        value = values.get(name)
        if isinstance(value, list):
            value = " ".join(str(part) for part in value)
        if isinstance(value, str) and value:
            return f"{tool}: {value[:TEXT]}"
    return tool


def _clean(text: str, limit: int) -> str:
    """At most `limit` characters, without halves of characters, which no JSON reader has to take."""
    return text[:limit].encode(errors="replace").decode()


def _post(path: str, token: str, agent: str, body: bytes) -> None:
    deadline = time.monotonic() + LIMIT_S
    head = (
        f"POST /v1/intake/{agent} HTTP/1.1\r\nHost: orca-tui\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    with socket.socket(socket.AF_UNIX) as connection:
        for step in (
            lambda: connection.connect(path),
            lambda: connection.sendall(head.encode() + body),
            lambda: connection.recv(CHUNK_BYTES),  # Who leaves before the answer may not be heard.
        ):
            connection.settimeout(max(0.001, deadline - time.monotonic()))
            step()


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    finally:
        os._exit(0)  # Rule 1.
