"""What all dialogs have in common."""

from __future__ import annotations

import pytest
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from orca_tui.ui.screens.dialog import Dialog
from tests.ui.examples_app import Stage

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
