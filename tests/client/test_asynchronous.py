"""The asynchronous client: many requests and pane frames on one connection."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from orca_tui.base.errors import EngineMismatch, Invalid, NotFound, ServerUnavailable
from orca_tui.client.asynchronous import AsyncClient
from orca_tui.commands.events import EVENTS, EventItem, EventsRequest, HelloEvent
from orca_tui.commands.get import GET, GetRequest
from orca_tui.commands.read import READ, ReadReply, ReadRequest
from orca_tui.wire import ErrorBody, FrameKind, PaneInfo, frame
from tests.client.scripted import WELCOME, Peer, scripted_beside

pytestmark = pytest.mark.anyio


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "w"


async def test_hellos_are_exchanged_first(path: Path) -> None:
    hellos = []

    async with scripted_beside(path, lambda peer: hellos.append(peer.welcome())):
        client = await AsyncClient.connect(path, role="ui", engine_build="build")
        client.close()
        await client.wait_closed()

    assert client.welcome == WELCOME
    assert hellos[0]["engine_build"] == "build"


async def test_answers_find_their_calls_in_whatever_order_they_come(path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        numbers = [peer.request()[0] for _ in range(3)]
        for number in reversed(numbers):
            peer.send(FrameKind.REPLY, number, ReadReply(text=f"reply {number}"))

    async with scripted_beside(path, script):
        client = await AsyncClient.connect(path)
        replies = await asyncio.gather(*(client.call(READ, ReadRequest(pane="p1")) for _ in range(3)))
        client.close()

    assert [reply.text for reply in replies] == ["reply 1", "reply 2", "reply 3"]


async def test_an_error_is_raised_by_its_call_alone(path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        one, other = peer.request()[0], peer.request()[0]
        peer.send(FrameKind.ERROR, one, ErrorBody(code="not_found", message="no pane"))
        peer.send(FrameKind.REPLY, other, PaneInfo(pane="p2"))

    async with scripted_beside(path, script):
        client = await AsyncClient.connect(path)
        failed, worked = await asyncio.gather(
            client.call(GET, GetRequest(pane="p1")),
            client.call(GET, GetRequest(pane="p2")),
            return_exceptions=True,
        )
        client.close()

    assert isinstance(failed, NotFound)
    assert worked == PaneInfo(pane="p2")


async def test_a_call_that_is_cancelled_is_cancelled_at_the_server(path: Path) -> None:
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()

    def script(peer: Peer) -> None:
        peer.welcome()
        number, _, _ = peer.request()
        loop.call_soon_threadsafe(asked.set)
        assert peer.receive() == (FrameKind.CANCEL, number, None)

    async with scripted_beside(path, script):
        client = await AsyncClient.connect(path)
        async with asyncio.TaskGroup() as group:
            call = group.create_task(client.call(GET, GetRequest(pane="p1")))
            await asked.wait()
            call.cancel()
        await client.wait_closed()

    assert call.cancelled()


async def test_a_stream_that_is_left_is_cancelled_at_the_server(path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        number, _, _ = peer.request()
        peer.send(FrameKind.ITEM, number, EventItem(event=HelloEvent(server="d", version="1", at=1.0)))
        assert peer.receive() == (FrameKind.CANCEL, number, None)

    async with scripted_beside(path, script):
        client = await AsyncClient.connect(path)
        events = client.stream(EVENTS, EventsRequest())
        first = await anext(events)
        await events.aclose()  # type: ignore[attr-defined]
        await client.wait_closed()

    assert isinstance(first.event, HelloEvent)


async def test_a_stream_ends_with_its_last_item(path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        number, _, _ = peer.request()
        for at in (1.0, 2.0):
            peer.send(FrameKind.ITEM, number, EventItem(event=HelloEvent(server="d", version="1", at=at)))
        peer.send(FrameKind.END, number)

    async with scripted_beside(path, script):
        client = await AsyncClient.connect(path)
        times = [item.event.at async for item in client.stream(EVENTS, EventsRequest())]
        client.close()

    assert times == [1.0, 2.0]


async def test_pane_frames_arrive_in_order_between_replies(path: Path) -> None:
    seen: list[tuple[int, int, bytes]] = []

    def script(peer: Peer) -> None:
        peer.welcome()
        number, _, _ = peer.request()
        peer.send_bytes(frame(FrameKind.SNAPSHOT, 4, b"\0snap") + frame(FrameKind.OUTPUT, 4, b"a"))
        peer.send(FrameKind.REPLY, number, PaneInfo(pane="p1"))
        peer.send_bytes(frame(FrameKind.OUTPUT, 4, b"b"))

    async with scripted_beside(path, script):
        client = await AsyncClient.connect(path, on_pane_frame=lambda *one: seen.append(one))
        await client.call(GET, GetRequest(pane="p1"))
        await client.wait_closed()

    assert seen == [
        (FrameKind.SNAPSHOT, 4, b"\0snap"),
        (FrameKind.OUTPUT, 4, b"a"),
        (FrameKind.OUTPUT, 4, b"b"),
    ]


async def test_a_server_that_dies_fails_every_call_and_the_ones_after(path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        peer.request()
        peer.request()

    async with scripted_beside(path, script):
        client = await AsyncClient.connect(path)
        calls = await asyncio.gather(
            *(client.call(GET, GetRequest(pane="p1")) for _ in range(2)), return_exceptions=True
        )
        await client.wait_closed()

    assert [type(error) for error in calls] == [ServerUnavailable, ServerUnavailable]
    with pytest.raises(ServerUnavailable):
        await client.call(GET, GetRequest(pane="p1"))


async def test_without_a_server_there_is_no_connection(path: Path) -> None:
    with pytest.raises(ServerUnavailable):
        await AsyncClient.connect(path)


async def test_another_engine_build_is_refused_and_says_which_version_runs(path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        with pytest.raises(EOFError):
            peer.receive()

    async with scripted_beside(path, script):
        with pytest.raises(EngineMismatch) as raised:
            await AsyncClient.connect(path, role="ui", engine_build="another")

    assert raised.value.facts == {"server_version": "9.9"}


async def test_a_refused_hello_is_raised_with_its_reason(path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.receive()
        peer.send(FrameKind.ERROR, 0, ErrorBody(code="invalid", message="protocol 9 is spoken here"))

    async with scripted_beside(path, script):
        with pytest.raises(Invalid, match="protocol 9"):
            await AsyncClient.connect(path)


async def test_garbage_ends_the_connection_with_a_reason(path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        peer.request()
        peer.send_bytes(b"\0\0\0\0\0\0\0\0\0\0\0\0")
        with pytest.raises(EOFError):
            peer.receive()

    async with scripted_beside(path, script):
        client = await AsyncClient.connect(path)
        with pytest.raises(ServerUnavailable, match="no frame"):
            await client.call(GET, GetRequest(pane="p1"))
        await client.wait_closed()
