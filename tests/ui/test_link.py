"""The connection to the server, with its models, without a screen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from orca_tui.base.clock import SystemClock
from orca_tui.base.errors import OrcaError, ServerUnavailable
from orca_tui.client.asynchronous import AsyncClient
from orca_tui.term.input_events import Key, Paste
from orca_tui.term.key_names import parse_key
from orca_tui.ui.link import Link
from orca_tui.ui.pane_model import PaneModel
from orca_tui.ui.term_strip import TermStrip
from orca_tui.wire import Synced
from tests.server.running import LIMIT_S, Api, Server

pytestmark = pytest.mark.anyio

ECHO = ("/bin/sh", "-c", "stty raw -echo; echo READY; exec cat")


class Attached:
    """A link whose views are told, and what it drew."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.drawn = asyncio.Event()

    async def shows(self, pane: str, text: str) -> None:
        async with asyncio.timeout(LIMIT_S):
            while not any(text in strip.text for strip in self.link.model(pane).strips):
                self.drawn.clear()
                await self.drawn.wait()


@asynccontextmanager
async def attached(server: Server, failures: list[OrcaError] | None = None) -> AsyncIterator[Attached]:
    engines = server.parts.engines

    def draw(models: list[PaneModel]) -> None:
        for model in models:
            model.drawn()
        found.drawn.set()

    link = Link(
        engines=engines,
        strips_of=lambda _: TermStrip,
        clock=SystemClock(),
        draw=draw,
        dropped=lambda: None,
        failed=(failures if failures is not None else []).append,
    )
    found = Attached(link)
    await link.connect(
        lambda handler: AsyncClient.connect(
            server.parts.sockets().wire, role="ui", engine_build=engines.build, on_pane_frame=handler
        )
    )
    async with asyncio.TaskGroup() as group:
        items = group.create_task(follow(link))
        views = group.create_task(link.tell_views())
        yield found
        items.cancel()
        views.cancel()
        link.close()


async def follow(link: Link) -> None:
    async for item in link.items(80, 24):
        assert item is not None


async def test_the_first_item_is_the_whole_state(server: Server, api: Api) -> None:
    pane = await api.open(*ECHO)
    async with attached(server) as ui:
        items = ui.link.items(80, 24)

        first = await anext(items)

        assert isinstance(first, Synced)
        assert [info.pane for info in first.panes] == [pane]


async def test_a_shown_pane_is_drawn_at_the_size_it_has_room_for(server: Server, api: Api) -> None:
    pane = await api.open(*ECHO)
    async with attached(server) as ui:
        ui.link.show({pane: (61, 17)}, focused=pane, terminal_focused=True)

        await ui.shows(pane, "READY")
        assert (ui.link.model(pane).cols, ui.link.model(pane).rows) == (61, 17)


async def test_input_given_before_the_server_knows_the_view_arrives_in_order(
    server: Server, api: Api
) -> None:
    pane = await api.open(*ECHO)
    await api.shows(pane, "READY")
    async with attached(server) as ui:
        ui.link.show({pane: (60, 17)}, focused=pane, terminal_focused=True)
        for key in "abc":
            ui.link.input(pane, parse_key(key))
        ui.link.input(pane, Paste(text="DEF"))
        ui.link.input(pane, Key(key="g", text="g"))

        await ui.shows(pane, "abcDEFg")


async def test_input_for_a_pane_that_is_not_on_screen_goes_nowhere(server: Server, api: Api) -> None:
    pane, other = await api.open(*ECHO), await api.open(*ECHO)
    async with attached(server) as ui:
        ui.link.show({other: (60, 17)}, focused=other, terminal_focused=True)
        await ui.shows(other, "READY")
        ui.link.input(pane, parse_key("x"))
        ui.link.input("p99", parse_key("x"))
        ui.link.input(other, parse_key("y"))

        await ui.shows(other, "y")
        assert "x" not in await api.screen(pane)


async def test_a_pane_that_is_shown_again_starts_over_on_a_new_channel(server: Server, api: Api) -> None:
    pane = await api.open(*ECHO)
    async with attached(server) as ui:
        ui.link.show({pane: (60, 17)}, focused=pane, terminal_focused=True)
        await ui.shows(pane, "READY")
        first = ui.link.model(pane).channel
        ui.link.show({}, focused=None, terminal_focused=True)
        assert ui.link.model(pane).channel is None

        ui.link.show({pane: (60, 17)}, focused=pane, terminal_focused=True)
        ui.link.input(pane, parse_key("z"))
        await ui.shows(pane, "z")

        assert ui.link.model(pane).channel not in (None, first)


async def test_a_flood_is_acknowledged_so_that_it_goes_on(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo THE-END; cat")
    async with attached(server) as ui:
        ui.link.show({pane: (60, 17)}, focused=pane, terminal_focused=True)

        await ui.shows(pane, "THE-END")


async def test_history_is_sent_when_it_is_asked_for(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "seq 1 5000; exec cat")
    await api.shows(pane, "5000")
    async with attached(server) as ui:
        ui.link.show({pane: (60, 17)}, focused=pane, terminal_focused=True)
        await ui.shows(pane, "5000")
        model = ui.link.model(pane)
        assert not model.has_history
        assert model.scroll_to(4500)

        await ui.link.ask_history(model)
        async with asyncio.timeout(LIMIT_S):
            while not model.has_history:
                ui.drawn.clear()
                await ui.drawn.wait()

        assert model.offset == 4500


async def test_closing_a_pane_while_its_view_is_told_is_no_failure(server: Server, api: Api) -> None:
    failures: list[OrcaError] = []
    pane = await api.open(*ECHO)
    async with attached(server, failures) as ui:
        ui.link.show({pane: (60, 17), "p77": (60, 17)}, focused=pane, terminal_focused=True)
        await asyncio.sleep(0)
        ui.link.show({pane: (60, 17)}, focused=pane, terminal_focused=True)

        await ui.shows(pane, "READY")
        assert failures == []


async def test_without_a_connection_every_command_says_so(server: Server) -> None:
    link = Link(
        engines=server.parts.engines,
        strips_of=lambda _: TermStrip,
        clock=SystemClock(),
        draw=lambda _: None,
        failed=lambda _: None,
        dropped=lambda: None,
    )

    with pytest.raises(ServerUnavailable):
        link.client  # noqa: B018 - reading it is what fails.
