"""Drawing at once: the private names of Textual that it leans on, and the ordinary way without them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from rich.console import Console
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.screen import ModalScreen, Screen
from textual.strip import Strip
from textual.widget import Widget

from orca_tui.ui import fast_paint
from orca_tui.ui.fast_paint import RowsUpdate, available, paint

pytestmark = pytest.mark.anyio


class Board(Widget):
    """Counts how often each of its rows was drawn."""

    DEFAULT_CSS = "Board { width: 10; height: 4; }"

    def __init__(self) -> None:
        super().__init__()
        self.word = "before"

    def render_lines(self, crop: Region) -> list[Strip]:
        return [Strip.blank(crop.width) if y else Strip([], 0) for y in crop.line_range]


class BoardApp(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.board = Board()
        self.updates = 0
        self.composed: list[bool] = []
        """Of each update, whether Textual's compositor made it."""

    def compose(self) -> ComposeResult:
        yield self.board

    def _display(self, screen: Screen[Any], renderable: Any) -> None:
        self.composed.append(not isinstance(renderable, RowsUpdate))
        super()._display(screen, renderable)

    def post_display_hook(self) -> None:
        self.updates += 1


async def test_textual_has_what_drawing_at_once_needs() -> None:
    app = BoardApp()
    async with app.run_test():
        assert available(app.screen)


@pytest.mark.parametrize("name", ["_compositor_refresh", "_dirty_widgets", "_repaint_regions"])
async def test_a_missing_name_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = BoardApp()
    async with app.run_test():
        monkeypatch.setattr(fast_paint, "SCREEN_NAMES", (*fast_paint.SCREEN_NAMES, f"{name}_of_the_future"))

        assert not available(app.screen)


async def test_a_region_is_drawn_before_anything_else_happens() -> None:
    app = BoardApp()
    async with app.run_test() as pilot:
        await pilot.pause()
        before = app.updates

        paint(app.screen, {app.board: [Region(0, 1, 10, 1)]})

        assert app.updates == before + 1
        assert not app.screen._compositor._dirty_regions


async def test_what_waited_for_textuals_own_update_is_drawn_along() -> None:
    app = BoardApp()
    async with app.run_test() as pilot:
        await pilot.pause()
        other = app.screen
        app.screen._dirty_widgets.add(other)
        other._repaint_regions.add(Region(0, 0, 5, 1))

        paint(app.screen, {app.board: [Region(0, 1, 10, 1)]})

        assert not other._repaint_regions


@pytest.mark.parametrize("held_by", ["batch", "names"])
async def test_otherwise_the_widget_is_refreshed_the_ordinary_way(
    held_by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = BoardApp()
    async with app.run_test() as pilot:
        await pilot.pause()
        before = app.updates
        if held_by == "names":
            monkeypatch.setattr(fast_paint, "SCREEN_NAMES", ("no_such_name",))
            paint(app.screen, {app.board: [Region(0, 1, 10, 1)]})
        else:
            with app.batch_update():
                paint(app.screen, {app.board: [Region(0, 1, 10, 1)]})
        assert app.updates == before

        async with asyncio.timeout(20):
            while app.updates == before:
                await pilot.pause()


async def test_rows_that_nothing_lies_on_are_written_as_they_are() -> None:
    app = BoardApp()
    async with app.run_test() as pilot:
        await pilot.pause()

        paint(app.screen, {app.board: [Region(0, 1, 10, 1)]})

        assert app.composed[-1] is False


async def test_rows_are_written_where_they_are_on_the_screen() -> None:
    app = BoardApp()
    async with app.run_test() as pilot:
        app.board.styles.offset = (3, 2)
        await pilot.pause()
        update = RowsUpdate([(app.board, app.board.region, [Region(0, 1, 10, 2)])])

        assert update.render_segments(Console()) == f"\x1b[4;4H{' ' * 10}\x1b[5;4H{' ' * 10}"


@pytest.mark.parametrize("how", ["covered", "cut off", "beside"])
async def test_rows_under_another_widget_or_cut_off_are_composed(how: str) -> None:
    app = BoardApp()
    async with app.run_test(size=(20, 8)) as pilot:
        other = Board()
        other.styles.layer = "above"
        app.screen.styles.layers = ("default", "above")
        if how == "cut off":
            app.board.styles.offset = (15, 0)
        else:
            await app.screen.mount(other)
            other.styles.offset = (9, 0) if how == "covered" else (10, 0)
        await pilot.pause()

        paint(app.screen, {app.board: [Region(0, 1, 5, 1)]})

        assert app.composed[-1] is (how != "beside")


async def test_rows_under_a_dialog_that_lets_them_shine_through_are_composed_with_it() -> None:
    app = BoardApp()
    async with app.run_test() as pilot:
        await pilot.pause()
        below = app.screen
        await app.push_screen(ModalScreen())
        await pilot.pause()
        assert below.is_current  # As Textual calls one that shines through.
        app.composed.clear()

        paint(below, {app.board: [Region(0, 1, 10, 1)]})
        async with asyncio.timeout(20):
            while not app.composed:
                await pilot.pause()

        assert all(app.composed)
