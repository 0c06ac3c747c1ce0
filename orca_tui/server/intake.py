"""The intake door: what agents' plugins and hooks report of their own pane. Never logs a report's contents.

Rule 1: the token is checked before the body is read; it says which pane speaks.
Rule 2: a token lets its bearer speak of its own pane only.
Rule 3: every wait for the reporter has a limit: 1 MiB, 64 levels, 5 s for the head and 5 s for the body.
Rule 4: notices are handed to nobody who has hung up: reporters give up after a second, and a server that stood still
        for longer finds their requests all the same.
Rule 5: every answer ends its connection, so that no idle reporter holds one.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from aiohttp import web

from orca_tui.base.errors import Invalid, Refused, TimedOut, TooLarge, Unauthorized
from orca_tui.base.ids import PaneId
from orca_tui.server.answers import Handler, bearer, errors_as_json, json_answer, opened, own_user_only
from orca_tui.server.dispatch import ReportSink
from orca_tui.server.peer import hung_up

MAX_BODY_BYTES = 1 << 20
MAX_DEPTH = 64
READ_TIMEOUT_S = 5.0
"""For a request's head, and again for its body. Reporters are on this machine and send what they have ready."""
MAX_PROCESS_NAME = 128  # `PID-STARTED` has about 30 characters.

logger = logging.getLogger(__name__)


@asynccontextmanager
async def serve_intake(
    listener: socket.socket, sink: ReportSink, *, read_timeout_s: float = READ_TIMEOUT_S
) -> AsyncIterator[None]:
    """Take reports on a listening Unix socket as long as the context is open."""
    door = IntakeDoor(sink, read_timeout_s)
    app = web.Application(
        middlewares=[one_request_a_connection, refusals_logged, errors_as_json, own_user_only],
        client_max_size=MAX_BODY_BYTES,
    )
    app.router.add_get("/v1/intake/work", door.work, name="poll")
    app.router.add_post("/v1/intake/work", door.told, name="outcome")
    app.router.add_post("/v1/intake/work/collect", door.collect, name="collect")
    app.router.add_post("/v1/intake/{agent}", door.report, name="report")
    app.router.add_post("/v1/intake/{agent}/ask", door.ask, name="ask")
    app.router.add_get("/v1/intake/{agent}/bell", door.bell, name="bell")
    async with opened(listener, app, idle_s=read_timeout_s, decompress=False):
        yield


class IntakeDoor:
    """Checks who speaks and how much, and hands the rest to the sink."""

    def __init__(self, sink: ReportSink, read_timeout_s: float) -> None:
        self._sink = sink
        self._read_timeout_s = read_timeout_s

    async def report(self, request: web.Request) -> web.StreamResponse:
        """`POST /v1/intake/{agent}`: 204, or 200 `{"resend": true}` when the full state is wanted again."""
        agent = request.match_info["agent"]
        pane = self._pane(request)
        body = await _read_body(request, self._read_timeout_s)
        _check_body(body, pane)
        accepted = self._sink.reported(pane, agent, body)
        return web.Response(status=204) if accepted else json_answer({"resend": True})

    async def work(self, request: web.Request) -> web.StreamResponse:
        """`GET /v1/intake/work?process=PID-STARTED&takes=KIND,...`: 204 after a while, or 200 `{"items": [...]}`."""
        pane = self._pane(request)
        process = request.query.get("process", "")
        if not 0 < len(process) <= MAX_PROCESS_NAME:
            raise Invalid("`process` says which process is polling: PID-STARTED")
        takes = frozenset(filter(None, request.query.get("takes", "").split(",")))
        items = await self._sink.work(pane, process, takes)
        return json_answer({"items": items}) if items else web.Response(status=204)

    async def told(self, request: web.Request) -> web.StreamResponse:
        """`POST /v1/intake/work`: what became of an item of work, or of a notice; 204."""
        pane = self._pane(request)
        body = await _read_body(request, self._read_timeout_s)
        _check_body(body, pane)
        self._sink.told(pane, body)
        return web.Response(status=204)

    async def collect(self, request: web.Request) -> web.StreamResponse:
        """`POST /v1/intake/work/collect`: 200 `{"items": [...]}`, the notices that may come in now."""
        pane = self._pane(request)
        body = await _read_body(request, self._read_timeout_s)
        _check_body(body, pane)
        _check_waits(request)
        return json_answer({"items": self._sink.collect(pane, body)})

    async def ask(self, request: web.Request) -> web.StreamResponse:
        """`POST /v1/intake/{agent}/ask?event=NAME` with what an agent gave its hook: 200, what the hook prints."""
        pane = self._pane(request)
        body = await _read_start(request, self._read_timeout_s)
        event = request.query.get("event", "")
        _check_waits(request)
        answer = self._sink.ask(pane, request.match_info["agent"], event, body)
        return web.Response(body=answer, content_type="application/json")

    async def bell(self, request: web.Request) -> web.StreamResponse:
        """`GET /v1/intake/{agent}/bell`: 200 with a word when it rings, 204 when nobody needs to wait here."""
        word = await self._sink.bell(self._pane(request), request.match_info["agent"])
        return web.Response(text=word) if word else web.Response(status=204)

    def _pane(self, request: web.Request) -> PaneId:
        token = bearer(request)
        pane = self._sink.pane_of(token) if token else None
        if pane is None:
            raise Unauthorized("no living pane has this token; send ORCA_TUI_TOKEN as a bearer token")
        return pane


@web.middleware
async def one_request_a_connection(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Rule 5."""
    response = await handler(request)
    response.force_close()
    return response


@web.middleware
async def refusals_logged(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Say that something was refused, and nothing of what it was."""
    response = await handler(request)
    if response.status >= web.HTTPBadRequest.status_code:
        logger.info("refused with %d: %s", response.status, request.match_info.route.name or request.method)
    return response


async def _read_body(request: web.Request, timeout_s: float) -> bytes:
    if (request.content_length or 0) > MAX_BODY_BYTES:
        raise TooLarge("the report", MAX_BODY_BYTES)
    try:
        async with asyncio.timeout(timeout_s):
            return await request.read()
    except TimeoutError as error:
        raise TimedOut(f"the report took longer than {timeout_s:g} s to arrive") from error


async def _read_start(request: web.Request, timeout_s: float) -> bytes:
    """The body, of which what is beyond the limit is read and dropped: an agent gives its hooks what tools printed."""
    kept = bytearray()
    try:
        async with asyncio.timeout(timeout_s):
            async for chunk in request.content.iter_chunked(MAX_BODY_BYTES):
                kept += chunk[: MAX_BODY_BYTES - len(kept)]
    except TimeoutError as error:
        raise TimedOut(f"the hook took longer than {timeout_s:g} s to say what it wants") from error
    return bytes(kept)


def _check_waits(request: web.Request) -> None:
    """Rule 4; nothing may wait between this and the answer."""
    connection = request.get_extra_info("socket")
    if connection is None or hung_up(connection):
        raise Refused("the client is gone")


def _check_body(body: bytes, pane: PaneId) -> None:
    """Rules 2 and 3; what the report says is the adapter's to read."""
    try:
        report = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Invalid("the report is no JSON") from error
    if depth_exceeds(report, MAX_DEPTH):
        raise Invalid(f"the report is nested deeper than {MAX_DEPTH} levels", limit=MAX_DEPTH)
    if isinstance(report, dict) and report.get("pane", pane) != pane:
        raise Refused("a pane reports on itself only", pane=pane)


def depth_exceeds(value: Any, limit: int) -> bool:
    """Whether JSON is nested deeper than `limit`; a flat value has depth 0. Level by level, never recursive."""
    level = [value]
    for _ in range(limit):
        level = [part for whole in level for part in _parts(whole)]
        if not level:
            return False
    return any(isinstance(part, dict | list) for part in level)


def _parts(value: Any) -> list[Any]:
    match value:
        case dict():
            return list(value.values())
        case list():
            return value
        case _:
            return []
