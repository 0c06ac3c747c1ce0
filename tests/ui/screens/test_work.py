"""The work screen: what stands where, at any size."""

from __future__ import annotations

import pytest

from orca_tui.commands.type import TYPE, TypeRequest
from orca_tui.config import Config, Ui
from tests.process.programs import tells_sizes
from tests.server.running import Api, Server
from tests.ui.running import Screen, shell, ui

pytestmark = pytest.mark.anyio

ESCAPE = ("escape",)
OVER_PANES = {
    (): ESCAPE,
    ("s",): ("ctrl+b", "s"),
    **{(key,): ESCAPE for key in ("colon", "D", "left_square_bracket")},
}
"""What opens something over the panes, behind the prefix, and what closes it: without a key the list of keys comes."""


async def test_tabs_sidebar_title_and_hints_stand_around_the_pane(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        await screen.shows("$")
        lines = screen.lines()

        assert lines[0].startswith(" orca-tui  ▲0 ✗0 ●0 ✓0")
        assert lines[1].startswith(" shells ───")
        assert lines[1][30:].startswith("┌─ p1 sh ──")
        assert lines[2].startswith("▌› sh p1")
        assert lines[2][30:].startswith("│$")
        assert lines[-1].startswith(" ctrl+b then")


async def test_splits_are_joined_by_lines(server: Server, api: Api) -> None:
    first = await shell(api)
    second = await shell(api, split="right", beside=first)
    await shell(api, split="down", beside=second)
    async with ui(server) as screen:
        await screen.shows("p3 sh")
        (column,) = screen.app.scene.columns()

        line = [text[column.place.x] for text in screen.lines()[1:-1]]
        assert line[0] == "┬"
        assert line.count("├") == 1
        assert set(line) == {"┬", "├", "│"}


async def test_the_sidebar_is_hidden_and_shown_by_a_key(server: Server, api: Api) -> None:
    pane = await shell(api)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "s")
        await screen.hides("shells")
        await screen.until(lambda: screen.place_of(pane).x == 0, "the pane has its room")
        await screen.until(lambda: screen.panes()[pane].size[0] == 100, "the child is told")

        await screen.press("ctrl+b", "s")
        await screen.shows("shells")


async def test_the_sidebar_moves_and_grows(server: Server, api: Api) -> None:
    pane = await shell(api)
    async with ui(server) as screen:
        await screen.press("ctrl+b", "S")
        await screen.until(lambda: screen.place_of(pane).x == 0, "the sidebar on the right")
        assert screen.find("shells")[0] == 71

        await screen.press("ctrl+b", "greater_than_sign", "greater_than_sign")
        await screen.until(lambda: screen.find("shells")[0] == 67, "a wider sidebar")


async def test_the_sidebars_edge_is_dragged(server: Server, api: Api) -> None:
    pane = await shell(api)
    async with ui(server) as screen:
        await screen.drag((30, 5), (40, 5))

        await screen.until(lambda: screen.place_of(pane).x == 41, "a wider sidebar")


async def test_a_click_on_a_row_of_the_sidebar_goes_there(server: Server, api: Api) -> None:
    first = await shell(api)
    second = await shell(api)
    async with ui(server) as screen:
        assert screen.focused == second

        await screen.click(*screen.find(f"sh {first}"))

        await screen.until(lambda: screen.focused == first, "the pane of that row")


async def test_the_settings_decide_how_the_sidebar_begins(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server, config=Config(ui=Ui(sidebar_width=40, sidebar_side="right"))) as screen:
        await screen.shows("shells")
        assert screen.find("shells")[0] == 61
    async with ui(server, config=Config(ui=Ui(sidebar=False))) as screen:
        await screen.shows("$")
        assert "shells" not in screen.text()


async def test_on_a_narrow_terminal_the_sidebar_lies_over_the_pane(server: Server, api: Api) -> None:
    pane = await shell(api)
    async with ui(server, size=(60, 20)) as screen:
        await screen.shows("$")
        assert screen.place_of(pane).x == 0
        assert "shells" not in screen.text()

        await screen.press("ctrl+b", "s")
        await screen.shows("shells")
        assert screen.place_of(pane).x == 0
        assert screen.app.outer._cursor.place is None

        await screen.press("ctrl+b", "s")
        await screen.hides("shells")


async def test_what_lies_over_a_pane_takes_nothing_of_its_size(server: Server, api: Api) -> None:
    pane = await api.open(*tells_sizes())
    async with ui(server, size=(60, 20)) as screen:
        await screen.until(lambda: screen.panes()[pane].size == (60, 17), "the room that it has")
        sizes, areas = screen.app.scene.sizes(), screen.app.scene.areas

        def covered() -> bool:
            seen = screen.app.scene
            return bool(seen.which_key()) or seen.areas != areas or screen.app.screen is not screen.app.work

        for opened, closed in OVER_PANES.items():
            await screen.press("ctrl+b", *opened)
            await screen.until(covered, f"something over the pane after {opened}")
            await screen.pilot.pause()
            assert screen.app.scene.sizes() == sizes, opened
            await screen.press(*closed)
            await screen.until(lambda: not covered(), f"the pane again after {opened}")

        await api.call(TYPE, TypeRequest(pane=pane, text="told\r"))
        await api.shows(pane, "got told")
        assert (await api.screen(pane)).count("size") <= 2  # At the start, and once it was shown.


async def test_a_choice_in_the_sidebar_over_the_pane_takes_it_away(server: Server, api: Api) -> None:
    first = await shell(api)
    await shell(api)
    async with ui(server, size=(60, 20)) as screen:
        await screen.press("ctrl+b", "s")
        await screen.shows("shells")

        await screen.click(*screen.find(f"sh {first}"))

        await screen.until(lambda: screen.focused == first, "the chosen pane")
        await screen.hides("shells")


async def test_a_key_of_the_list_can_be_clicked(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        await screen.press("ctrl+b")
        await screen.shows("Split right")

        await screen.click(*screen.find("Split right"))

        await screen.until(lambda: len(screen.app.scene.sizes()) == 2, "two panes")
        await screen.hides("Split right")
        assert not screen.app.keyboard.prefixed


@pytest.mark.parametrize("size", [(19, 4), (1, 1), (20, 4), (19, 40)])
async def test_a_terminal_that_is_too_small_says_so_and_recovers(
    server: Server, api: Api, size: tuple[int, int]
) -> None:
    await shell(api)
    async with ui(server, size=size) as screen:
        if size[0] > 10:
            await screen.shows("small")
        await screen.press("x")

        await screen.pilot.resize_terminal(100, 30)

        await screen.shows("p1 sh")
        await screen.shows("$")
        assert "small" not in screen.text()


@pytest.mark.parametrize("size", [(20, 5), (21, 6), (40, 8), (79, 24), (300, 100)])
async def test_every_size_shows_the_pane(server: Server, api: Api, size: tuple[int, int]) -> None:
    first = await shell(api)
    for _ in range(3):
        await shell(api, split="right", beside=first)
        await shell(api, split="down", beside=first)
    async with ui(server, size=size) as screen:
        await screen.until(lambda: bool(screen.app.scene.sizes()), "panes")

        assert len(screen.lines()) == size[1]
        assert {len(line) for line in screen.lines()} == {size[0]}


async def test_a_resize_of_the_terminal_reaches_the_child(server: Server, api: Api) -> None:
    pane = await shell(api)
    async with ui(server) as screen:
        await screen.until(lambda: screen.panes()[pane].size == (69, 27), "the first size")

        await screen.pilot.resize_terminal(140, 45)

        await screen.until(lambda: screen.app.link.model(pane).cols == 109, "the second size")
        await screen.type("stty size")
        await screen.press("enter")
        await screen.shows("42 109")


async def test_a_paste_goes_whole(server: Server, api: Api) -> None:
    received = server.root / "received"
    await api.open("/bin/sh", "-c", f"stty raw -echo; echo READY; head -c 200000 > {received}; echo GOT")
    async with ui(server) as screen:
        await screen.shows("READY")
        text = "0123456789\t\x1b[31m端" * 20_000

        screen.app.work.on_paste(_paste(text))

        await screen.shows("GOT")
        assert received.stat().st_size == 200_000


async def test_ascii_mode_draws_no_other_characters(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server, config=Config(ui=Ui(ascii=True))) as screen:
        await screen.shows("$")
        await screen.press("ctrl+b")
        await screen.shows("Split right")
        assert screen.text().isascii()

        await screen.press("question_mark")
        await screen.shows("Open a shell beside")
        assert screen.text().isascii()

        await screen.press("escape")
        screen.app.say("a word")
        await screen.shows("a word")
        assert screen.text().isascii()


async def test_a_menu_opens_where_the_title_was_clicked(server: Server, api: Api) -> None:
    pane = await shell(api)
    async with ui(server) as screen:
        x, y = screen.place_of(pane).x + 4, screen.place_of(pane).y - 1
        await screen.click(x, y, button=3)
        await screen.shows("Split right")
        assert screen.find("Split right")[0] >= x

        await screen.click(*screen.find("Split down"))

        await screen.until(lambda: len(screen.app.scene.sizes()) == 2, "two panes")


def _paste(text: str):  # type: ignore[no-untyped-def]
    from textual import events

    return events.Paste(text)


async def quiet(screen: Screen) -> int:
    """How often something is drawn while nothing happens for a moment."""
    drawn = 0

    def count() -> None:
        nonlocal drawn
        drawn += 1

    screen.app.post_display_hook = count  # type: ignore[method-assign]
    for _ in range(30):
        await screen.pilot.pause(0.01)
    return drawn


async def test_nothing_is_drawn_while_nothing_happens(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        await screen.shows("$")
        await quiet(screen)

        assert await quiet(screen) == 0


async def test_news_after_the_end_changes_nothing(server: Server, api: Api) -> None:
    await shell(api)
    async with ui(server) as screen:
        await screen.shows("│$")
        scene = screen.app.scene

    screen.app.work.present(scene)

    assert not screen.app.work.is_attached
