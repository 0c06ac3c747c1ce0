"""Plugins in the UI: their list, their commands in the palette, their toasts."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.server.plugin_files import Plugins
from tests.server.running import Api, Server, running_server
from tests.ui.running import shell, ui

pytestmark = pytest.mark.anyio

PLUGIN = """
id = "greeter"
async def setup(ctx):
    ctx.command.register("greet", "Greet the pane", lambda pane: ctx.ui.notify(f"hello {pane}"))
    async def fail(pane):
        raise ValueError("no luck")
    ctx.command.register("fail", "Fail badly", fail)
"""
BROKEN = "id = 'broken'\nasync def setup(ctx):\n    1 / 0\n"


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    """It hosts plugins."""
    async with running_server(plugins=True) as running:
        yield running


async def test_commands_are_in_the_palette_and_are_given_the_focused_pane(server: Server, api: Api) -> None:
    pane = await shell(api)
    plugins = Plugins(server, api)
    plugins.write("greeter.py", PLUGIN)
    await plugins.becomes("greeter", "running")
    async with ui(server) as screen:
        for wanted, shown in (
            ("greet the", f"greeter: hello {pane}"),
            ("fail badly", "plugin greeter: command: ValueError: no luck"),
        ):
            await screen.press("ctrl+b", "colon")
            await screen.shows("Search actions and panes")
            await screen.type(wanted)
            await screen.shows("(greeter)")
            await screen.press("enter")
            await screen.shows(shown)


async def test_the_list_says_how_they_stand_and_sets_one_up_again(server: Server, api: Api) -> None:
    await shell(api)
    plugins = Plugins(server, api)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "P")
        await screen.shows("None yet")
        await screen.press("escape")
        plugins.write("broken.py", BROKEN)
        await screen.shows("plugin broken: setup: ZeroDivisionError")

        await screen.press("ctrl+b", "P")
        await screen.shows("broken failed")
        await screen.shows("division by zero (broken.py:3 in setup)")
        plugins.write("broken.py", PLUGIN.replace("greeter", "broken"))
        await plugins.becomes("broken", "running")
        await screen.press("enter")

        await screen.shows("plugin broken is running")
        assert (await plugins.rows())["broken"].revision == 2
