"""A picker whose rows change while it is open."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from textual import events
from textual.content import Content

from orca_tui.ui.screens.live_picker import LivePicker
from orca_tui.ui.screens.picker import Choice, Item
from tests.ui.examples_app import Stage

pytestmark = pytest.mark.anyio

SOON_S = 0.02


class Source:
    def __init__(self, *words: str) -> None:
        self.words = words

    async def rows(self) -> Sequence[Item]:
        return [Item(id=word.split()[0], text=Content(word)) for word in self.words]


async def picker(source: Source) -> LivePicker:
    return LivePicker(
        "Rows", await source.rows(), source.rows, empty="Nothing is there.", keys={}, every_s=SOON_S
    )


async def test_rows_follow_what_they_stand_for_and_the_marked_one_stays_marked() -> None:
    app, source = Stage(), Source("a waits", "b waits")
    async with app.run_test() as pilot:
        await app.ask(await picker(source))
        await pilot.press("down")

        source.words = ("c waits", "b went", "a waits")
        while "b went" not in app.text():
            await pilot.pause(SOON_S)
        await pilot.press("enter")
        await pilot.pause()

        assert app.answer == Choice(id="b")


async def test_a_key_that_was_typed_ahead_chooses_from_the_first_rows() -> None:
    app, source = Stage(), Source("a waits", "b waits")
    async with app.run_test() as pilot:
        await app.ask(await picker(source))
        app.post_message(events.Key("enter", "\r"))
        await pilot.pause()

        assert app.answer == Choice(id="a")


async def test_without_rows_it_says_so_until_there_is_one() -> None:
    app, source = Stage(), Source()
    async with app.run_test() as pilot:
        await app.ask(await picker(source))
        await pilot.pause()
        assert "Nothing is there." in app.text()

        source.words = ("a waits",)
        while "a waits" not in app.text():
            await pilot.pause(SOON_S)
        assert "Nothing is there." not in app.text()
        await pilot.press("enter")
        await pilot.pause()

        assert app.answer == Choice(id="a")
