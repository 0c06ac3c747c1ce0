"""What is on screen now, and who is told of it."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from orca_tui.commands.list import LIST
from orca_tui.commands.spec import Empty
from orca_tui.commands.type import TYPE, TypeRequest
from orca_tui.status.record import Status
from orca_tui.ui.desk import TITLES_EVERY_S
from orca_tui.wire import PaneChanged, Synced
from tests.server.running import Api, Server
from tests.ui.running import shell, ui

pytestmark = pytest.mark.anyio

FOCUS_REPORTS = "printf '\\033[?1004hREADY'; stty raw -echo; exec cat -v"


async def test_children_that_asked_are_told_who_has_the_keyboard(server: Server, api: Api) -> None:
    left = await api.open("/bin/sh", "-c", FOCUS_REPORTS)
    right = await api.open("/bin/sh", "-c", FOCUS_REPORTS, split="right", beside=left)
    async with ui(server) as screen:
        await screen.until(lambda: screen.text().count("READY") == 2, "both are ready")
        await screen.press("ctrl+b", "left")
        await api.shows(left, "^[[I")
        await api.shows(right, "^[[O")

        screen.app.app_focus = False
        await api.shows(left, "^[[I^[[O")
        screen.app.app_focus = True
        await api.shows(left, "^[[I^[[O^[[I")


async def test_the_server_is_told_what_is_visible_and_who_looks(server: Server, api: Api) -> None:
    left = await shell(api)
    right = await shell(api, split="right", beside=left)
    async with ui(server) as screen:
        view = screen.app.link._view
        assert {one.pane for one in view.panes} == {left, right}
        assert (view.focused, view.terminal_focused) == (right, True)

        await screen.press("ctrl+b", "z")
        await screen.until(lambda: [one.pane for one in screen.app.link._view.panes] == [right], "one pane")

        await screen.press("ctrl+b", "question_mark")
        await screen.until(lambda: screen.app.link._view.focused is None, "the keyboard is a dialog's")
        await screen.press("escape")
        await screen.until(lambda: screen.app.link._view.focused == right, "the keyboard is the pane's again")

        screen.app.app_focus = False
        await screen.until(lambda: not screen.app.link._view.terminal_focused, "nobody looks")


async def test_panes_opened_by_others_appear(server: Server, api: Api) -> None:
    async with ui(server) as screen:
        await screen.shows("Nothing runs here yet.")

        pane = await shell(api)

        await screen.shows(f"{pane} sh")
        await screen.shows("│$")
        assert (await api.call(LIST, Empty())).focused == pane


async def test_a_pane_that_is_closed_by_others_goes(server: Server, api: Api) -> None:
    pane = await shell(api)
    async with ui(server) as screen:
        await screen.shows("│$")

        await screen.type("exit")
        await screen.press("enter")

        await screen.shows("Nothing runs here yet.")
        assert pane not in screen.app.link._models


async def test_the_terminals_title_shows_the_roll_up(server: Server, api: Api) -> None:
    written: list[str] = []
    await shell(api)
    async with ui(server) as screen:
        screen.app.outer._write = written.append
        await api.open(
            "/bin/sh", "-c", "printf '\\033]7501;state=working:app=codex\\033\\\\'; cat", agent="codex"
        )

        await screen.until(lambda: "\x1b]2;orca-tui ●1\x07" in written, "the title counts it")


async def test_the_moving_mouse_is_asked_for_only_while_a_visible_child_wants_it(
    server: Server, api: Api
) -> None:
    asked: list[bool] = []
    await shell(api)
    async with ui(server) as screen:
        screen.app.desk._want_motion = asked.append
        await screen.type("printf '\\033[?1003h'")
        await screen.press("enter")
        await screen.until(lambda: asked == [True], "movement is asked for")

        await screen.press("ctrl+b", "c")
        await screen.until(lambda: asked == [True, False], "not for a hidden pane")
        await screen.press("ctrl+b", "p")
        await screen.until(lambda: asked == [True, False, True], "again when it comes back")


async def test_after_falling_behind_only_panes_that_there_are_have_models(server: Server, api: Api) -> None:
    pane = await shell(api)
    async with ui(server) as screen:
        screen.app.link.model("p99")

        screen.app.desk.take(Synced(layout=screen.app.world.layout, panes=tuple(screen.panes().values())))

        assert screen.app.link.known_panes() == {pane}


async def test_the_title_follows_how_far_the_view_is_scrolled_back(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "seq 1 200; read x; seq 1 30; exec cat")
    async with ui(server) as screen:
        await screen.shows("200")
        screen.app.scroll(pane, 20)
        await screen.shows("20 rows back")

        await api.call(TYPE, TypeRequest(pane=pane, text="\r"))

        await screen.shows("51 rows back")


async def test_titles_that_spin_are_drawn_a_few_times_a_second_and_the_last_one_stays(
    server: Server, api: Api
) -> None:
    pane = await shell(api)
    async with ui(server) as screen:
        desk, info, began = screen.app.desk, screen.panes()[pane], asyncio.get_running_loop().time()
        pictures = [desk.scene]
        for number in range(50):
            desk.take(PaneChanged(pane=msgspec.structs.replace(info, title=f"spin {number}")))
            await screen.pilot.pause()
            pictures += [desk.scene] if desk.scene is not pictures[-1] else []

        passed_s = asyncio.get_running_loop().time() - began
        assert len(pictures) <= 3 + passed_s / TITLES_EVERY_S
        await screen.until(lambda: desk.scene.world.panes[pane].title == "spin 49", "the last title")


async def test_a_new_status_is_shown_at_once_also_while_titles_spin(server: Server, api: Api) -> None:
    pane = await shell(api)
    async with ui(server) as screen:
        desk, info = screen.app.desk, screen.panes()[pane]
        for title in ("one", "two"):
            desk.take(PaneChanged(pane=msgspec.structs.replace(info, title=title)))
            await screen.pilot.pause()
        desk._shown_at += 10 * TITLES_EVERY_S

        asks = msgspec.structs.replace(info, title="three", agent="codex", status=Status.WAITING)
        desk.take(PaneChanged(pane=asks))
        await screen.pilot.pause()

        assert desk.scene.world.panes[pane].status is Status.WAITING
        assert "needs you" in screen.text()
