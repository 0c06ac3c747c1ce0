"""Looking up what an action does."""

from __future__ import annotations

import pytest

from orca_tui.ui.action import Needs
from orca_tui.ui.actions import ACTIONS
from tests.server.running import Api, Server
from tests.ui.running import shell, ui

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("needs", [Needs.PANE, Needs.SEVERAL_PANES])
async def test_an_action_that_needs_a_pane_says_so_without_one(server: Server, needs: Needs) -> None:
    async with ui(server) as screen:
        for action in (one for one in ACTIONS if one.needs is needs):
            screen.app.perform(action.id)

            assert screen.app.mood.message == f"{action.title}: there is no pane for that"
        assert screen.app.screen is screen.app.work


async def test_an_action_on_several_panes_needs_them(server: Server, api: Api) -> None:
    pane = await shell(api)
    async with ui(server) as screen:
        screen.app.perform("other_pane")
        assert "there is no pane for that" in screen.app.mood.message

        other = await shell(api, split="right", beside=pane)
        await screen.until(lambda: len(screen.app.scene.sizes()) == 2, "two panes")
        assert screen.focused == pane
        screen.app.perform("other_pane")

        await screen.until(lambda: screen.focused == other, "the other pane has the focus")


async def test_the_dialogs_are_not_imported_before_the_first_action(server: Server) -> None:
    async with ui(server) as screen:
        assert "operations" not in vars(screen.app.performer)
