"""The HTTP door: the commands' routes, for everybody who speaks no frames. Knows no command by name.

Rule 1: a request is a command's request struct, made of the path, the query (GET, DELETE) or the JSON body.
Rule 2: a field that the command does not have is an error, wherever it stands.
Rule 3: a stream is NDJSON, or one WebSocket text message per item when the client asks for an upgrade.
Rule 4: what fails before a stream's first item has its own status; afterwards it is the stream's last item.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import aclosing, asynccontextmanager
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
from aiohttp import web

from orca_tui.base.errors import Invalid, OrcaError
from orca_tui.base.ids import PaneId
from orca_tui.commands.schema import schema
from orca_tui.commands.spec import Command, Option, Route
from orca_tui.server.answers import (
    Handler,
    bearer,
    error_body,
    errors_as_json,
    json_answer,
    opened,
    own_user_only,
    peer,
)
from orca_tui.server.dispatch import Caller, Dispatcher, Whose

MAX_BODY_BYTES = 16 << 20
"""Room for a paste of several megabytes; what is larger is a file that was meant to be read by its path."""
IDLE_S = 75.0  # A connection kept open for the next request, as nginx keeps it.
MAX_CLIENT_MESSAGE_BYTES = 4096  # Of what a WebSocket client says, which is ignored.
BODY_METHODS = frozenset({"POST", "PATCH", "PUT"})


@asynccontextmanager
async def serve_http(
    listener: socket.socket, dispatcher: Dispatcher, commands: Iterable[Command[Any, Any]], whose: Whose
) -> AsyncIterator[None]:
    """Answer HTTP on a listening Unix socket as long as the context is open."""
    door = HttpDoor(dispatcher, whose)
    public = tuple(command for command in commands if not command.internal)
    app = web.Application(middlewares=[errors_as_json, own_user_only], client_max_size=MAX_BODY_BYTES)
    for command in public:
        for route in command.routes:
            app.router.add_route(route.method, route.path, door.handler(command, route))
    app.router.add_get("/v1/schema", door.schema_handler(public))
    async with opened(listener, app, idle_s=IDLE_S, decompress=True):
        yield


class HttpDoor:
    """Turns requests into calls of the dispatcher, and what comes back into responses."""

    def __init__(self, dispatcher: Dispatcher, whose: Whose) -> None:
        self._dispatcher = dispatcher
        self._whose = whose
        self._known: WeakKeyDictionary[asyncio.BaseTransport, tuple[str | None, PaneId | None]] = (
            WeakKeyDictionary()
        )
        """Of each connection the token that was shown last, and the pane: looking it up costs more than a request."""

    def handler(self, command: Command[Any, Any], route: Route) -> Handler:
        """The handler of one route."""

        async def run(request: web.Request) -> web.StreamResponse:
            wanted = await read_request(command, route, request)
            caller = self._caller(request)
            if not command.stream:
                return json_answer(await self._dispatcher.call(command, wanted, caller))
            async with aclosing(self._dispatcher.stream(command, wanted, caller)) as items:
                return await _streamed(request, _encoded(command, items))

        return run

    def _caller(self, request: web.Request) -> Caller:
        asking, token = peer(request), bearer(request)
        connection = request.transport
        assert connection is not None  # Else `peer` has said so.
        known = self._known.get(connection)
        if known is None or known[0] != token:
            known = self._known[connection] = (token, self._whose(asking, token))
        return Caller(door="http", pid=asking.pid, pane=known[1])

    def schema_handler(self, commands: tuple[Command[Any, Any], ...]) -> Handler:
        """The handler that tells the API's JSON Schema."""

        async def run(_: web.Request) -> web.StreamResponse:
            return json_answer(schema(commands))

        return run


async def read_request(command: Command[Any, Any], route: Route, request: web.Request) -> msgspec.Struct:
    """The command's request; raises `Invalid` or `TooLarge`."""
    in_body = route.method in BODY_METHODS
    body = await request.read()
    if in_body and request.query_string:
        raise Invalid(f"{route.method} {request.path} takes its fields in the body, not in the query")
    if body and not in_body:
        raise Invalid(f"{route.method} {request.path} takes its fields in the query, not in a body")
    fields = _fields_of_body(body) if in_body else _fields_of_query(command, request)
    for name, value in request.match_info.items():
        if fields.setdefault(name, value) != value:
            raise Invalid(f"the path and the body name different values of {name!r}")
    try:
        wanted: msgspec.Struct = msgspec.convert(fields, command.request, strict=in_body)
    except msgspec.ValidationError as error:
        raise Invalid(str(error)) from error
    return wanted


def _fields_of_body(body: bytes) -> dict[str, Any]:
    if not body.strip():
        return {}
    try:
        fields = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Invalid(f"the body is no JSON: {error}") from error
    if not isinstance(fields, dict):
        raise Invalid("the body is no JSON object")
    return fields


def _fields_of_query(command: Command[Any, Any], request: web.Request) -> dict[str, Any]:
    options = {option.field: option for option in command.options}
    fields: dict[str, Any] = {}
    for name, text in request.query.items():
        if name in fields:
            raise Invalid(f"{name!r} is given twice")
        fields[name] = _parsed(options.get(name), text)
    return fields


def _parsed(option: Option | None, text: str) -> Any:
    """A query's text as the command line would read it; `convert` does the rest."""
    if option is None or option.parse is None:
        return text
    try:
        return option.parse(text)
    except Invalid as error:
        raise Invalid(f"{option.field}: {error.message}") from error


async def _encoded(
    command: Command[Any, Any], items: AsyncGenerator[msgspec.Struct, None]
) -> AsyncGenerator[bytes, None]:
    """Every item as JSON, without the wrapper that only the wire needs."""
    async for item in items:
        yield msgspec.json.encode(getattr(item, command.prints) if command.prints else item)


async def _streamed(request: web.Request, items: AsyncGenerator[bytes, None]) -> web.StreamResponse:
    async with aclosing(items):
        first = await anext(items, None)
        websocket = web.WebSocketResponse(max_msg_size=MAX_CLIENT_MESSAGE_BYTES)
        if websocket.can_prepare(request).ok:
            return await _over_websocket(request, websocket, first, items)
        response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
        await response.prepare(request)
        async for item in _whole(first, items):
            await response.write(item + b"\n")
        await response.write_eof()
        return response


async def _over_websocket(
    request: web.Request,
    response: web.WebSocketResponse,
    first: bytes | None,
    items: AsyncGenerator[bytes, None],
) -> web.WebSocketResponse:
    await response.prepare(request)
    async with asyncio.TaskGroup() as group:
        sender = group.create_task(_send_all(response, first, items))
        async for _ in response:
            pass  # Clients have nothing to say here; the loop ends when they leave.
        sender.cancel()
    await response.close()
    return response


async def _send_all(
    response: web.WebSocketResponse, first: bytes | None, items: AsyncGenerator[bytes, None]
) -> None:
    try:
        async for item in _whole(first, items):
            await response.send_str(item.decode())
        await response.close()
    except ConnectionError:
        return  # The client left; the reader of the socket sees it too.


async def _whole(first: bytes | None, items: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """The stream from its first item on; a failure becomes its last item (rule 4)."""
    if first is None:
        return
    yield first
    try:
        async for item in items:
            yield item
    except OrcaError as error:
        yield msgspec.json.encode(error_body(error))
