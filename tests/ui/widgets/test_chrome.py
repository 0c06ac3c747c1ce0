"""Lines of our chrome as a widget."""

from __future__ import annotations

import pytest
from textual import events, on
from textual.geometry import Region

from orca_tui.ui.pieces import Piece
from orca_tui.ui.widgets.chrome import Chrome
from tests.ui.examples_app import Stage

pytestmark = pytest.mark.anyio

LINES = [(Piece(text=f"row {number}", target=f"t{number}"), Piece(text=" rest")) for number in range(50)]


class Board(Stage):
    def __init__(self) -> None:
        self.chrome = Chrome()
        super().__init__(self.chrome)
        self.picked: list[tuple[str, int]] = []

    @on(Chrome.Picked)
    def note(self, event: Chrome.Picked) -> None:
        self.picked.append((event.target, event.button))


async def test_lines_are_shown_and_what_is_clicked_is_told() -> None:
    app = Board()
    async with app.run_test(size=(20, 5)) as pilot:
        app.chrome.show(*LINES)
        await pilot.pause()
        assert app.text().splitlines()[3].rstrip() == "row 3 rest"

        await pilot.click(offset=(1, 3))
        await pilot.click(offset=(8, 3))
        await pilot.click(offset=(1, 1), button=3)

        assert app.picked == [("t3", 1), ("t1", 3)]


async def test_more_lines_than_fit_are_scrolled_by_the_wheel() -> None:
    app = Board()
    async with app.run_test(size=(20, 5)) as pilot:
        app.chrome.show(*LINES)
        await pilot._post_mouse_events([events.MouseScrollDown], offset=(1, 1), button=0)  # type: ignore[list-item]
        await pilot.pause()
        assert app.text().splitlines()[0].startswith("row 3")

        await pilot.click(offset=(1, 0))
        assert app.picked == [("t3", 1)]

        for _ in range(20):
            await pilot._post_mouse_events([events.MouseScrollDown], offset=(1, 1), button=0)  # type: ignore[list-item]
        await pilot.pause()
        assert app.text().splitlines()[4].startswith("row 49")


async def test_the_same_lines_again_draw_nothing() -> None:
    app = Board()
    async with app.run_test(size=(20, 5)) as pilot:
        app.chrome.show(*LINES)
        await pilot.pause()
        app.chrome._repaint_regions.clear()

        app.chrome.show(*LINES)

        assert not app.chrome._repaint_regions


async def test_of_other_lines_only_the_rows_that_differ_are_drawn() -> None:
    app = Board()
    async with app.run_test(size=(20, 5)) as pilot:
        app.chrome.show(*LINES)
        await pilot.pause()
        app.chrome._repaint_regions.clear()
        spins = [(Piece(text="spins"),) if row in (1, 3, 30) else line for row, line in enumerate(LINES)]

        app.chrome.show(*spins)

        assert app.chrome._repaint_regions == {Region(0, 1, 20, 1), Region(0, 3, 20, 1)}
        await pilot.pause()
        rows = [row.rstrip() for row in app.text().splitlines()]
        assert rows == ["row 0 rest", "spins", "row 2 rest", "spins", "row 4 rest"]


async def test_fewer_lines_than_were_scrolled_past_are_seen() -> None:
    app = Board()
    async with app.run_test(size=(20, 5)) as pilot:
        app.chrome.show(*LINES)
        for _ in range(10):
            await pilot._post_mouse_events([events.MouseScrollDown], offset=(1, 1), button=0)  # type: ignore[list-item]

        app.chrome.show(*LINES[:3])
        await pilot.pause()

        assert "row 0" in app.text()


async def test_a_revealed_target_is_scrolled_into_sight_and_the_wheel_may_leave_it() -> None:
    app = Board()
    async with app.run_test(size=(20, 5)) as pilot:
        app.chrome.show(*LINES)
        app.chrome.reveal("t20")
        await pilot.pause()
        assert app.text().splitlines()[4].startswith("row 20")

        app.chrome.reveal("t10")
        await pilot.pause()
        assert app.text().splitlines()[0].startswith("row 10")

        await pilot._post_mouse_events([events.MouseScrollDown], offset=(1, 1), button=0)  # type: ignore[list-item]
        app.chrome.reveal("t10")
        await pilot.pause()
        assert app.text().splitlines()[0].startswith("row 13")


async def test_a_smaller_place_still_shows_what_was_revealed() -> None:
    app = Board()
    async with app.run_test(size=(20, 9)) as pilot:
        app.chrome.show(*LINES)
        app.chrome.reveal("t30")
        await pilot.pause()

        await pilot.resize_terminal(20, 3)
        await pilot.pause()

        assert app.text().splitlines()[2].startswith("row 30")
