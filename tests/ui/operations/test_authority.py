"""What a pane may drive, given and taken back in the UI."""

from __future__ import annotations

import pytest

from orca_tui.commands.targets import CLOSE, CloseRequest
from tests.server.running import Api, Server
from tests.ui.running import ui

pytestmark = pytest.mark.anyio


async def test_a_pane_is_granted_another_shown_on_its_title_and_taken_back(server: Server, api: Api) -> None:
    other = await api.open("cat", name="worker")
    own = await api.open("cat", name="boss", focus=True)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "g")
        await screen.shows(f"What may boss ({own}) drive?")
        await screen.press("enter")
        await screen.shows(f"may drive {other}")
        assert (await api.panes())[own].granted == (other,)

        await screen.press("ctrl+b", "g")
        await screen.shows("granted: take back")
        await screen.press("enter")
        await screen.shows(f"{own} may not drive {other} any more")
        assert (await api.panes())[own].granted == ()


async def test_leaving_the_question_grants_nothing(server: Server, api: Api) -> None:
    own = await api.open("cat", name="boss")
    async with ui(server) as screen:
        await screen.press("ctrl+b", "g")
        await screen.shows("everything: all panes, and the server")
        await screen.press("escape")
        await screen.hides("everything: all panes")

    assert (await api.panes())[own].granted == ()


async def test_a_grant_ends_with_the_pane_that_it_is_over(server: Server, api: Api) -> None:
    other = await api.open("cat")
    own = await api.open("cat", name="boss", focus=True)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "g")
        await screen.shows("What may boss")
        await screen.press("enter")
        await screen.shows(f"may drive {other}")

        await api.call(CLOSE, CloseRequest(target=other))

        await screen.hides(f"may drive {other}")
    assert (await api.panes())[own].granted == ()
