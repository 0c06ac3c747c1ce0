"""The server as a whole: what it tells of itself, stopping it, detaching UIs."""

from __future__ import annotations

import os

import pytest

from orca_tui.base.errors import Conflict
from orca_tui.commands.detach import DETACH
from orca_tui.commands.server_status import SERVER_STATUS
from orca_tui.commands.server_stop import SERVER_STOP, ServerStopRequest
from orca_tui.commands.spec import Empty
from orca_tui.commands.targets import CLOSE, CloseRequest
from orca_tui.wire import DetachAsked
from tests.server.running import Api, Server

pytestmark = pytest.mark.anyio


async def test_the_server_tells_what_it_holds(server: Server, api: Api) -> None:
    await api.open("/bin/sh", "-c", "read x")
    await server.ui()

    status = await api.call(SERVER_STATUS, Empty())

    assert (status.server, status.pid, status.panes, status.uis) == ("default", os.getpid(), 1, 1)
    assert set(status.sockets) == {"wire", "http", "intake"}


async def test_stopping_asks_while_agents_run(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "read x", agent="claude")
    with pytest.raises(Conflict) as caught:
        await api.call(SERVER_STOP, ServerStopRequest())
    assert caught.value.facts["panes"] == [pane]

    assert (await api.call(SERVER_STOP, ServerStopRequest(yes=True))).closed == (pane,)
    await server.task


async def test_an_agent_that_has_exited_does_not_hold_up_a_stop(server: Server, api: Api) -> None:
    pane = await api.open("/bin/true", agent="codex")
    await api.exits(pane)

    assert (await api.call(SERVER_STOP, ServerStopRequest())).closed == (pane,)
    await server.task


async def test_a_stop_waits_for_the_programs_of_panes_that_were_closed_just_before(
    server: Server, api: Api
) -> None:
    pane = await api.open("/bin/sh", "-c", "trap '' HUP; echo up; while :; do sleep 1; done")
    await api.shows(pane, "up")
    pid = (await api.info(pane)).pid
    assert pid is not None
    await api.call(CLOSE, CloseRequest(target=pane))

    await api.stop()
    await server.task

    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_uis_are_told_that_the_server_stops(server: Server, api: Api) -> None:
    ui = await server.ui()

    await api.call(SERVER_STOP, ServerStopRequest())

    assert (await ui.item(DetachAsked)).stopping
    await ui.client.wait_closed()


async def test_detach_asks_every_ui_to_leave(server: Server, api: Api) -> None:
    uis = [await server.ui(), await server.ui()]

    assert (await api.call(DETACH, Empty())).detached == 2

    for ui in uis:
        assert not (await ui.item(DetachAsked)).stopping
