"""The mouse belongs to what was pressed, however fast the release follows."""

from __future__ import annotations

import pytest
from textual import events

from tests.server.running import Api, Server
from tests.ui.running import shell, ui

pytestmark = pytest.mark.anyio

PRESS, MOVE, RELEASE = events.MouseDown, events.MouseMove, events.MouseUp


async def test_a_drag_of_the_sidebars_edge_in_one_burst_moves_it_and_gives_the_mouse_back(
    server: Server, api: Api
) -> None:
    pane = await shell(api)
    async with ui(server) as screen:
        await screen.burst((PRESS, 30, 5), (MOVE, 36, 5), (MOVE, 40, 5), (RELEASE, 40, 5))
        await screen.until(lambda: screen.place_of(pane).x == 41, "a wider sidebar")
        assert screen.app.mouse_captured is None

        await screen.drag((50, 5), (60, 6))
        await screen.pilot.pause()

        assert screen.place_of(pane).x == 41


async def test_a_drag_of_a_border_in_one_burst_moves_it(server: Server, api: Api) -> None:
    first = await shell(api)
    second = await shell(api, split="right", beside=first)
    async with ui(server) as screen:
        x = screen.place_of(second).x - 1

        await screen.burst((PRESS, x, 8), (MOVE, x - 4, 8), (MOVE, x - 10, 8), (RELEASE, x - 10, 8))

        await screen.until(lambda: screen.place_of(second).x == x - 9, "the border ten columns left")
        assert screen.app.mouse_captured is None


async def test_a_selection_in_one_burst_ends_where_the_mouse_was_released(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "printf 'a-5-word'; exec cat")
    async with ui(server) as screen:
        await screen.shows("a-5-word")
        x, y = screen.find("a-5-word")

        await screen.burst((PRESS, x + 7, y), (MOVE, x, y), (RELEASE, x - 20, y))

        view = screen.app.work.view_of(pane)
        assert view is not None
        await screen.until(lambda: view._selection.text() == "a-5-word", "the selection")
        assert screen.app.mouse_captured is None


async def test_a_dialog_that_opens_during_a_drag_gets_the_mouse(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        await screen.pilot.mouse_down(offset=(30, 5))
        assert screen.app.mouse_captured is not None

        await screen.press("ctrl+b", "question_mark")

        await screen.until(lambda: screen.app.mouse_captured is None, "the mouse is free")
