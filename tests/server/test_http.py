"""The HTTP door over a real socket: how requests are read, and replies, streams and errors written."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from orca_tui.base.errors import Conflict, OrcaError, PaneNotFound, TimedOut
from orca_tui.base.ids import PaneId
from orca_tui.commands.events import EventItem, HelloEvent, TitleEvent
from orca_tui.commands.list import ListReply
from orca_tui.commands.open import OpenReply
from orca_tui.commands.read import ReadReply
from orca_tui.commands.spec import Command, Empty
from orca_tui.commands.stream import STREAM, ExitedFrame, StreamItem
from orca_tui.commands.table import COMMANDS
from orca_tui.server.dispatch import Caller
from orca_tui.server.http import MAX_BODY_BYTES, serve_http
from orca_tui.server.peer import Peer
from orca_tui.wire import PaneInfo
from tests.server.unix_http import ask, connected, request_bytes

pytestmark = pytest.mark.anyio

ROUTES = [(command, route) for command in COMMANDS for route in command.routes]

REPLIES: dict[str, msgspec.Struct] = {
    "list": ListReply(panes=(PaneInfo(pane="p1"),), focused="p1"),
    "open": OpenReply(pane="p1", tab="t1", workspace="w1"),
    "read": ReadReply(text="漢字\n"),
    "wait": PaneInfo(pane="p1"),
}


class Rooms:
    """A dispatcher that notes what it is asked and answers what a test wants."""

    def __init__(self) -> None:
        self.looked_up: list[str | None] = []
        self.asked: list[tuple[str, msgspec.Struct, Caller]] = []
        self.failure: Exception | None = None
        self.failure_after_items: OrcaError | None = None
        self.stuck = asyncio.Event()
        self.ended = asyncio.Event()
        self.hold = False

    async def call(
        self, command: Command[Any, Any], request: msgspec.Struct, caller: Caller
    ) -> msgspec.Struct:
        self.asked.append((command.name, request, caller))
        if self.failure is not None:
            raise self.failure
        if self.hold:
            await self._held()
        return REPLIES.get(command.name, Empty())

    async def stream(
        self, command: Command[Any, Any], request: msgspec.Struct, caller: Caller
    ) -> AsyncGenerator[msgspec.Struct, None]:
        self.asked.append((command.name, request, caller))
        if self.failure is not None:
            raise self.failure
        if command is STREAM:
            yield StreamItem(frame=ExitedFrame(exit_code=0))
            return
        yield EventItem(event=HelloEvent(server="default", version="1", at=1.5))
        yield EventItem(event=TitleEvent(pane="p1", title="über", at=2.5))
        if self.failure_after_items is not None:
            raise self.failure_after_items
        if self.hold:
            await self._held()

    def whose(self, peer: Peer, token: str | None) -> PaneId | None:
        """Who shows a token is in a pane."""
        self.looked_up.append(token)
        return PaneId("p7") if token == "token-of-p7" else None

    async def _held(self) -> None:
        self.stuck.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.ended.set()


@pytest.fixture
def rooms(anyio_backend: str) -> Rooms:
    return Rooms()


@pytest.fixture
async def door(rooms: Rooms, tmp_path: Path) -> AsyncIterator[Path]:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "h"))
    listener.listen()
    async with serve_http(listener, rooms, COMMANDS, rooms.whose):
        yield tmp_path / "h"


def filled(path: str) -> str:
    """A route's path with every field filled in."""
    return path.format(
        pane="p1", target="p1", tab="t1", session="s1", agent="codex", id="n1", plugin="tidy", command="run"
    )


REQUIRED: dict[str, dict[str, Any]] = {
    "wait": {"status": "done"},
    "rename": {"name": "x"},
    "arrange": {"preset": "tiled"},
    "send": {"text": "look"},
    "inbox update": {"delivery": "steer"},
    "grant": {"over": ["p2"]},
}
"""What requests need beside the path."""


@pytest.mark.parametrize(("command", "route"), ROUTES, ids=[f"{r.method} {r.path}" for _, r in ROUTES])
async def test_every_route_of_the_table_reaches_its_command(
    door: Path, rooms: Rooms, command: Command[Any, Any], route: Any
) -> None:
    needed = REQUIRED.get(command.name, {})
    target = filled(route.path)
    if route.method in ("GET", "DELETE"):
        query = "&".join(f"{name}={value}" for name, value in needed.items())
        answer = await ask(door, route.method, f"{target}?{query}" if query else target)
    else:
        answer = await ask(door, route.method, target, needed)

    assert answer.status == 200, answer.body
    assert [name for name, _, _ in rooms.asked] == [command.name]
    assert isinstance(rooms.asked[0][1], command.request)


def test_no_two_commands_share_a_route() -> None:
    shapes = [(route.method, filled(route.path)) for _, route in ROUTES]

    assert len(shapes) == len(set(shapes))


async def test_a_request_is_made_of_path_and_body(door: Path, rooms: Rooms) -> None:
    await ask(door, "POST", "/v1/panes/p7/resize", {"size": [100, 30]})

    _, request, caller = rooms.asked[0]
    assert json.loads(msgspec.json.encode(request)) == {
        "pane": "p7",
        "direction": None,
        "percent": 4,
        "size": [100, 30],
    }
    assert caller == Caller(door="http", pid=os.getpid())


async def test_a_caller_is_told_with_the_pane_that_it_is_in(door: Path, rooms: Rooms) -> None:
    await ask(door, "GET", "/v1/panes", None, {"Authorization": "Bearer token-of-p7"})

    assert rooms.asked[0][2].pane == "p7"


async def test_a_connection_is_looked_up_once_for_each_token_in_turn(door: Path, rooms: Rooms) -> None:
    shown = {"Authorization": "Bearer token-of-p7"}
    async with connected(door) as connection:
        for headers in (shown, shown, {}, shown):
            await connection.send(request_bytes("GET", "/v1/panes", None, headers))
            await connection.answer()

    assert [caller.pane for _, _, caller in rooms.asked] == ["p7", "p7", None, "p7"]
    assert rooms.looked_up == ["token-of-p7", None, "token-of-p7"]


async def test_a_query_is_read_as_the_command_line_reads_it(door: Path, rooms: Rooms) -> None:
    await ask(door, "GET", "/v1/panes/p1/wait?status=done,waiting&next=true&timeout=1.5")
    await ask(door, "GET", "/v1/panes/p1/text?source=all&lines=20&ansi=1")
    await ask(door, "DELETE", "/v1/panes/t2?force=true")

    assert [json.loads(msgspec.json.encode(request)) for _, request, _ in rooms.asked] == [
        {"pane": "p1", "status": ["done", "waiting"], "next": True, "timeout": 1.5},
        {"pane": "p1", "source": "all", "lines": 20, "ansi": True, "unwrap": False},
        {"target": "t2", "force": True},
    ]


async def test_replies_are_json(door: Path) -> None:
    panes = await ask(door, "GET", "/v1/panes")
    text = await ask(door, "GET", "/v1/panes/p1/text")

    assert panes.headers["content-type"] == "application/json"
    assert panes.json()["panes"][0]["pane"] == "p1"
    assert text.json() == {"text": "漢字\n"}


async def test_a_body_may_be_missing_where_no_field_is_required(door: Path, rooms: Rooms) -> None:
    answer = await ask(door, "POST", "/v1/panes")

    assert (answer.status, answer.json()) == (200, {"pane": "p1", "tab": "t1", "workspace": "w1"})


@pytest.mark.parametrize(
    ("method", "target", "body", "word"),
    [
        ("POST", "/v1/panes", {"agnet": "claude"}, "agnet"),
        ("GET", "/v1/panes?all=1", None, "all"),
        ("GET", "/v1/panes/p1/text?lines=0", None, "lines"),
        ("GET", "/v1/panes/p1/text?lines=many", None, "many"),
        ("GET", "/v1/panes/p1/text?source=mind", None, "source"),
        ("GET", "/v1/panes/p1/text?lines=1&lines=2", None, "twice"),
        ("GET", "/v1/panes/p1/wait", None, "status"),
        ("GET", "/v1/panes/p1/wait?status=happy", None, "status"),
        ("GET", "/v1/panes/p1/wait?status=done&timeout=nan", None, "timeout"),
        ("POST", "/v1/panes", {"size": [0, 10]}, "size"),
        ("POST", "/v1/panes", {"size": [100000, 10]}, "size"),
        ("POST", "/v1/panes", {"size": "120x40"}, "size"),
        ("POST", "/v1/panes", {"size": ["120", "40"]}, "size"),
        ("POST", "/v1/panes?agent=claude", {}, "body"),
        ("GET", "/v1/panes/p1/text", {"lines": 5}, "query"),
        ("POST", "/v1/panes/p1/seen", {"pane": "p2"}, "pane"),
        ("POST", "/v1/panes", [1], "object"),
        ("POST", "/v1/panes", b"{", "JSON"),
        ("POST", "/v1/panes", b"[" * 300_000, "JSON"),
        ("POST", "/v1/panes", b'{"name": "\xff"}', "JSON"),
    ],
)
async def test_a_wrong_request_is_refused_and_says_what_is_wrong(
    door: Path, rooms: Rooms, method: str, target: str, body: Any, word: str
) -> None:
    answer = await ask(door, method, target, body)

    error = answer.json()["error"]
    assert (answer.status, error["code"]) == (400, "invalid")
    assert word in error["message"]
    assert rooms.asked == []


@pytest.mark.parametrize(
    ("failure", "status", "body"),
    [
        (PaneNotFound("p9"), 404, {"code": "not_found", "pane": "p9"}),
        (Conflict("agents run", panes=["p1"]), 409, {"code": "conflict", "panes": ["p1"]}),
        (TimedOut("not in time"), 408, {"code": "timeout"}),
        (OrcaError("it broke"), 500, {"code": "failed", "message": "it broke"}),
    ],
)
async def test_an_error_has_its_status_its_code_and_its_facts(
    door: Path, rooms: Rooms, failure: OrcaError, status: int, body: dict[str, Any]
) -> None:
    rooms.failure = failure

    answer = await ask(door, "GET", "/v1/panes")

    assert answer.status == status
    assert answer.json()["error"] | body == answer.json()["error"]


async def test_an_unexpected_failure_is_logged_by_its_place_only(
    door: Path, rooms: Rooms, caplog: pytest.LogCaptureFixture
) -> None:
    rooms.failure = ValueError("what the user typed")

    with caplog.at_level(logging.DEBUG):
        answer = await ask(door, "GET", "/v1/panes")

    assert (answer.status, answer.json()["error"]["code"]) == (500, "failed")
    assert "what the user typed" not in answer.json()["error"]["message"]
    assert "what the user typed" not in caplog.text
    assert "ValueError at" in caplog.text


async def test_unknown_paths_and_methods_are_answered_in_json(door: Path) -> None:
    missing = await ask(door, "GET", "/v2/panes")
    method = await ask(door, "PATCH", "/v1/panes/p1")

    assert (missing.status, missing.json()["error"]["code"]) == (404, "not_found")
    assert (method.status, method.json()["error"]["code"]) == (405, "invalid")
    assert method.headers["allow"] == "DELETE, GET"


async def test_a_body_beyond_the_limit_is_too_large(door: Path, rooms: Rooms) -> None:
    answer = await ask(door, "POST", "/v1/panes/p1/input", b" " * (MAX_BODY_BYTES + 1))

    assert (answer.status, answer.json()["error"]["code"]) == (413, "too_large")
    assert rooms.asked == []


async def test_internal_commands_have_no_door(door: Path) -> None:
    assert all(not command.routes for command in COMMANDS if command.internal)
    assert (await ask(door, "POST", "/v1/ui/attach")).status == 404


async def test_a_connection_serves_one_request_after_another(door: Path) -> None:
    async with connected(door) as connection:
        for _ in range(3):
            await connection.send(request_bytes("GET", "/v1/panes"))
            assert (await connection.answer()).status == 200


async def test_a_call_ends_when_its_client_hangs_up(door: Path, rooms: Rooms) -> None:
    rooms.hold = True
    async with connected(door) as connection:
        await connection.send(request_bytes("GET", "/v1/panes/p1/wait?status=done"))
        await rooms.stuck.wait()

    await asyncio.wait_for(rooms.ended.wait(), 5)


async def test_the_schema_tells_every_route_and_defines_what_it_refers_to(door: Path) -> None:
    schema = (await ask(door, "GET", "/v1/schema")).json()

    routes = {(route["method"], route["path"]) for one in schema["commands"] for route in one["routes"]}
    assert routes == {(route.method, route.path) for _, route in ROUTES}
    text = json.dumps(schema)
    assert {part.split('"')[0] for part in text.split("#/$defs/")[1:]} <= set(schema["$defs"])


# Streams


async def test_events_come_as_lines_of_json_without_a_wrapper(door: Path, rooms: Rooms) -> None:
    rooms.hold = True
    async with connected(door) as connection:
        await connection.send(request_bytes("GET", "/v1/events?pane=p1"))
        status, headers = await connection.head()
        lines = [await connection.chunk(), await connection.chunk()]

    assert (status, headers["content-type"]) == (200, "application/x-ndjson")
    assert [json.loads(line) for line in lines] == [
        {"type": "hello", "server": "default", "version": "1", "at": 1.5},
        {"type": "title", "pane": "p1", "title": "über", "at": 2.5},
    ]
    assert all(line.endswith(b"\n") for line in lines)
    await asyncio.wait_for(rooms.ended.wait(), 5)


async def test_a_stream_that_fails_at_once_has_the_errors_status(door: Path, rooms: Rooms) -> None:
    rooms.failure = PaneNotFound("p9")

    answer = await ask(door, "GET", "/v1/events?pane=p9")

    assert answer.status == 404


async def test_a_stream_that_fails_later_ends_with_the_error(door: Path, rooms: Rooms) -> None:
    rooms.failure_after_items = Conflict("the server stops")
    async with connected(door) as connection:
        await connection.send(request_bytes("GET", "/v1/events"))
        await connection.head()
        lines = [await connection.chunk() for _ in range(3)]
        end = await connection.chunk()

    assert json.loads(lines[-1]) == {"error": {"code": "conflict", "message": "the server stops"}}
    assert end == b""


async def test_a_websocket_gets_one_message_per_event_and_a_close(door: Path, rooms: Rooms) -> None:
    async with websocket_session(door) as session, session.ws_connect("http://orca/v1/events") as websocket:
        messages = [json.loads(message.data) async for message in websocket]

    assert [message["type"] for message in messages] == ["hello", "title"]
    assert websocket.close_code == aiohttp.WSCloseCode.OK


async def test_a_websocket_client_may_say_anything_and_leave(door: Path, rooms: Rooms) -> None:
    rooms.hold = True
    async with websocket_session(door) as session, session.ws_connect("http://orca/v1/events") as websocket:
        await websocket.send_str("hello?")
        assert (await websocket.receive_json())["type"] == "hello"
        await rooms.stuck.wait()

    await asyncio.wait_for(rooms.ended.wait(), 5)


async def test_a_websocket_whose_client_dies_ends_its_stream(door: Path, rooms: Rooms) -> None:
    rooms.hold = True
    async with connected(door) as connection:
        upgrade = {
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        }
        await connection.send(request_bytes("GET", "/v1/events", None, upgrade))
        status, _ = await connection.head()
        await rooms.stuck.wait()

    assert status == 101
    await asyncio.wait_for(rooms.ended.wait(), 5)


async def test_a_websocket_for_an_unknown_pane_is_refused_before_the_upgrade(
    door: Path, rooms: Rooms
) -> None:
    rooms.failure = PaneNotFound("p9")

    async with websocket_session(door) as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as raised:
            await session.ws_connect("http://orca/v1/events?pane=p9")

    assert raised.value.status == 404


async def test_a_websocket_stream_that_fails_later_says_so_and_closes(door: Path, rooms: Rooms) -> None:
    rooms.failure_after_items = Conflict("the server stops")
    async with websocket_session(door) as session, session.ws_connect("http://orca/v1/events") as websocket:
        messages = [json.loads(message.data) async for message in websocket]

    assert messages[-1] == {"error": {"code": "conflict", "message": "the server stops"}}


def websocket_session(path: Path) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(connector=aiohttp.UnixConnector(path=str(path)))
