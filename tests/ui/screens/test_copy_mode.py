"""Copy mode of a pane on a real server: keys and mouse in, screen and clipboard out."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest

from orca_tui.commands.type import TYPE, TypeRequest
from orca_tui.ui.copying.mode import State
from orca_tui.ui.outer_terminal import clipboard
from orca_tui.ui.screens.copy_mode import CopyMode, words_of
from orca_tui.ui.selection import Spot
from tests.server.running import Api, Server
from tests.ui.running import Screen, ui

pytestmark = pytest.mark.anyio

LINES = (
    r"for n in $(seq 60); do echo line $n of all; done; echo see https://example.org/x; read x; echo more $x"
)


async def begun(screen: Screen, *keys: str) -> CopyMode:
    """Copy mode, once it is there."""
    await screen.shows("https://example.org/x")
    await screen.press("ctrl+b", *keys)
    await screen.until(lambda: isinstance(screen.app.screen, CopyMode), "copy mode")
    await screen.shows("copy mode" if keys == ("left_square_bracket",) else "text, ctrl+r")
    found = screen.app.screen
    assert isinstance(found, CopyMode)
    return found


def clipboards(screen: Screen) -> list[str]:
    """What goes to the outer terminal's clipboard from now on."""
    texts: list[str] = []
    write: Callable[[str], None] = screen.app.outer._write

    def noted(data: str) -> None:
        if data.startswith(clipboard("")[:7]):
            texts.append(base64.b64decode(data[7:-1]).decode())
        write(data)

    screen.app.outer._write = noted
    return texts


async def test_lines_that_left_the_screen_are_searched_selected_and_copied(server: Server, api: Api) -> None:
    await api.open("/bin/sh", "-c", LINES)
    async with ui(server) as screen:
        copies = clipboards(screen)
        await begun(screen, "slash")
        await screen.type("line 7 ")
        await screen.shows("1 of 1")
        await screen.shows("line 7 of all")
        await screen.press("enter")
        await screen.type("Vjjy")

        await screen.until(lambda: bool(copies), "the clipboard")
        assert copies == ["line 7 of all\nline 8 of all\nline 9 of all"]
        assert screen.app.screen is screen.app.work
        await screen.shows("characters went to the terminal's clipboard")


async def test_output_goes_on_without_moving_what_is_held_still(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", LINES)
    async with ui(server) as screen:
        mode = await begun(screen, "left_square_bracket")
        await screen.press("g", "g")
        await screen.shows("line 1 of all")

        await api.call(TYPE, TypeRequest(pane=pane, text="x\n"))
        await api.shows(pane, "more x")
        await screen.until(lambda: "more x" in screen.app.model_of(pane).text_of(62), "the live pane has it")
        assert screen.app.screen is mode
        assert "more x" not in screen.text()

        await screen.press("q")
        await screen.shows("more x")


async def test_keys_go_to_copy_mode_and_not_to_the_program(server: Server, api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", LINES)
    async with ui(server) as screen:
        await begun(screen, "left_square_bracket")
        await screen.type("jkjk")
        await screen.press("escape")
        await screen.until(lambda: screen.app.screen is screen.app.work, "the work screen")

        await screen.type("end")
        await screen.press("enter")

        await api.shows(pane, "more end")


async def test_the_mouse_scrolls_selects_and_leaves(server: Server, api: Api) -> None:
    await api.open("/bin/sh", "-c", LINES)
    async with ui(server) as screen:
        copies = clipboards(screen)
        mode = await begun(screen, "left_square_bracket")
        x, y = screen.find("line 60")
        await screen.wheel(x, y)
        x, y = screen.find("line 50")
        await screen.drag((x, y), (x + 6, y))
        await screen.press("y")
        await screen.until(lambda: bool(copies), "the clipboard")
        assert copies == ["line 50"]
        assert not mode.is_attached

        await begun(screen, "left_square_bracket")
        await screen.click(2, 0)
        await screen.until(lambda: screen.app.screen is screen.app.work, "the work screen")


async def test_two_clicks_take_a_word_and_three_a_row(server: Server, api: Api) -> None:
    await api.open("/bin/sh", "-c", LINES)
    async with ui(server) as screen:
        copies = clipboards(screen)
        for times, taken in ((2, "https://example.org/x"), (3, "see https://example.org/x")):
            await begun(screen, "left_square_bracket")
            x, y = screen.find("https://")
            await screen.click(x + 3, y, times=times)
            await screen.press("y")
            await screen.until(lambda taken=taken: copies[-1:] == [taken], "the clipboard")


async def test_a_link_without_a_desktop_goes_to_the_clipboard(server: Server, api: Api) -> None:
    await api.open("/bin/sh", "-c", LINES)
    async with ui(server) as screen:
        copies = clipboards(screen)
        await begun(screen, "slash")
        await screen.type("https")
        await screen.press("enter")
        await screen.press("o")

        await screen.until(lambda: bool(copies), "the clipboard")
        assert copies == ["https://example.org/x"]
        await screen.shows("no browser can be started here")


async def test_a_place_without_a_link_is_told(server: Server, api: Api) -> None:
    await api.open("/bin/sh", "-c", LINES)
    async with ui(server) as screen:
        await begun(screen, "left_square_bracket")
        await screen.press("k", "k", "o")

        await screen.shows("there is no link under the cursor")


async def test_all_lines_are_saved_to_a_file(server: Server, api: Api, tmp_path: Path) -> None:
    await api.open("/bin/sh", "-c", LINES)
    async with ui(server) as screen:
        await begun(screen, "left_square_bracket")
        await screen.press("s")
        await screen.shows("Save all lines to")
        await screen.press("ctrl+u")
        await screen.type(str(tmp_path / "all.txt"))
        await screen.press("enter")
        await screen.shows("saved to")

        lines = (tmp_path / "all.txt").read_text().splitlines()
        assert lines[:2] == ["line 1 of all", "line 2 of all"]


async def test_a_file_that_cannot_be_written_is_told(server: Server, api: Api, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    await api.open("/bin/sh", "-c", LINES)
    async with ui(server) as screen:
        await begun(screen, "left_square_bracket")
        await screen.press("s")
        await screen.shows("Save all lines to")
        await screen.press("ctrl+u")
        await screen.type(str(tmp_path / "mine.txt"))
        await screen.press("enter")

        await screen.shows("nothing was saved: File exists")
        assert (tmp_path / "mine.txt").read_text() == "mine"


async def test_all_lines_are_opened_in_the_editor(server: Server, api: Api, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nhead -n 2 "$1"\nread x\n')
    editor.chmod(0o755)
    await api.open("/bin/sh", "-c", LINES)
    async with ui(server, EDITOR=str(editor), XDG_CACHE_HOME=str(tmp_path)) as screen:
        await begun(screen, "left_square_bracket")
        await screen.press("x")

        await screen.until(lambda: screen.focused == "p2", "the editor's pane has the focus")
        await screen.shows("line 2 of all")


async def test_an_editor_that_is_no_command_is_told(server: Server, api: Api, tmp_path: Path) -> None:
    await api.open("/bin/sh", "-c", LINES)
    async with ui(server, EDITOR="vim 'unclosed", XDG_CACHE_HOME=str(tmp_path)) as screen:
        await begun(screen, "left_square_bracket")
        await screen.press("x")

        await screen.shows("$VISUAL or $EDITOR is no command")


@pytest.mark.parametrize("cols", [12, 20, 30, 45, 60, 90])
def test_the_way_out_of_copy_mode_stays_in_a_narrow_pane(cols: int) -> None:
    state = State(cursor=Spot(11, 0), top=0, height=10, wanted_col=0)

    words = words_of(state, cols)

    assert words.endswith("q leave")
    assert len(words) <= cols
    assert ("copy mode   row 12   v select" in words) == (cols > 60)
