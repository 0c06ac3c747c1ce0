"""The UI on a real server: what keys and the mouse do, and what is seen."""

from __future__ import annotations

import pytest

from orca_tui.layout import panes_of
from orca_tui.status.record import Status
from tests.server.running import Api, Server
from tests.ui.running import Screen, shell, ui

pytestmark = pytest.mark.anyio


def tab_panes(screen: Screen) -> list[str]:
    tab = screen.app.world.tab
    return list(panes_of(tab.root)) if tab is not None else []


async def test_a_server_without_panes_says_what_to_press(server: Server) -> None:
    async with ui(server) as screen:
        await screen.shows("Nothing runs here yet.")

        await screen.press("ctrl+b", "c")

        await screen.shows("p1")
        assert "Nothing runs here yet." not in screen.text()


async def test_what_is_typed_reaches_the_shell_and_its_answer_the_screen(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        await screen.type("echo $((6*7))answer")
        await screen.press("enter")

        await screen.shows("42answer")


async def test_keys_of_textual_are_the_childs(server: Server, api: Api) -> None:
    await api.open("/bin/sh", "-c", "stty raw -echo; echo READY; exec cat -v")
    async with ui(server) as screen:
        await screen.shows("READY")
        await screen.press("ctrl+q", "ctrl+p", "ctrl+c", "tab", "shift+tab", "escape", "q")

        await screen.shows("^Q^P^C")
        await screen.shows("^[[Z^[q")


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


async def test_a_border_is_dragged_with_the_mouse(server: Server, api: Api) -> None:
    left = await shell(api)
    await shell(api, split="right", beside=left)
    async with ui(server) as screen:
        (border,) = screen.app.scene.columns()
        x, y = border.place.x, border.place.y + 5

        await screen.drag((x, y), (x - 10, y))

        await screen.until(lambda: screen.app.scene.columns()[0].place.x == x - 10, "the border there")


async def test_a_title_is_dragged_to_move_the_border_it_stands_on(server: Server, api: Api) -> None:
    upper = await shell(api)
    lower = await shell(api, split="down", beside=upper)
    async with ui(server) as screen:
        x, y = screen.place_of(lower).x + 3, screen.place_of(lower).y - 1

        await screen.drag((x, y), (x, y - 5))

        await screen.until(lambda: screen.place_of(lower).y == y - 4, "the lower pane begins there")


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


async def test_tabs_are_opened_named_and_stepped_through(server: Server, api: Api) -> None:
    first = await shell(api)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "c")
        await screen.until(lambda: screen.focused != first, "a new tab")
        second = screen.focused
        await screen.press("ctrl+b", "comma")
        await screen.shows("Name of the tab")
        await screen.type("logs")
        await screen.press("enter")
        await screen.shows("1 logs")

        await screen.press("ctrl+b", "p")
        await screen.until(lambda: screen.focused == first, "the first tab")
        await screen.press("ctrl+b", "N")
        await screen.until(lambda: screen.focused == second, "the second tab")
        await screen.press("ctrl+b", "0")
        await screen.until(lambda: screen.focused == first, "the first tab by its number")
        await screen.click(*screen.find("1 logs"))
        await screen.until(lambda: screen.focused == second, "the second tab by a click")


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
        await screen.until(lambda: len({rows for _, rows in screen.app.scene.sizes().values()}) == 1, "columns")
        await screen.until(
            lambda: max(screen.app.scene.sizes().values())[0] - min(screen.app.scene.sizes().values())[0] <= 1,
            "even columns",
        )

        await screen.press("ctrl+b", "space")
        await screen.until(lambda: len({cols for cols, _ in screen.app.scene.sizes().values()}) == 1, "rows")


async def test_a_hidden_pane_shows_its_screen_when_it_comes_back(server: Server, api: Api) -> None:
    first = await shell(api)
    async with ui(server) as screen:
        await screen.type("echo first$((1+1))")
        await screen.press("enter")
        await screen.shows("first2")
        await screen.press("ctrl+b", "c")
        await screen.hides("first2")

        await screen.press("ctrl+b", "0")

        await screen.shows("first2")
        assert screen.focused == first


async def test_an_unread_result_is_marked_until_it_is_looked_at(server: Server, api: Api) -> None:
    await shell(api)
    done = "printf '\\033]7501;state=working:app=codex\\033\\\\'; sleep 0.2; printf '\\033]7501;state=done:app=codex\\033\\\\'; cat"
    async with ui(server) as screen:
        pane = await api.open("/bin/sh", "-c", done, agent="codex", focus=False)
        await screen.until(lambda: screen.panes()[pane].status is Status.DONE, "a result")
        await screen.shows("◆")
        await screen.shows("✓1")

        await screen.press("ctrl+b", "n")

        await screen.until(lambda: screen.focused == pane, "the pane has the focus")
        await screen.hides("◆")
        await screen.shows("✓0")


async def test_the_palette_finds_actions_and_panes(server: Server, api: Api) -> None:
    first = await shell(api)
    second = await shell(api)
    async with ui(server) as screen:
        assert screen.focused == second
        await screen.press("ctrl+b", "colon")
        await screen.shows("Search actions and panes")
        await screen.type(f"go to {first}")
        await screen.shows(f"Go to {first}")
        await screen.press("enter")
        await screen.until(lambda: screen.focused == first, "the chosen pane has the focus")

        await screen.press("ctrl+b", "colon")
        await screen.shows("Search actions and panes")
        await screen.type("split down")
        await screen.shows("Open a shell below")
        await screen.press("enter")
        await screen.until(lambda: len(tab_panes(screen)) == 2, "a split")


async def test_help_lists_the_keys(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "question_mark")
        await screen.shows("Open a shell beside the focused pane.")

        await screen.press("escape")
        await screen.hides("Open a shell beside the focused pane.")


async def test_the_keys_are_shown_when_none_follows_the_prefix(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        await screen.press("ctrl+b")
        await screen.shows("Split right")
        await screen.shows("escape takes it back")

        await screen.press("escape")
        await screen.hides("Split right")


async def test_a_key_that_does_nothing_is_told(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "y")
        await screen.shows("ctrl+b y does nothing")

        await screen.press("l")
        await screen.hides("does nothing")


async def test_an_agent_is_chosen_from_a_list(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "a")
        await screen.shows("Open an agent")
        await screen.press("end", "percent_sign")

        await screen.until(lambda: len(tab_panes(screen)) == 2, "a shell beside the pane")
        assert screen.panes()[tab_panes(screen)[1]].agent in (None, "shell")


async def test_the_inbox_lists_who_waits_and_goes_there(server: Server, api: Api) -> None:
    ask = "printf '\\033]7501;state=working:app=codex\\033\\\\\\033]7501;state=blocked:app=codex:kind=permission\\033\\\\'; cat"
    asking = await api.open("/bin/sh", "-c", ask, agent="codex")
    await shell(api)
    async with ui(server) as screen:
        await screen.until(lambda: screen.panes()[asking].status is Status.WAITING, "an ask")
        await screen.press("ctrl+b", "i")
        await screen.shows("Inbox")
        await screen.shows("waiting: permission")

        await screen.press("enter")
        await screen.until(lambda: screen.focused == asking, "the asking pane has the focus")


async def test_the_dashboard_shows_processor_and_memory(server: Server, api: Api) -> None:
    first = await shell(api)
    await shell(api)
    async with ui(server, size=(140, 40)) as screen:
        await screen.press("ctrl+b", "D")
        await screen.shows("memory")
        await screen.until(lambda: any("M " in line and first in line for line in screen.lines()), "memory")

        await screen.press("t", "home", "enter")
        await screen.until(lambda: screen.app.screen is screen.app.work, "the work screen")


async def test_workspaces_are_listed_and_opened(server: Server, api: Api) -> None:
    first = await shell(api)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "w")
        await screen.shows("Workspaces")
        await screen.press("n")
        await screen.until(lambda: len(screen.app.world.layout.workspaces) == 2, "a second workspace")
        await screen.until(lambda: screen.focused != first, "its pane has the focus")

        await screen.press("ctrl+b", "w")
        await screen.shows("Workspaces")
        await screen.press("home", "enter")
        await screen.until(lambda: screen.focused == first, "the first workspace again")


async def test_detaching_says_how_to_come_back(server: Server, api: Api) -> None:
    pane = await shell(api)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "d")
        await screen.until(lambda: screen.app.return_value is not None, "the farewell")

        farewell = screen.app.return_value
        assert farewell is not None
        assert farewell.exit_code == 0
        assert "`orca-tui` comes back" in farewell.text
    assert pane in await api.panes()
