"""Doing what gestures mean: what the server is asked for."""

from __future__ import annotations

import pytest

from tests.server.running import Api, Server
from tests.ui.running import shell, tab_panes, ui

pytestmark = pytest.mark.anyio


async def test_a_dragged_border_is_the_servers_too(server: Server, api: Api) -> None:
    left = await shell(api)
    right = await shell(api, split="right", beside=left)
    async with ui(server) as screen:
        await screen.until(lambda: screen.panes()[right].size[0] == 34, "even parts")
        (border,) = screen.app.scene.columns()
        x, y = border.place.x, border.place.y + 3

        await screen.drag((x, y), (5, y))  # Far beyond what a pane keeps.

        await screen.until(lambda: screen.panes()[left].size[0] == 3, "the smallest share")
        assert screen.panes()[right].size[0] == 65


async def test_a_click_on_the_plus_opens_a_tab(server: Server, api: Api) -> None:
    first = await shell(api)
    async with ui(server) as screen:
        await screen.click(*screen.find(" + "))

        await screen.until(lambda: screen.focused not in (first, None), "a new tab")
        assert tab_panes(screen) != [first]


async def test_a_menu_acts_on_the_pane_that_it_was_opened_for(server: Server, api: Api) -> None:
    left = await shell(api)
    right = await shell(api, split="right", beside=left)
    async with ui(server) as screen:
        assert screen.focused == right
        await screen.click(screen.place_of(left).x + 3, 1, button=3)
        await screen.shows("Move to a new tab")

        await screen.click(*screen.find("Zoom"))

        await screen.until(lambda: list(screen.app.scene.sizes()) == [left], "the left pane alone")
