"""Every dialog on the smallest terminals: what is to be done and how to leave is on the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from textual.content import Content
from textual.screen import Screen

from orca_tui.config import Keys
from orca_tui.ui.keymap import keymap
from orca_tui.ui.screens.compose import Compose
from orca_tui.ui.screens.dashboard import Dashboard
from orca_tui.ui.screens.dialogs import Confirm, Prompt
from orca_tui.ui.screens.filter_picker import FilterPicker
from orca_tui.ui.screens.help import Help
from orca_tui.ui.screens.live_picker import LivePicker
from orca_tui.ui.screens.picker import Item, Picker
from orca_tui.ui.symbols import UNICODE
from orca_tui.wire import PaneInfo
from tests.fakes import FakeClock
from tests.ui.examples_app import Stage

pytestmark = pytest.mark.anyio

SIZES = [(20, 5), (40, 6), (20, 9), (40, 10), (20, 24), (100, 30)]
LONG = "It is in the middle of a turn, and what it has begun would be left half done. " * 3
ITEMS = [Item(id=f"i{at}", text=Content(f"item {at}")) for at in range(9)]


async def rows() -> Sequence[Item]:
    return ITEMS


async def panes() -> Sequence[PaneInfo]:
    return [PaneInfo(pane=f"p{at}", agent="claude") for at in range(9)]


DIALOGS: dict[str, tuple[Callable[[], Screen[Any]], tuple[str, ...]]] = {
    "question": (lambda: Confirm("Close p1 sh?", "Its program is ended."), ("Close p1 sh?", "y yes", "n no")),
    "long question": (lambda: Confirm("Close p1 claude, which is working?", LONG), ("y yes", "n no")),
    "name": (lambda: Prompt("Name of the workspace", "api"), ("Name of the", "api", "enter takes it")),
    "notice": (lambda: Compose("Notice for claude (p1)"), ("Notice for", "It gets this", "enter")),
    "list": (lambda: Picker("Items", ITEMS), ("Items", "item 0", "enter choose")),
    "explained list": (
        lambda: Picker("Items", ITEMS, about=LONG),
        ("Items", "It is", "item 0", "enter choose"),
    ),
    "live list": (lambda: LivePicker("Items", ITEMS, rows, empty="", keys={}), ("item 0", "enter choose")),
    "found list": (lambda: FilterPicker("Items", ITEMS, keys={}), ("type to find", "item 0", "enter choose")),
    "table": (
        lambda: Dashboard(panes, lambda _: "w", UNICODE, FakeClock()),
        ("Agents", "pane", "p0", "enter go there"),
    ),
    "help": (lambda: Help(keymap(Keys())), ("Keys", "escape leaves")),
}


@pytest.mark.parametrize("name", DIALOGS)
async def test_what_is_asked_and_how_to_answer_is_on_the_smallest_screens(name: str) -> None:
    make, words = DIALOGS[name]
    app = Stage()
    async with app.run_test() as pilot:
        await app.ask(make())
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await pilot.pause()

            lost = [word for word in words if word not in app.text()]
            assert not lost, f"{size}: {lost} in\n{app.text()}"


async def test_a_long_question_scrolls() -> None:
    app = Stage()
    async with app.run_test(size=(20, 5)) as pilot:
        await app.ask(Confirm("Close p1?", "begin " + "and so on " * 20 + "end"))
        assert "end" not in app.text()

        await pilot.press(*["down"] * 40)
        await pilot.pause()

        assert "end" in app.text()
        assert "y yes" in app.text()
