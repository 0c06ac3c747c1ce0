"""Widgets that keep what they have drawn."""

from __future__ import annotations

import pytest
from textual.geometry import Region
from textual.strip import Strip

from orca_tui.ui.widgets.still import Still
from tests.ui.examples_app import Stage

pytestmark = pytest.mark.anyio


class Word(Still):
    DEFAULT_CSS = "Word { background: red; } Word.-blue { background: blue; }"

    def __init__(self) -> None:
        super().__init__()
        self.rendered = 0
        self.word = "before"

    def render_line(self, y: int) -> Strip:
        self.rendered += 1
        return super().render_line(y)

    def render(self) -> str:
        return self.word


async def test_what_was_drawn_is_kept_until_a_refresh() -> None:
    word = Word()
    async with Stage(word).run_test(size=(20, 3)) as pilot:
        await pilot.pause()
        whole, rendered = Region(0, 0, *word.size), word.rendered
        assert word.render_lines(whole) is word.render_lines(whole)
        assert word.rendered == rendered

        word.word = "after"
        word.refresh()

        assert word.render_lines(whole)[0].text.startswith("after")


async def test_another_look_is_drawn() -> None:
    word = Word()
    async with Stage(word).run_test(size=(20, 3)) as pilot:
        await pilot.pause()
        whole = Region(0, 0, *word.size)
        before = word.render_lines(whole)

        word.add_class("-blue")
        await pilot.pause()

        assert word.render_lines(whole) is not before


async def test_another_size_is_drawn() -> None:
    word = Word()
    async with Stage(word).run_test(size=(20, 3)) as pilot:
        await pilot.pause()
        assert len(word.render_lines(Region(0, 0, *word.size))) == 3

        await pilot.resize_terminal(30, 5)
        await pilot.pause()

        lines = word.render_lines(Region(0, 0, *word.size))
        assert [line.cell_length for line in lines] == [30] * 5


async def test_a_part_is_drawn_as_that_part() -> None:
    word = Word()
    async with Stage(word).run_test(size=(20, 3)) as pilot:
        await pilot.pause()

        (line,) = word.render_lines(Region(2, 0, 3, 1))

        assert line.text == "for"


async def test_another_theme_is_drawn() -> None:
    word = Word()
    app = Stage(word)
    async with app.run_test(size=(20, 3)) as pilot:
        await pilot.pause()
        whole = Region(0, 0, *word.size)
        before = word.render_lines(whole)

        app.theme = "textual-light"
        await pilot.pause()

        assert word.render_lines(whole) is not before
