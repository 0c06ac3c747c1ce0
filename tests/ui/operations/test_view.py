"""Actions that change only what this UI shows."""

from __future__ import annotations

import pytest

from tests.server.running import Api, Server
from tests.ui.running import shell, tab_panes, ui

pytestmark = pytest.mark.anyio


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
