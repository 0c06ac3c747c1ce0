"""Clicks that belong together."""

from __future__ import annotations

from orca_tui.ui.clicks import CLICK_S, Clicks
from orca_tui.ui.selection import Spot, Unit
from tests.fakes import FakeClock

HERE, THERE = Spot(3, 4), Spot(3, 5)


def test_clicks_on_one_cell_grow_and_begin_anew() -> None:
    clicks = Clicks(FakeClock())

    assert [clicks.press(HERE) for _ in range(4)] == [Unit.CELL, Unit.WORD, Unit.LINE, Unit.CELL]


def test_another_cell_and_a_late_click_begin_anew() -> None:
    clock = FakeClock()
    clicks = Clicks(clock)
    clicks.press(HERE)

    assert clicks.press(THERE) is Unit.CELL
    clock.jump(2 * CLICK_S)
    assert clicks.press(THERE) is Unit.CELL


def test_after_forgetting_the_next_click_is_a_first_one() -> None:
    clicks = Clicks(FakeClock())
    clicks.press(HERE)

    clicks.forget()

    assert clicks.press(HERE) is Unit.CELL
