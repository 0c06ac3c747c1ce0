"""A fake Gemini API, as Gemini CLI uses it. `python -m tests.hosts.fake_gemini` serves it."""

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
    texts_of,
)

STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}
DECISION = Say(
    json.dumps(
        {
            "reasoning": "none",
            "model_choice": "flash",
            "complexity_reasoning": "none",
            "complexity_score": 1,
            "next_speaker": "user",
            "title": "Fake title",
            "summary": "what was said",
        }
    )
)
"""One answer to all that Gemini CLI asks of a model in JSON: which model, who speaks next, which title."""

SUMMARY = Say("<state_snapshot>what was said</state_snapshot>", pause_s=0.3)
USAGE = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}


class GeminiApi:
    """A fake Gemini API on loopback."""

    def asked(self, path: str, body: Json) -> Asked | None:
        if "enerateContent" not in path:
            return None
        contents = body.get("contents", [])
        messages: list[Json] = [contents] if isinstance(contents, dict) else contents
        declared = [one for tool in body.get("tools") or [] for one in tool.get("functionDeclarations", [])]
        tools = tuple(one.get("name", "") for one in declared)
        return Asked(
            conversation=[entry for message in messages for entry in entries(message)],
            model=path.rsplit("/", 1)[-1].split(":")[0],
            tools=tools,
            stream="stream" in path,
            aside=aside(body, tools),
        )

    def other(self, path: str) -> Json | None:
        return {"totalTokens": 100} if ":countTokens" in path else None

    def events(self, step: Step, number: int, asked: Asked) -> Iterator[Event]:
        if isinstance(step, Say):
            for turn in range(step.times):
                yield Event(data=answer({"text": nth(step, turn)}), rest_s=step.pause_s)
        else:
            yield Event(data=answer(part_of(step, number)))
        yield Event(data=self._end(answer({"text": ""}), asked))

    def whole(self, step: Step, number: int, asked: Asked) -> Json:
        return self._end(answer(part_of(step, number)), asked)

    def failure(self, fail: Fail) -> Failure:
        message = fail.message or f"fake {fail.status}"
        error: Json = {"code": fail.status, "message": message, "status": STATUSES[fail.status]}
        if fail.retry_after_s is not None:
            kind = "type.googleapis.com/google.rpc.RetryInfo"
            error["details"] = [{"@type": kind, "retryDelay": f"{fail.retry_after_s}s"}]
        return Failure(body={"error": error})

    def _end(self, value: Json, asked: Asked) -> Json:
        value["candidates"][0]["finishReason"] = "STOP"
        return {**value, "usageMetadata": USAGE, "modelVersion": asked.model}


def entries(message: Json) -> Iterator[Entry]:
    """A message as it counts for the script. A call counts by its response, which is always there."""
    if message.get("role") == "model":
        return
    parts = message.get("parts", [])
    if any("functionResponse" in part for part in parts):
        yield ToolCalled()
    yield from map(UserText, texts_of(parts))


def aside(body: Json, tools: tuple[str, ...]) -> Say | None:
    """What is asked in JSON is a decision; what is asked in words but without tools is a summary."""
    settings = body.get("generationConfig", {})
    if settings.get("responseMimeType") == "application/json" or settings.get("responseJsonSchema"):
        return DECISION
    return None if tools else SUMMARY


def part_of(step: Step, number: int) -> Json:
    """A step as one part of an answer."""
    match step:
        case Say(times=times):
            return {"text": "".join(nth(step, turn) for turn in range(times))}
        case Hang():
            return {"text": "late"}
        case Run(command=command):
            return call(number, "run_shell_command", command=command, description="Run the command")
        case Ask(question=question, choices=choices):
            options = [{"label": label, "description": label} for label in choices]
            one = {"question": question, "header": "Choice", "type": "choice", "options": options}
            return call(number, "ask_user", questions=[one])
        case Delegate():
            raise ValueError("Gemini CLI starts no sub-agent that takes a prompt")
        case Fail():
            raise ValueError("a failure is no part of an answer")


def call(number: int, tool: str, **arguments: object) -> Json:
    return {"functionCall": {"name": tool, "args": arguments, "id": f"call_{number}"}}


def answer(part: Json) -> Json:
    return {"candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0}]}


def nth(say: Say, turn: int) -> str:
    """One of several pieces, told apart by its number; in lines, since Gemini CLI shows text by lines."""
    return f"{say.text} {turn}\n" if say.times > 1 else say.text


if __name__ == "__main__":
    main(GeminiApi())
