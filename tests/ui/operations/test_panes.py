"""Actions on the focused pane."""

from __future__ import annotations

import pytest

from tests.server.running import Api, Server
from tests.ui.running import shell, tab_panes, ui

pytestmark = pytest.mark.anyio


async def test_what_is_typed_right_after_a_split_goes_to_the_new_pane(server: Server, api: Api) -> None:
    first = await shell(api)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "%", *"echo", "space", *"new$((1+1))", "enter")

        await screen.shows("new2")
        second = next(pane for pane in screen.panes() if pane != first)
        assert screen.focused == second
        assert "new2" in await api.screen(second)
        assert "new" not in await api.screen(first)


async def test_a_new_pane_starts_at_the_size_that_it_has_on_screen(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        await screen.press("ctrl+b", '"')
        await screen.until(lambda: len(tab_panes(screen)) == 2, "two panes")
        below = tab_panes(screen)[1]
        await screen.until(lambda: screen.app.work.view_of(below) is not None, "a widget")

        view = screen.app.work.view_of(below)
        assert view is not None
        await screen.until(lambda: view.size.width > 0, "its place")
        assert screen.panes()[below].size == (view.size.width, view.size.height)


async def test_the_new_line_is_shift_enter_by_key_and_by_palette(server: Server, api: Api) -> None:
    command = ("/bin/sh", "-c", "stty raw -echo; printf '\\033[>1u'; echo ready; exec cat -v")
    pane = await api.open(*command)
    await api.shows(pane, "ready")
    async with ui(server) as screen:
        await screen.press("ctrl+b", "enter")
        await api.shows(pane, "^[[13;2u")

        await screen.press("ctrl+b", "colon")
        await screen.shows("Search actions and panes")
        await screen.type("new line")
        await screen.shows("Shift+Enter for the pane's agent")
        await screen.press("enter")
        await api.shows(pane, "^[[13;2u^[[13;2u")


async def test_a_pane_that_is_too_small_is_not_split(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server, size=(90, 10)) as screen:
        await screen.press("ctrl+b", '"')
        await screen.until(lambda: len(tab_panes(screen)) == 2, "there is room once")

        await screen.press("ctrl+b", '"')

        await screen.shows("No room to split")
        assert len(tab_panes(screen)) == 2


async def test_focus_moves_by_arrow_and_by_click(server: Server, api: Api) -> None:
    left = await shell(api)
    right = await shell(api, split="right", beside=left)
    async with ui(server) as screen:
        assert screen.focused == right

        await screen.press("ctrl+b", "left")
        await screen.until(lambda: screen.focused == left, "the left pane has the focus")

        place = screen.place_of(right)
        await screen.click(place.x + 2, place.y + 2)
        await screen.until(lambda: screen.focused == right, "the right pane has the focus")


async def test_zoom_shows_one_pane_and_all_again(server: Server, api: Api) -> None:
    left = await shell(api)
    right = await shell(api, split="right", beside=left)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "z")
        await screen.shows("zoomed")
        assert screen.app.work.view_of(left) is None

        await screen.press("ctrl+b", "z")
        await screen.until(lambda: screen.app.work.view_of(left) is not None, "both panes")
        assert screen.app.work.view_of(right) is not None


async def test_borders_move_by_key_and_again_without_the_prefix(server: Server, api: Api) -> None:
    left = await shell(api)
    await shell(api, split="right", beside=left)
    async with ui(server) as screen:
        before = screen.app.scene.sizes()[left][0]

        await screen.press("ctrl+b", "ctrl+left", "ctrl+left")

        await screen.until(lambda: screen.app.scene.sizes()[left][0] <= before - 4, "a narrower left pane")


async def test_closing_asks_first(server: Server, api: Api) -> None:
    pane = await shell(api)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "x")
        await screen.shows("Close p1 sh?")
        await screen.press("n")
        await screen.hides("Close p1 sh?")
        assert pane in screen.panes()

        await screen.press("ctrl+b", "x")
        await screen.shows("Close p1 sh?")
        await screen.press("y")

        await screen.shows("Nothing runs here yet.")
        assert await api.panes() == {}


async def test_a_pane_is_renamed_and_gets_its_title_back(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "full_stop")
        await screen.shows("Name of p1")
        await screen.type("builds")
        await screen.press("enter")
        await screen.shows("p1 builds")

        await screen.press("ctrl+b", "full_stop")
        await screen.shows("Name of p1")
        await screen.press("ctrl+u", "backspace", "enter")
        await screen.hides("builds")


async def test_panes_change_places_and_move_to_a_tab_of_their_own(server: Server, api: Api) -> None:
    left = await shell(api)
    right = await shell(api, split="right", beside=left)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "left_curly_bracket")
        await screen.until(lambda: tab_panes(screen) == [right, left], "the other order")

        await screen.press("ctrl+b", "exclamation_mark")
        await screen.until(lambda: tab_panes(screen) == [right], "a tab of its own")
        assert screen.app.world.workspace is not None
        assert len(screen.app.world.workspace.tabs) == 2


async def test_arrangements_follow_each_other(server: Server, api: Api) -> None:
    first = await shell(api)
    for _ in range(2):
        await shell(api, split="right", beside=first)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "space")
        await screen.until(
            lambda: len({rows for _, rows in screen.app.scene.sizes().values()}) == 1, "columns"
        )
        await screen.until(
            lambda: (
                max(screen.app.scene.sizes().values())[0] - min(screen.app.scene.sizes().values())[0] <= 1
            ),
            "even columns",
        )

        await screen.press("ctrl+b", "space")
        await screen.until(lambda: len({cols for cols, _ in screen.app.scene.sizes().values()}) == 1, "rows")
