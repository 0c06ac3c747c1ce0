"""Finding what wants a person."""

from __future__ import annotations

import pytest

from orca_tui.status.record import Status
from tests.server.running import Api, Server
from tests.ui.running import shell, ui

pytestmark = pytest.mark.anyio


def says(*states: str) -> str:
    """A shell command that reports states as an agent does (OSC 7501), and then waits."""
    reports = "; sleep 0.2; ".join(
        f"printf '\\033]7501;state={state}:app=codex\\033\\\\'" for state in states
    )
    return f"{reports}; exec cat"


async def test_an_unread_result_is_marked_until_it_is_looked_at(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        pane = await api.open("/bin/sh", "-c", says("working", "done"), agent="codex", focus=False)
        await screen.until(lambda: screen.panes()[pane].status is Status.DONE, "a result")
        await screen.shows("◆")
        await screen.shows("✓1")

        await screen.press("ctrl+b", "n")

        await screen.until(lambda: screen.focused == pane, "the pane has the focus")
        await screen.hides("◆")
        await screen.shows("✓0")


async def test_the_inbox_lists_who_waits_and_goes_there(server: Server, api: Api) -> None:
    asking = await api.open("/bin/sh", "-c", says("working", "blocked:kind=permission"), agent="codex")
    await shell(api)
    async with ui(server) as screen:
        await screen.until(lambda: screen.panes()[asking].status is Status.WAITING, "an ask")
        await screen.press("ctrl+b", "i")
        await screen.shows("Inbox")
        await screen.shows("waiting: permission")

        await screen.press("enter")
        await screen.until(lambda: screen.focused == asking, "the asking pane has the focus")


async def test_the_open_inbox_follows_what_happens_and_the_cursor_stays_on_its_pane(
    server: Server, api: Api
) -> None:
    await shell(api)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "i")
        await screen.shows("Nothing waits for you.")

        first = await api.open(
            "/bin/sh", "-c", says("working", "blocked:kind=permission"), agent="codex", focus=False
        )
        await screen.shows("waiting: permission")
        await api.open("/bin/sh", "-c", says("working", "done"), agent="codex", focus=False)
        await screen.until(lambda: "codex · done" in "\n".join(screen.lines()), "a result")

        await screen.press("enter")
        await screen.until(lambda: screen.focused == first, "the pane that was marked has the focus")


async def test_the_dashboard_shows_processor_and_memory(server: Server, api: Api) -> None:
    first = await shell(api)
    await shell(api)
    async with ui(server, size=(140, 40)) as screen:
        await screen.press("ctrl+b", "D")
        await screen.shows("memory")
        await screen.until(lambda: any("M " in line and first in line for line in screen.lines()), "memory")

        await screen.press("t", "home", "enter")
        await screen.until(lambda: screen.app.screen is screen.app.work, "the work screen")
