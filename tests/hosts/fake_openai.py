"""A fake OpenAI-compatible chat API on loopback, scripted by the prompt. Standard library only.

    python fake_openai.py [--port N] [--log FILE]       prints its port, then serves until killed

A user message may hold `DO:[step, ...]` (JSON). The step that is played is picked by how many assistant
messages with tool calls follow it, so a script of two steps is "call a tool, then answer". A step is one of

    {"text": "hi", "n": 3, "delay": 0.1}      stream n chunks, with a delay after each
    {"tool": "bash", "args": {...}}           one tool call; {"tools": [{"tool", "args"}, ...]} several at once
    {"error": 429, "times": 2}                an HTTP error for the first `times` tries (default: always)
    {"hang": 30}                              open the stream and send nothing for so many seconds
    {"text": "hi", "after": "FILE"}           open the stream, and say it once there is such a file

Requests without tools, such as those for titles and summaries, get a short answer.
"""

from __future__ import annotations

import argparse
import json
import os
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TextIO

LOOK_S = 0.02  # How often a file is looked for that is waited for.


def text_of(content: Any) -> str:
    """The text of a message's content, which is a string or a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(part.get("text", "") for part in parts if isinstance(part, dict))


def script_of(text: str) -> list[dict[str, Any]] | None:
    """The steps after `DO:`; `opencode run` passes prompts with escaped quotes."""
    at = text.find("DO:[")
    if at < 0:
        return None
    source = text[at + 3 :]
    if source.startswith('[{\\"'):
        source = source.replace('\\"', '"').replace("\\\\", "\\")
    try:
        steps, _ = json.JSONDecoder().raw_decode(source)
    except json.JSONDecodeError:
        return None
    return steps  # type: ignore[no-any-return]


def next_step(messages: list[dict[str, Any]]) -> tuple[dict[str, Any], str]:
    """The step to play, and the user text that it belongs to (the key under which tries are counted)."""
    at = max((i for i, one in enumerate(messages) if one.get("role") == "user"), default=None)
    if at is None:
        return {"text": "ok"}, ""
    text = text_of(messages[at].get("content"))
    played = sum(1 for one in messages[at + 1 :] if one.get("role") == "assistant" and one.get("tool_calls"))
    steps = script_of(text)
    if not steps:
        return {"text": "ok (no script)"}, text
    return steps[min(played, len(steps) - 1)], f"{played} {text}"


class Provider(ThreadingHTTPServer):
    """The server, with what its handlers share."""

    daemon_threads = True

    def __init__(self, port: int, log: TextIO | None) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.log = log
        self.lock = threading.Lock()
        self.tries: Counter[str] = Counter()
        self.requests = 0

    def record(self, **facts: Any) -> None:
        if self.log is not None:
            with self.lock:
                self.log.write(json.dumps({"t": time.time(), **facts}) + "\n")
                self.log.flush()

    def try_number(self, key: str) -> int:
        with self.lock:
            self.tries[key] += 1
            return self.tries[key]

    def request_number(self) -> int:
        with self.lock:
            self.requests += 1
            return self.requests


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Provider

    def log_message(self, *_: Any) -> None:
        """Silent: requests go to the log file."""

    def do_GET(self) -> None:
        if self.path.endswith("/models"):
            self.answer(200, {"object": "list", "data": [{"id": "fake", "object": "model"}]})
        else:
            self.answer(404, {"error": {"message": "no such page"}})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        messages = body.get("messages", [])
        number = self.server.request_number()
        system = text_of(messages[0].get("content")) if messages else ""
        step, key = next_step(messages)
        if not body.get("tools") and "error" not in step:
            step = {"text": "Fake title" if "title" in system[:300].lower() else "summary text"}
        self.server.record(
            request=number,
            tools=len(body.get("tools", [])),
            user=text_of(messages[-1].get("content"))[-400:] if messages else "",
            conversation=[text_of(one.get("content")) for one in messages if one.get("role") != "system"],
            earlier=[text_of(one.get("content"))[:80] for one in messages[:-1] if one.get("role") == "user"],
        )
        if "error" in step and self.server.try_number(key) <= step.get("times", 10**9):
            self.answer(step["error"], {"error": {"message": f"fake error {step['error']}", "type": "fake"}})
            return
        self.stream(number, body.get("model"), {"text": "recovered"} if "error" in step else step)

    def answer(self, status: int, value: Any) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def stream(self, number: int, model: Any, step: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        base = {"id": f"chatcmpl-{number}", "object": "chat.completion.chunk", "created": 0, "model": model}
        try:
            for delta in deltas(number, step):
                self.event({**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
            reason = "tool_calls" if "tool" in step or "tools" in step else "stop"
            self.event({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
            usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
            self.event({**base, "choices": [], "usage": usage})
            self.chunk("data: [DONE]\n\n")
            self.wfile.write(b"0\r\n\r\n")
            self.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def event(self, value: Any) -> None:
        self.chunk("data: " + json.dumps(value) + "\n\n")

    def chunk(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(b"%x\r\n" % len(data) + data + b"\r\n")
        self.wfile.flush()


def deltas(number: int, step: dict[str, Any]) -> Any:
    """What the model says, piece by piece."""
    yield {"role": "assistant", "content": ""}
    time.sleep(step.get("hang", 0))
    while "after" in step and not os.path.exists(step["after"]):
        time.sleep(LOOK_S)
    for part in range(step.get("n", 1) if "text" in step else 0):
        yield {"content": step["text"] + (f" {part}" if step.get("n", 1) > 1 else "")}
        time.sleep(step.get("delay", 0.02))
    calls = step.get("tools") or ([step] if "tool" in step else [])
    for index, call in enumerate(calls):
        function = {"name": call["tool"], "arguments": json.dumps(call.get("args", {}))}
        yield {
            "tool_calls": [
                {"index": index, "id": f"call_{number}_{index}", "type": "function", "function": function}
            ]
        }


def main() -> None:
    parser = argparse.ArgumentParser(description="A fake OpenAI-compatible chat API on loopback.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--log")
    arguments = parser.parse_args()
    log = open(arguments.log, "a") if arguments.log else None  # noqa: SIM115 (open as long as the process)
    provider = Provider(arguments.port, log)
    print(provider.server_address[1], flush=True)
    provider.serve_forever()


if __name__ == "__main__":
    main()
