"""A model API on loopback that plays the script in the prompt: HTTP and streaming, whatever the dialect.

Run a dialect with `python -m tests.hosts.fake_NAME [--port N] [--log FILE]` (prints its port, then serves until
killed), or within a test by `serving(Dialect())`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Protocol

from tests.hosts.scripts import RECOVERED, Entry, Fail, Hang, Say, Step, next_step

Json = dict[str, Any]
GONE = (BrokenPipeError, ConnectionResetError)

THINKING_S = 0.3
"""Before each answer: long enough for an agent to draw that it works before it draws what comes of it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One request to a model. `aside`: the answer to a request that is none of the user's, such as for a title."""

    conversation: list[Entry]
    model: str
    tools: tuple[str, ...]
    stream: bool = True
    aside: Say | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """One server-sent event, and how long to rest after it."""

    data: Json
    name: str = ""
    rest_s: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """An HTTP error as the API words it."""

    body: Json
    headers: dict[str, str] = field(default_factory=dict)


class Dialect(Protocol):
    """How one API words requests and answers."""

    def asked(self, path: str, body: Json, /) -> Asked | None:
        """The request for a model's answer; None for any other path."""
        ...

    def other(self, path: str, /) -> Json | None:
        """The answer to any other request; None: there is no such page."""
        ...

    def events(self, step: Step, number: int, asked: Asked, /) -> Iterator[Event]:
        """A step as a stream. `number` is unique: ids are made of it."""
        ...

    def whole(self, step: Step, number: int, asked: Asked, /) -> Json:
        """A step as one answer."""
        ...

    def failure(self, fail: Fail, /) -> Failure: ...


class ModelServer(ThreadingHTTPServer):
    """The server, with what its handlers share."""

    daemon_threads = True

    def __init__(self, dialect: Dialect, *, port: int = 0, log: Path | None = None) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.dialect = dialect
        self._log = log
        self._lock = threading.Lock()
        self._tries: Counter[str] = Counter()
        self._requests = 0
        self._progress = threading.Condition()
        self._asked = 0
        self._answered = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def record(self, **facts: Any) -> None:
        """Write a line to the log, if there is one."""
        if self._log is not None:
            line = json.dumps({"t": time.time(), **facts}) + "\n"
            with self._lock, self._log.open("a") as file:
                file.write(line)

    def step_for(self, asked: Asked) -> Step:
        """The step to play, with the tries of failing ones counted."""
        if asked.aside is not None:
            return asked.aside
        step, key = next_step(asked.conversation)
        if isinstance(step, Fail):
            with self._lock:
                self._tries[key] += 1
                return step if self._tries[key] <= step.times else RECOVERED
        return step

    def request_number(self) -> int:
        with self._lock:
            self._requests += 1
            return self._requests

    @property
    def asked(self) -> int:
        """How many steps of scripts were asked for so far, tries of failing ones included, asides not."""
        return self._asked

    def wait_until_asked(self, number: int, timeout: float) -> bool:
        """Wait for so many steps to be asked for; False when that took too long."""
        with self._progress:
            return self._progress.wait_for(lambda: self._asked >= number, timeout)

    def wait_until_answered(self, number: int, timeout: float) -> bool:
        """Wait for so many steps to be played to their ends, or to where the agent hung up."""
        with self._progress:
            return self._progress.wait_for(lambda: self._answered >= number, timeout)

    @contextmanager
    def playing(self, asked: Asked) -> Iterator[None]:
        """Count a step while it is played."""
        if asked.aside is not None:
            yield
            return
        with self._progress:
            self._asked += 1
            self._progress.notify_all()
        try:
            yield
        finally:
            with self._progress:
                self._answered += 1
                self._progress.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """An agent that is interrupted or killed hangs up; anything else is a fault of ours."""
        if not isinstance(sys.exception(), GONE):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ModelServer

    def log_message(self, *_: Any) -> None:
        """Silent: requests go to the log file."""

    def do_HEAD(self) -> None:
        self._answer(200, {})

    def do_GET(self) -> None:
        self._answer_other()

    def do_POST(self) -> None:
        body = self._body()
        asked = self.server.dialect.asked(self.path, body)
        if asked is None:
            self._answer_other()
            return
        number = self.server.request_number()
        step = self.server.step_for(asked)
        self.server.record(
            request=number, path=self.path, step=repr(step)[:200], tools=asked.tools, body=body
        )
        with self.server.playing(asked):
            self._play(step, number, asked)

    def _play(self, step: Step, number: int, asked: Asked) -> None:
        time.sleep(THINKING_S)
        if isinstance(step, Fail):
            failure = self.server.dialect.failure(step)
            self._answer(step.status, failure.body, failure.headers)
        elif asked.stream:
            self._stream(step, number, asked)
        else:
            self._answer(200, self.server.dialect.whole(step, number, asked))

    def _answer_other(self) -> None:
        answer = self.server.dialect.other(self.path)
        self.server.record(path=self.path, found=answer is not None)
        self._answer(404 if answer is None else 200, answer or {"error": {"message": "no such page"}})

    def _body(self) -> Json:
        if "chunked" in self.headers.get("transfer-encoding", "").lower():
            data = b"".join(self._chunks())
        else:
            data = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.headers.get("content-encoding") == "gzip":
            data = gzip.decompress(data)
        body: Json = json.loads(data or b"{}")
        return body

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self.rfile.readline().strip() or b"0", 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def _answer(self, status: int, value: Json, headers: dict[str, str] | None = None) -> None:
        data = b"" if self.command == "HEAD" else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        for name, text in (headers or {}).items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, step: Step, number: int, asked: Asked) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        if isinstance(step, Hang):
            self.wfile.flush()
            time.sleep(step.seconds)
        for event in self.server.dialect.events(step, number, asked):
            name = f"event: {event.name}\n" if event.name else ""
            self._chunk(f"{name}data: {json.dumps(event.data)}\n\n".encode())
            time.sleep(event.rest_s)
        self.wfile.write(b"0\r\n\r\n")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n" % len(data) + data + b"\r\n")
        self.wfile.flush()


@contextmanager
def serving(dialect: Dialect, *, log: Path | None = None) -> Iterator[ModelServer]:
    """Serve a dialect from a thread of this process."""
    server = ModelServer(dialect, log=log)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def main(dialect: Dialect) -> None:
    """Serve a dialect until killed; the port is printed first."""
    parser = argparse.ArgumentParser(description=type(dialect).__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--log", type=Path)
    arguments = parser.parse_args()
    server = ModelServer(dialect, port=arguments.port, log=arguments.log)
    print(server.server_address[1], flush=True)
    server.serve_forever()
