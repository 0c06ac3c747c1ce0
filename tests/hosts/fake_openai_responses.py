"""A fake OpenAI Responses API, as Codex uses it. `python -m tests.hosts.fake_openai_responses` serves it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.hosts.model_api import Asked, Event, Failure, Json, main
from tests.hosts.scripts import (
    Ask,
    Delegate,
    Entry,
    Fail,
    Hang,
    Run,
    Say,
    Step,
    ToolCalled,
    UserText,
    prompt_of,
    texts_of,
)

TOOL_OUTPUTS = ("function_call_output", "custom_tool_call_output")
CONTEXTS = ("<environment_context>", "AGENTS.md instructions")
"""What Codex puts into the user's mouth at the start of a session."""

TITLE = Say('{"title": "Fake title"}')
OUTSIDE = {"sandbox_permissions": "require_escalated", "justification": "May this run outside the sandbox?"}
"""What makes Codex ask, whatever the command."""

SHELL_LIMIT_MS = 60_000
USAGE = {
    "input_tokens": 100,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 10,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 110,
}


class ResponsesApi:
    """A fake OpenAI Responses API on loopback."""

    def asked(self, path: str, body: Json) -> Asked | None:
        if not path.endswith("/responses"):
            return None
        tools = tuple(tool.get("name") or tool.get("type", "") for tool in body.get("tools", []))
        return Asked(
            conversation=[entry for item in body.get("input", []) for entry in entries(item)],
            model=body.get("model", ""),
            tools=tools,
            stream=bool(body.get("stream")),
            aside=None if tools else TITLE,
        )

    def other(self, path: str) -> Json | None:
        if path.split("?")[0].endswith("/models"):
            return {"object": "list", "data": [], "models": []}
        return None

    def events(self, step: Step, number: int, asked: Asked) -> Iterator[Event]:
        head = {"id": f"resp_{number}", "object": "response"}
        yield typed("response.created", response={**head, "status": "in_progress", "output": []})
        item = item_of(step, number, asked.tools)
        if isinstance(step, Say):
            empty = {**item, "status": "in_progress", "content": []}
            yield typed("response.output_item.added", output_index=0, item=empty)
            for turn in range(step.times):
                place = {"item_id": item["id"], "output_index": 0, "content_index": 0}
                delta = nth(step, turn)
                yield typed("response.output_text.delta", rest_s=step.pause_s, **place, delta=delta)
        yield typed("response.output_item.done", output_index=0, item=item)
        yield typed("response.completed", response=self.whole(step, number, asked))

    def whole(self, step: Step, number: int, asked: Asked) -> Json:
        head = {"id": f"resp_{number}", "object": "response", "status": "completed"}
        return {**head, "output": [item_of(step, number, asked.tools)], "usage": USAGE}

    def failure(self, fail: Fail) -> Failure:
        kind = "rate_limit_exceeded" if fail.status == 429 else "server_error"
        error = {"message": fail.message or f"fake {fail.status}", "type": kind, "code": kind}
        after = {} if fail.retry_after_s is None else {"retry-after": str(fail.retry_after_s)}
        return Failure(body={"error": error}, headers=after)


def entries(item: Json) -> Iterator[Entry]:
    """An input item as it counts for the script. A call counts by its output, which is always there."""
    if item.get("type") in TOOL_OUTPUTS:
        yield ToolCalled()
    elif item.get("role") == "user":
        for text in texts_of(item.get("content")):
            if not any(context in text for context in CONTEXTS):
                yield UserText(text)


def item_of(step: Step, number: int, tools: tuple[str, ...]) -> Json:
    """A step as one output item."""
    match step:
        case Say(times=times):
            return message(number, "".join(nth(step, turn) for turn in range(times)))
        case Hang():
            return message(number, "late")
        case Run(command=command):
            return call(number, *shell_call(command, tools))
        case Ask(question=question, choices=choices):
            options = [{"label": label, "description": label} for label in choices]
            one = {"id": "choice", "header": "Choice", "question": question, "options": options}
            return call(number, "request_user_input", {"questions": [one]})
        case Delegate(task=task, steps=steps):
            arguments = {"message": prompt_of(*steps), "task_name": task.replace(" ", "_")}
            return call(number, "spawn_agent", arguments)
        case Fail():
            raise ValueError("a failure is no part of an answer")


def shell_call(command: str, tools: tuple[str, ...]) -> tuple[str, Json]:
    """The shell tool that this version has, and the arguments that it takes."""
    if "exec_command" in tools:
        return "exec_command", {"cmd": command, "yield_time_ms": SHELL_LIMIT_MS, **OUTSIDE}
    return "shell_command", {"command": command, "timeout_ms": SHELL_LIMIT_MS, **OUTSIDE}


def message(number: int, text: str) -> Json:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": content,
    }


def call(number: int, tool: str, arguments: Json) -> Json:
    return {
        "id": f"fc_{number}",
        "type": "function_call",
        "name": tool,
        "arguments": json.dumps(arguments),
        "call_id": f"call_{number}",
        "status": "completed",
    }


def nth(say: Say, turn: int) -> str:
    """One of several pieces, told apart by its number; in lines, since Codex shows text by lines."""
    return f"{say.text} {turn}\n" if say.times > 1 else say.text


def typed(name: str, *, rest_s: float = 0.0, **fields: object) -> Event:
    return Event(name=name, data={"type": name, **fields}, rest_s=rest_s)


if __name__ == "__main__":
    main(ResponsesApi())
