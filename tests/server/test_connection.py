"""The wire protocol against a running server: hellos, bad frames, cancelling, many requests at once."""

from __future__ import annotations

import asyncio
import struct

import msgspec
import pytest

from orca_tui import __version__
from orca_tui.base.errors import EngineMismatch, NotFound
from orca_tui.client.asynchronous import AsyncClient
from orca_tui.commands.get import GET, GetRequest
from orca_tui.commands.list import LIST
from orca_tui.commands.spec import Empty
from orca_tui.server import connection
from orca_tui.wire import (
    COUNT,
    HEADER,
    PROTOCOL,
    ErrorBody,
    FrameKind,
    FrameReader,
    Hello,
    Request,
    Welcome,
    decode,
    frame,
    message,
)
from tests.server.running import LIMIT_S, Api, Server, until

pytestmark = pytest.mark.anyio

HELLO = message(FrameKind.HELLO, 0, Hello(protocol=PROTOCOL, version=__version__, role="api"))


class Raw:
    """A connection that sends what it likes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer
        self._frames = FrameReader()
        self._waiting: list[tuple[int, int, bytes]] = []

    @classmethod
    async def connect(cls, server: Server, first: bytes = b"") -> Raw:
        raw = cls(*await asyncio.open_unix_connection(server.parts.sockets().wire))
        raw.writer.write(first)
        return raw

    async def frame(self) -> tuple[int, int, bytes] | None:
        """The next frame; None when the server hung up."""
        async with asyncio.timeout(LIMIT_S):
            while not self._waiting:
                data = await self._reader.read(65536)
                if not data:
                    return None
                self._waiting.extend(self._frames.feed(data))
        return self._waiting.pop(0)

    async def refusal(self) -> ErrorBody:
        """The error on channel 0, after which the server hangs up."""
        found = await self.frame()
        while found is not None and found[0] != FrameKind.ERROR:
            found = await self.frame()
        assert found is not None
        assert found[1] == 0
        assert await self.frame() is None
        self.writer.close()
        return decode(found[2], ErrorBody)


def request(number: int, name: str, body: object) -> bytes:
    raw = msgspec.Raw(msgspec.msgpack.encode(body))
    return message(FrameKind.REQUEST, number, Request(command=name, body=raw))


async def still_serves(server: Server) -> None:
    client = await server.client()
    await client.call(LIST, Empty())


async def test_a_hello_is_welcomed_with_what_the_server_is(server: Server) -> None:
    raw = await Raw.connect(server, HELLO)
    found = await raw.frame()
    raw.writer.close()

    assert found is not None
    assert found[:2] == (FrameKind.WELCOME, 0)
    welcome = decode(found[2], Welcome)
    assert (welcome.protocol, welcome.version, welcome.server) == (PROTOCOL, __version__, "default")
    assert welcome.engine_build == server.parts.engines.build


async def test_frames_may_be_cut_anywhere(server: Server) -> None:
    raw = await Raw.connect(server)
    for byte in HELLO + request(1, "list", {}):
        raw.writer.write(bytes([byte]))
        await raw.writer.drain()

    kinds = [found[0] for found in (await raw.frame(), await raw.frame()) if found]
    raw.writer.close()

    assert kinds == [FrameKind.WELCOME, FrameKind.REPLY]


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"GET / HTTP/1.1\r\n\r\n" + bytes(64), "too_large"),
        (frame(FrameKind.REQUEST, 1), "invalid"),
        (frame(FrameKind.HELLO, 0, b"\xc1"), "invalid"),
        (struct.pack("<I", 2) + b"xxxx" * 4, "invalid"),
        (
            message(FrameKind.HELLO, 0, Hello(protocol=PROTOCOL + 1, version="9", role="api")),
            "protocol_mismatch",
        ),
        (
            message(FrameKind.HELLO, 0, Hello(protocol=PROTOCOL, version="9", role="ui", engine_build="x")),
            "engine_mismatch",
        ),
        (HELLO + HEADER.pack(0xFFFFFFFF, FrameKind.REQUEST, 1), "too_large"),
        (HELLO + frame(99, 1), "invalid"),  # type: ignore[arg-type]
        (HELLO + frame(FrameKind.WELCOME, 1), "invalid"),
        (HELLO + frame(FrameKind.REQUEST, 1, b"\xc1"), "invalid"),
        (HELLO + frame(FrameKind.ACK, 1, b"x"), "invalid"),
        (HELLO + frame(FrameKind.INPUT, 1, b"\xc1"), "invalid"),
        (HELLO + frame(FrameKind.INPUT, 1, b"\x81\xa4more" + b"\x91" * 200_000), "invalid"),
        (HELLO + request(0, "list", {}), "invalid"),
        (HELLO + request(1, "events", {}) + request(1, "list", {}), "invalid"),
    ],
)
async def test_what_is_no_frame_for_a_server_ends_that_connection_and_nothing_else(
    server: Server, sent: bytes, code: str
) -> None:
    raw = await Raw.connect(server, sent)

    assert (await raw.refusal()).code == code
    await still_serves(server)


async def test_who_says_nothing_is_hung_up_on(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "HELLO_TIMEOUT_S", 0.05)
    raw = await Raw.connect(server)

    assert (await raw.refusal()).code == "invalid"


async def test_another_engine_build_is_refused_with_the_servers_version(server: Server) -> None:
    with pytest.raises(EngineMismatch) as caught:
        await server.client(engine_build="another")

    assert caught.value.facts["server_version"] == __version__


async def test_an_error_of_a_request_leaves_the_connection_open(api: Api) -> None:
    with pytest.raises(NotFound):
        await api.info("p9")

    assert await api.panes() == {}


@pytest.mark.parametrize(
    ("name", "body", "code"),
    [
        ("no such command", {}, "unsupported"),
        ("get", {"pane": 7}, "invalid"),
        ("get", {}, "invalid"),
        ("get", {"pane": "p1", "extra": 1}, "invalid"),
        ("wait", {"pane": "p1", "status": ["asleep"]}, "invalid"),
        ("open", {"size": [0, 0]}, "invalid"),
    ],
)
async def test_a_request_that_is_wrong_is_answered_with_its_error(
    server: Server, name: str, body: object, code: str
) -> None:
    raw = await Raw.connect(server, HELLO + request(5, name, body))
    await raw.frame()
    found = await raw.frame()
    raw.writer.close()

    assert found is not None
    assert found[:2] == (FrameKind.ERROR, 5)
    assert decode(found[2], ErrorBody).code == code


async def test_many_requests_of_one_connection_run_side_by_side(server: Server, api: Api) -> None:
    panes = await asyncio.gather(*(api.open("/bin/sh", "-c", "read x") for _ in range(5)))

    infos = await asyncio.gather(*(api.call(GET, GetRequest(pane=pane)) for pane in panes * 20))

    assert [info.pane for info in infos] == panes * 20


async def test_a_cancelled_stream_says_nothing_more_and_its_number_is_free_again(server: Server) -> None:
    raw = await Raw.connect(server, HELLO + request(7, "events", {}))
    await raw.frame()
    found = await raw.frame()
    assert found is not None
    assert found[:2] == (FrameKind.ITEM, 7)

    raw.writer.write(frame(FrameKind.CANCEL, 7) + request(8, "open", {"command": ["/bin/true"]}))
    found = await raw.frame()
    assert found is not None
    assert found[:2] == (FrameKind.REPLY, 8)
    raw.writer.write(frame(FrameKind.CANCEL, 99) + request(7, "list", {}))
    found = await raw.frame()
    raw.writer.close()

    assert found is not None
    assert found[:2] == (FrameKind.REPLY, 7)


async def test_an_open_goes_on_when_its_caller_hangs_up(server: Server, api: Api) -> None:
    raw = await Raw.connect(
        server, HELLO + request(1, "open", {"command": ["/bin/sh", "-c", "echo here; read x"]})
    )
    await raw.frame()
    raw.writer.close()

    async def opened() -> bool:
        return "p1" in await api.panes()

    await until(opened, "the pane is there")
    await api.shows("p1", "here")


async def test_clients_that_vanish_leave_nothing_behind(server: Server, api: Api) -> None:
    for _ in range(5):
        ui = await server.ui()
        ui.client.close()
        await ui.client.wait_closed()
    client = await AsyncClient.connect(server.parts.sockets().wire)
    client.close()

    assert await api.panes() == {}


async def test_acknowledging_and_pressing_on_channels_that_are_not_shown_is_ignored(server: Server) -> None:
    ui = await server.ui()
    ui.client.send(FrameKind.ACK, 42, COUNT.pack(1 << 31))
    ui.client.send(FrameKind.INPUT, 42, msgspec.msgpack.encode({"type": "focus", "gained": True}))

    await ui.client.call(LIST, Empty())


async def test_a_server_whose_panes_end_with_it_makes_no_place_for_another(server: Server) -> None:
    raw = await Raw.connect(server, frame(FrameKind.LEAVE, 0))

    assert (await raw.refusal()).code == "unsupported"
    await still_serves(server)
