"""What all dialogs have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Static

from orca_tui.config import Keys
from orca_tui.ui.keymap import keymap
from orca_tui.ui.screens.compose import Compose
from orca_tui.ui.screens.dialog import Dialog
from orca_tui.ui.screens.dialogs import Confirm, Prompt
from orca_tui.ui.screens.help import Help
from orca_tui.ui.screens.palette import Palette
from orca_tui.ui.screens.picker import Picker
from tests.ui.examples_app import UNANSWERED, Stage

pytestmark = pytest.mark.anyio


class Box(Dialog[None]):
    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog-box"):
            yield Static("in the box")


async def test_what_is_below_stays_visible_around_the_box() -> None:
    below = Static("\n".join(["below " * 20] * 20))
    app = Stage(below)
    async with app.run_test(size=(100, 20)) as pilot:
        await app.ask(Box())
        await pilot.pause()

        text = app.text()
        assert "in the box" in text
        assert text.splitlines()[0].startswith("below below")
        assert text.splitlines()[10].startswith("below")


async def test_the_looks_of_dialogs_are_read_with_the_first_one() -> None:
    app = Stage()
    async with app.run_test():
        before = len(app.stylesheet.source)

        await app.ask(Box())
        first = len(app.stylesheet.source)
        await app.ask(Box())

        assert first > before
        assert len(app.stylesheet.source) == first


DIALOGS: dict[str, Callable[[], Screen[Any]]] = {
    "question": lambda: Confirm("Close it?"),
    "name": lambda: Prompt("Name", "old"),
    "notice": lambda: Compose("To p1"),
    "list": lambda: Picker("Choose", []),
    "keys": lambda: Help(keymap(Keys())),
    "palette": lambda: Palette([]),
}


@pytest.mark.parametrize("name", DIALOGS)
@pytest.mark.parametrize("key", ["ctrl+c", "escape"])
async def test_every_dialog_is_left_by_escape_and_by_ctrl_c(name: str, key: str) -> None:
    app = Stage()
    async with app.run_test() as pilot:
        below = app.screen
        await app.ask(DIALOGS[name]())

        await pilot.press(key)
        await pilot.pause()

        assert app.screen is below
        assert app.answer in (None, False)
        assert app.answer is not UNANSWERED


@pytest.mark.parametrize("size", [(120, 40), (60, 15), (80, 12)])
async def test_what_is_told_meanwhile_covers_nothing_of_a_dialog(size: tuple[int, int]) -> None:
    app = Stage()
    async with app.run_test(size=size, notifications=True) as pilot:
        await app.ask(Help(keymap(Keys())))
        app.notify("/home/me/.config/orca-tui/config.toml:3: no theme 'x' " + "y " * 60, markup=False)
        await pilot.pause()
        while not app.screen.query("Toast"):
            await pilot.pause()
        await pilot.pause()

        (toast,) = app.screen.query("Toast")
        (box,) = app.screen.query(".dialog-box")
        assert toast.region.height > 1
        assert toast.region.bottom <= box.region.y
        assert box.region.bottom <= size[1]
        assert "y y y" in app.text()
        assert "escape leaves" in app.text()
