"""Actions on tabs and workspaces, and opening agents."""

from __future__ import annotations

import pytest

from orca_tui.config import parse
from orca_tui.term.key_names import parse_key
from tests.server.running import Api, Server
from tests.ui.running import shell, tab_panes, ui

pytestmark = pytest.mark.anyio


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


async def test_an_agent_is_chosen_from_a_list(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "a")
        await screen.shows("Open an agent")
        await screen.type("she")
        await screen.press("percent_sign")

        await screen.until(lambda: len(tab_panes(screen)) == 2, "a shell beside the pane")
        assert screen.panes()[tab_panes(screen)[1]].agent in (None, "shell")


async def test_agents_that_are_not_installed_stand_last_with_the_way_to_have_them(
    server: Server, api: Api
) -> None:
    await shell(api)
    program = api.root / "codex"
    program.write_text("#!/bin/sh\nread x\n")
    program.chmod(0o755)
    async with ui(server, PATH=f"{api.root}:/usr/bin:/bin") as screen:
        await screen.press("ctrl+b", "a")
        await screen.shows("npm install -g @anthropic-ai/claude-code")
        codex = screen.find("codex  ")[1]
        assert codex < screen.find("claude ")[1]

        await screen.press("enter")
        await screen.until(lambda: screen.focused in screen.panes(), "a pane")
        await screen.until(
            lambda: any(pane.agent == "codex" for pane in screen.panes().values()), "the only one installed"
        )


async def test_a_pane_whose_directory_was_removed_can_be_split(server: Server, api: Api) -> None:
    gone = api.root / "gone"
    gone.mkdir()
    await api.open(cwd=str(gone))
    gone.rmdir()
    async with ui(server) as screen:
        await screen.press("ctrl+b", "percent_sign")

        await screen.until(lambda: len(tab_panes(screen)) == 2, "a second pane")


async def test_agents_of_the_settings_are_in_the_list(server: Server, api: Api) -> None:
    await shell(api)
    config = parse('[agents.my-bot]\ncommand = ["bot"]\n', "config.toml")
    async with ui(server, config=config) as screen:
        await screen.press("ctrl+b", "a")
        await screen.shows("Open an agent")
        await screen.press(*"my-b")

        await screen.shows("my-bot")


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


async def test_what_is_typed_ahead_goes_to_the_dialog_that_opens(server: Server, api: Api) -> None:
    pane = await shell(api)
    async with ui(server) as screen:
        for key in ("ctrl+b", ",", "l", "o", "g", "s", "enter"):
            screen.app.keyboard.take(parse_key(key))

        await screen.shows("0 logs")
        assert "logs" not in await api.screen(pane)
