"""Drawing at once: the private names of Textual that it leans on, and the ordinary way without them."""

from __future__ import annotations

import asyncio

import pytest
from textual.app import App
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from orca_tui.ui import fast_paint
from orca_tui.ui.fast_paint import available, paint

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

    def compose(self):  # type: ignore[no-untyped-def]
        yield self.board

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
