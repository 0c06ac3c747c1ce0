"""A pane on the screen: what is drawn of it, and the mouse in it."""

from __future__ import annotations

import base64
import os
import re
from pathlib import Path

import pytest

from orca_tui.term.input_events import Key, KeyAction, Modifiers
from tests.server.running import Api, Server
from tests.ui.running import Screen, shell, ui

pytestmark = pytest.mark.anyio

MOUSE = "printf '\\033[?1000;1002;1006hREADY'; stty raw -echo; exec cat -v"
LINES = "i=0; while [ $i -lt 300 ]; do echo line $i; i=$((i+1)); done; exec cat"


class Outside(list[str]):
    """What would have been written to the outer terminal beside the screen."""

    def __init__(self, screen: Screen) -> None:
        super().__init__()
        screen.app.outer._write = self.append

    def copied(self) -> str:
        found = re.findall("\x1b]52;c;([^\x07]*)\x07", "".join(self))
        return base64.b64decode(found[-1]).decode() if found else ""


async def test_colours_and_wide_characters_stay_in_their_cells(server: Server, api: Api) -> None:
    text = "\\033[31mred\\033[m 端末 e\\314\\201 👩‍👩‍👧 end"
    await api.open("/bin/sh", "-c", f"printf '{text}'; exec cat")
    async with ui(server) as screen:
        await screen.shows("end")
        x, y = screen.find("red")
        line = screen.lines()[y]

        assert line[x:].startswith("red 端末 e\u0301 👩‍👩‍👧 end")
        assert line[x - 1] == "│"


async def test_a_click_is_told_to_a_child_that_asked_for_the_mouse(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", MOUSE)
    async with ui(server) as screen:
        await screen.shows("READY")
        place = screen.place_of(pane)

        await screen.click(place.x + 4, place.y + 9)
        await screen.shows("^[[<0;5;10M^[[<0;5;10m")

        await screen.drag((place.x, place.y), (place.x + 2, place.y + 1))
        await screen.shows("^[[<0;1;1M^[[<32;3;2M^[[<0;3;2m")


async def test_the_wheel_is_told_to_a_child_that_asked_for_the_mouse(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", MOUSE)
    async with ui(server) as screen:
        await screen.shows("READY")
        place = screen.place_of(pane)

        await screen.wheel(place.x + 1, place.y + 1)

        await screen.shows("^[[<64;2;2M")


async def test_the_wheel_scrolls_the_history_and_typing_comes_back(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", LINES)
    async with ui(server) as screen:
        await screen.shows("line 299")
        place = screen.place_of(pane)

        for _ in range(20):
            await screen.wheel(place.x + 1, place.y + 1)

        await screen.shows("60 rows back")
        await screen.shows("line 215")
        assert "line 299" not in screen.text()
        assert "┃" in screen.text()

        await screen.press("x")
        await screen.shows("line 299")
        await screen.hides("rows back")


async def test_a_modifier_or_a_release_leaves_the_view_where_it_is(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", LINES)
    async with ui(server) as screen:
        await screen.shows("line 299")
        screen.app.scroll(pane, 60)
        await screen.shows("60 rows back")

        screen.app.keyboard.take(Key(key="left_shift", modifiers=Modifiers.SHIFT))
        screen.app.keyboard.take(Key(key="a", action=KeyAction.RELEASE))

        assert screen.app.link.model(pane).offset == 60


async def test_older_rows_than_the_snapshot_has_are_fetched(server: Server, api: Api) -> None:
    pane = await api.open(
        "/bin/sh", "-c", "i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done; exec cat"
    )
    await api.shows(pane, "line 2999")
    async with ui(server) as screen:
        await screen.shows("line 2999")

        screen.app.scroll(pane, 2_900)

        await screen.until(lambda: screen.app.link.model(pane).offset == 2_900, "the view up there")
        await screen.shows("line 100")


async def test_dragging_selects_and_copies(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "printf 'one two three\\nfour five'; exec cat")
    async with ui(server) as screen:
        await screen.shows("four five")
        outside, place = Outside(screen), screen.place_of(pane)

        await screen.drag((place.x + 4, place.y), (place.x + 3, place.y + 1))

        await screen.until(lambda: outside.copied() == "two three\nfour", "the text is copied")
        await screen.shows("14 characters went to")


async def test_a_double_click_copies_a_word_and_a_triple_click_a_line(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "printf 'see src/app.ts now'; exec cat")
    async with ui(server) as screen:
        await screen.shows("src/app.ts")
        outside, place = Outside(screen), screen.place_of(pane)

        await screen.click(place.x + 6, place.y, times=2)
        await screen.until(lambda: outside.copied() == "src/app.ts", "the word is copied")

        await screen.click(place.x + 6, place.y)
        await screen.until(lambda: outside.copied() == "see src/app.ts now", "the line is copied")


async def test_a_single_click_copies_nothing(server: Server, api: Api) -> None:
    pane = await shell(api)
    async with ui(server) as screen:
        await screen.shows("$")
        outside, place = Outside(screen), screen.place_of(pane)

        await screen.click(place.x, place.y)
        await screen.pilot.pause()

        assert outside.copied() == ""


async def test_shift_selects_where_the_child_has_the_mouse(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", MOUSE)
    async with ui(server) as screen:
        await screen.shows("READY")
        outside, place = Outside(screen), screen.place_of(pane)

        await screen.drag((place.x, place.y), (place.x + 3, place.y), shift=True)

        await screen.until(lambda: outside.copied() == "READ", "the text is copied")


async def test_the_outer_cursor_is_where_the_focused_panes_is(server: Server, api: Api) -> None:
    left = await api.open("/bin/sh", "-c", "printf '\\033[5;8H\\033[6 q'; exec cat")
    right = await api.open("/bin/sh", "-c", "printf '\\033[?25lhidden'; exec cat", split="right", beside=left)
    async with ui(server) as screen:
        await screen.shows("hidden")
        assert screen.app.outer._cursor.place is None

        await screen.press("ctrl+b", "left")
        place = screen.place_of(left)
        await screen.until(
            lambda: screen.app.outer._cursor.place == (place.x + 7, place.y + 4),
            "the cursor in the left pane",
        )
        assert screen.app.outer._cursor.shape == 6

        await screen.press("ctrl+b", "question_mark")
        await screen.until(lambda: screen.app.outer._cursor.place is None, "no cursor under a dialog")
        assert right in screen.panes()


async def test_a_pane_that_another_ui_made_larger_is_cropped_to_its_cursor(server: Server, api: Api) -> None:
    far_apart = "read x; printf '\\033[2J\\033[Htop-line\\033[47;1Hbottom-line'; exec cat"
    pane = await api.open("/bin/sh", "-c", far_apart)
    async with ui(server, size=(100, 30)) as small, ui(server, size=(160, 50)) as large:
        await large.press("x")
        await small.until(lambda: small.app.link.model(pane).rows == 47, "the size of the larger one")
        await large.press("enter")

        await large.shows("bottom-line")
        await small.shows("bottom-line")
        await large.shows("top-line")
        assert "top-line" not in small.text()


async def test_beside_a_pane_that_another_ui_made_smaller_there_is_nothing(server: Server, api: Api) -> None:
    pane = await shell(api)
    async with ui(server, size=(140, 40)) as large, ui(server, size=(90, 25)) as small:
        await small.press("x")
        await large.until(lambda: large.app.link.model(pane).rows == 22, "the size of the smaller one")

        await large.until(lambda: large.lines()[30].endswith("···"), "dots outside of the pane")
        assert len(large.lines()[5]) == 140


async def test_a_link_is_opened_by_a_click_with_ctrl_and_by_no_other(
    server: Server, api: Api, tmp_path: Path
) -> None:
    (tmp_path / "xdg-open").write_text(f'#!/bin/sh\necho "$1" >>{tmp_path}/asked\n')
    (tmp_path / "xdg-open").chmod(0o755)
    await api.open("/bin/sh", "-c", "echo go to https://example.org/x now; exec cat")
    path = f"{tmp_path}:{os.environ['PATH']}"
    async with ui(server, PATH=path, DISPLAY=":0") as screen:
        await screen.shows("now")
        x, y = screen.find("https")

        await screen.click(x + 3, y)
        await screen.click(x - 3, y, control=True)
        await screen.click(x + 3, y, control=True)
        await screen.shows("opened https://example.org/x")

        assert (tmp_path / "asked").read_text() == "https://example.org/x\n"
