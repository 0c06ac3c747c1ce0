"""The wire door: input that a program does not take, and the end of all connections."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from orca_tui.commands.get import GET, GetRequest
from orca_tui.process.pty_io import MAX_QUEUED_BYTES
from orca_tui.server import wire_server
from orca_tui.term.input_events import Mouse, MouseAction, MouseButton, Paste, Text
from orca_tui.wire import FrameKind, PaneChanged, PaneView, Told
from tests.server.running import Api, Server
from tests.server.test_connection import HELLO, Raw, request

pytestmark = pytest.mark.anyio


async def test_input_beyond_all_bounds_is_refused_with_a_word_to_its_ui(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "stty raw -echo; echo deaf; while :; do sleep 1; done")
    ui = await server.ui()
    await ui.show(PaneView(pane=pane, channel=1, cols=80, rows=24))
    await ui.shows(1, "deaf")

    for _ in range(3):
        ui.press(1, Paste(text="x" * (MAX_QUEUED_BYTES // 2)))

    told = await ui.item(Told)
    assert told.severity == "error"
    assert pane in told.text
    assert pane in await api.panes()


async def test_a_moving_mouse_does_not_make_a_ui_the_one_used_last(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "read x")
    small, large = await server.ui(), await server.ui()
    await small.show(PaneView(pane=pane, channel=1, cols=60, rows=15))
    await large.show(PaneView(pane=pane, channel=1, cols=100, rows=30))
    await large.item(PaneChanged, lambda item: item.pane.size == (100, 30))
    large.items.clear()

    small.press(1, Mouse(action=MouseAction.MOVE, x=1, y=1))
    assert (await small.client.call(GET, GetRequest(pane=pane))).size == (100, 30)
    small.press(1, Mouse(action=MouseAction.PRESS, button=MouseButton.LEFT, x=1, y=1))

    await large.item(PaneChanged, lambda item: item.pane.size == (60, 15))


async def test_the_end_is_not_held_up_by_a_peer_that_reads_nothing(
    server: Server, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire_server, "FLUSH_S", 0.2)
    await api.open("/bin/sh", "-c", "seq 1 20000; echo full; read x")
    await api.shows("p1", "full")
    deaf = await Raw.connect(server, HELLO)
    await deaf.frame()
    transport = deaf.writer.transport
    assert isinstance(transport, asyncio.ReadTransport)
    transport.pause_reading()
    for number in range(1, 200):
        deaf.writer.write(request(number, "read", {"pane": "p1", "source": "all"}))

    await api.stop()
    async with asyncio.timeout(5):
        await server.task
    deaf.writer.close()


async def test_frames_that_are_no_input_leave_the_pane_alone(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "stty raw -echo; echo ready; cat -v")
    ui = await server.ui()
    await ui.show(PaneView(pane=pane, channel=1, cols=80, rows=24))
    await ui.shows(1, "ready")

    ui.client.send(FrameKind.INPUT, 2, msgspec.msgpack.encode(Text(data=b"elsewhere")))
    ui.press(1, Text(data=b"here"))

    await ui.shows(1, "here")
    assert "elsewhere" not in ui.screen(1)
