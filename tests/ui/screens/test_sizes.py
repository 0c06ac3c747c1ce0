"""Every dialog at every size: none can bring the UI down."""

from __future__ import annotations

import pytest

from tests.server.running import Api, Server
from tests.ui.running import shell, ui

pytestmark = pytest.mark.anyio

DIALOGS = ("question_mark", "colon", "comma", "x", "a", "i", "D", "w")
SIZES = [(20, 5), (21, 7), (40, 6), (200, 5), (20, 60), (100, 30)]
TOO_SMALL = [(1, 1), (2, 1), (1, 30), (5, 2), (19, 4), (200, 3)]


@pytest.mark.parametrize("key", DIALOGS)
async def test_a_dialog_lives_through_every_size(server: Server, api: Api, key: str) -> None:
    await shell(api)
    async with ui(server, size=(100, 30)) as screen:
        await screen.press("ctrl+b", key)
        await screen.until(lambda: screen.app.screen is not screen.app.work, "the dialog")
        for size in SIZES:
            await screen.pilot.resize_terminal(*size)
            await screen.pilot.pause()
            assert len(screen.lines()) == size[1]

        await screen.press("escape")

        await screen.until(lambda: screen.app.screen is screen.app.work, "the panes")
        await screen.shows("p1 sh")


@pytest.mark.parametrize("size", TOO_SMALL)
@pytest.mark.parametrize("key", ["colon", "D"])
async def test_a_terminal_that_becomes_too_small_leaves_the_dialog(
    server: Server, api: Api, key: str, size: tuple[int, int]
) -> None:
    await shell(api)
    async with ui(server, size=(100, 30)) as screen:
        await screen.press("ctrl+b", key)
        await screen.until(lambda: screen.app.screen is not screen.app.work, "the dialog")

        await screen.pilot.resize_terminal(*size)
        await screen.until(lambda: screen.app.screen is screen.app.work, "no dialog")
        await screen.press("ctrl+b", key)
        await screen.pilot.pause()
        assert screen.app.screen is screen.app.work

        await screen.pilot.resize_terminal(100, 30)
        await screen.shows("p1 sh")
