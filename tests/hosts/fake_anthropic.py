"""A fake Anthropic Messages API, as Claude Code uses it. `python -m tests.hosts.fake_anthropic` serves it."""

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

ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}
TITLE = Say('{"title": "Fake title"}')
SUMMARY = Say("<analysis>all of it</analysis>\n<summary>what was said</summary>", pause_s=0.3)
ASKS_FOR_SUMMARY = "create a detailed summary of"
USAGE = {
    "input_tokens": 1000,
    "output_tokens": 5,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
}


class AnthropicApi:
    """A fake Anthropic Messages API on loopback."""

    def asked(self, path: str, body: Json) -> Asked | None:
        if not path.startswith("/v1/messages") or "count_tokens" in path:
            return None
        messages: list[Json] = body.get("messages", [])
        tools = tuple(tool.get("name", "") for tool in body.get("tools", []))
        return Asked(
            conversation=[entry for message in messages for entry in entries(message)],
            model=body.get("model", ""),
            tools=tools,
            stream=bool(body.get("stream")),
            aside=aside(messages, tools),
        )

    def other(self, path: str) -> Json | None:
        return {"input_tokens": 100} if "count_tokens" in path else None

    def events(self, step: Step, number: int, asked: Asked) -> Iterator[Event]:
        yield typed("message_start", message=self._message(number, asked, [], None))
        match step:
            case Say(text=text, times=times, pause_s=pause_s):
                yield typed("content_block_start", index=0, content_block={"type": "text", "text": ""})
                for turn in range(times):
                    delta = {"type": "text_delta", "text": nth(text, turn, times)}
                    yield typed("content_block_delta", rest_s=pause_s, index=0, delta=delta)
            case _:
                block = block_of(step, number)
                arguments = json.dumps(block.pop("input", {}))
                yield typed("content_block_start", index=0, content_block={**block, "input": {}})
                delta = {"type": "input_json_delta", "partial_json": arguments}
                yield typed("content_block_delta", index=0, delta=delta)
        yield typed("content_block_stop", index=0)
        end = {"stop_reason": stop_reason(step), "stop_sequence": None}
        yield typed("message_delta", delta=end, usage={"output_tokens": 20})
        yield typed("message_stop")

    def whole(self, step: Step, number: int, asked: Asked) -> Json:
        return self._message(number, asked, [block_of(step, number)], stop_reason(step))

    def failure(self, fail: Fail) -> Failure:
        error = {"type": ERRORS[fail.status], "message": fail.message or f"fake {fail.status}"}
        after = {} if fail.retry_after_s is None else {"retry-after": str(fail.retry_after_s)}
        return Failure(body={"type": "error", "error": error}, headers=after)

    def _message(self, number: int, asked: Asked, content: list[Json], reason: str | None) -> Json:
        return {
            "id": f"msg_{number:020}",
            "type": "message",
            "role": "assistant",
            "model": asked.model,
            "content": content,
            "stop_reason": reason,
            "stop_sequence": None,
            "usage": USAGE,
        }


def entries(message: Json) -> Iterator[Entry]:
    """A message as it counts for the script."""
    content = message.get("content")
    if message.get("role") == "user":
        yield from map(UserText, texts_of(content))
    elif any(isinstance(block, dict) and block.get("type") == "tool_use" for block in content or []):
        yield ToolCalled()


def aside(messages: list[Json], tools: tuple[str, ...]) -> Say | None:
    """Summaries are asked for with the tools of the session; what comes without tools is a title."""
    last = texts_of(messages[-1].get("content")) if messages else []
    if any(ASKS_FOR_SUMMARY in text for text in last):
        return SUMMARY
    return None if tools else TITLE


def block_of(step: Step, number: int) -> Json:
    """A step as one block of an answer."""
    match step:
        case Say(text=text, times=times):
            return {"type": "text", "text": "".join(nth(text, turn, times) for turn in range(times))}
        case Hang():
            return {"type": "text", "text": "late"}
        case Run(command=command, background=background):
            more = {"run_in_background": True} if background else {}
            return call(number, "Bash", command=command, description="Run the command", **more)
        case Ask(question=question, choices=choices):
            options = [{"label": label, "description": label} for label in choices]
            one = {"question": question, "header": "Choice", "multiSelect": False, "options": options}
            return call(number, "AskUserQuestion", questions=[one])
        case Delegate(task=task, steps=steps):
            kind = {"subagent_type": "general-purpose"}
            return call(number, "Agent", description=task, prompt=prompt_of(*steps), **kind)
        case Fail():
            raise ValueError("a failure is no part of an answer")


def call(number: int, tool: str, **arguments: object) -> Json:
    return {"type": "tool_use", "id": f"toolu_{number:020}", "name": tool, "input": arguments}


def stop_reason(step: Step) -> str:
    return "end_turn" if isinstance(step, Say | Hang) else "tool_use"


def nth(text: str, turn: int, times: int) -> str:
    """One of several pieces, told apart by its number."""
    return f"{text} {turn} " if times > 1 else text


def typed(name: str, *, rest_s: float = 0.0, **fields: object) -> Event:
    return Event(name=name, data={"type": name, **fields}, rest_s=rest_s)


if __name__ == "__main__":
    main(AnthropicApi())
