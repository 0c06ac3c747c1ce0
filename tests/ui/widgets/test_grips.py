"""What can be dragged."""

from __future__ import annotations

import pytest
from textual import events, on

from orca_tui.ui.geometry import Joint
from orca_tui.ui.symbols import ASCII, UNICODE
from orca_tui.ui.widgets.grips import Grip, PaneTitle, VerticalLine
from tests.ui.examples_app import Stage

pytestmark = pytest.mark.anyio


class Board(Stage):
    def __init__(self, *widgets: Grip) -> None:
        super().__init__(*widgets)
        self.moves: list[tuple[tuple[int, int], tuple[int, int]]] = []
        self.presses: list[tuple[str, int]] = []

    @on(Grip.Moved)
    def note_move(self, event: Grip.Moved) -> None:
        self.moves.append((event.start, event.at))

    @on(PaneTitle.Pressed)
    def note_press(self, event: PaneTitle.Pressed) -> None:
        self.presses.append((event.title.pane, event.button))


async def test_a_drag_is_told_cell_by_cell_also_outside_of_the_grip() -> None:
    line = VerticalLine(UNICODE)
    app = Board(line)
    async with app.run_test(size=(20, 5)) as pilot:
        line.styles.width = 1
        await pilot.pause()
        await pilot.mouse_down(offset=(0, 1))
        for x in (3, 3, 7):
            await pilot._post_mouse_events([events.MouseMove], offset=(x, 2), button=1)  # type: ignore[list-item]
        await pilot.mouse_up(offset=(7, 2))
        await pilot._post_mouse_events([events.MouseMove], offset=(9, 2), button=0)  # type: ignore[list-item]

        assert app.moves == [((0, 1), (3, 2)), ((0, 1), (7, 2))]


async def test_the_right_button_drags_nothing() -> None:
    app = Board(VerticalLine(UNICODE))
    async with app.run_test(size=(20, 5)) as pilot:
        await pilot.mouse_down(offset=(0, 1), button=3)
        await pilot._post_mouse_events([events.MouseMove], offset=(0, 3), button=3)  # type: ignore[list-item]

        assert app.moves == []


async def test_a_title_tells_that_it_was_pressed_and_is_a_grip_too() -> None:
    app = Board(PaneTitle("p4"))
    async with app.run_test(size=(20, 5)) as pilot:
        await pilot.mouse_down(offset=(3, 0))
        await pilot._post_mouse_events([events.MouseMove], offset=(3, 2), button=1)  # type: ignore[list-item]
        await pilot.mouse_up(offset=(3, 2))

        assert app.presses == [("p4", 1)]
        assert app.moves == [((3, 0), (3, 2))]


@pytest.mark.parametrize(("symbols", "drawn"), [(UNICODE, "┬┤├┼│"), (ASCII, "++++|")])
async def test_a_line_is_joined_to_the_titles_that_meet_it(symbols: object, drawn: str) -> None:
    line = VerticalLine(symbols)  # type: ignore[arg-type]
    app = Board(line)
    async with app.run_test(size=(20, 5)):
        line.show(
            (
                Joint(left=True, right=True),
                Joint(left=True),
                Joint(right=True),
                Joint(left=True, right=True),
                Joint(),
            )
        )

        assert "".join(line.render_line(y).text for y in range(5)) == drawn


async def test_the_part_beside_the_focused_pane_looks_different() -> None:
    line = VerticalLine(UNICODE)
    async with Board(line).run_test(size=(20, 5)):
        line.show((Joint(), Joint(focused=True)))

        plain, focused = (next(iter(line.render_line(y))).style for y in range(2))

        assert plain is not None
        assert focused is not None
        assert plain.color != focused.color
