"""The table of all agents."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from orca_tui.status.record import Status
from orca_tui.ui.screens.dashboard import Dashboard
from orca_tui.ui.symbols import UNICODE
from orca_tui.wire import PaneInfo
from tests.fakes import FakeClock
from tests.ui.examples import NOW, pane
from tests.ui.examples_app import Stage

pytestmark = pytest.mark.anyio

PANES = [
    pane("p1", Status.DONE, turns=7, cpu_percent=3.0, rss_bytes=50 << 20),
    pane("p2", Status.WAITING, turns=2, cpu_percent=None, message="[red]run it?[/red]", name="端末" * 20),
    pane("p3", Status.WORKING, turns=9, cpu_percent=88.4, rss_bytes=2 << 30, tool="edit"),
]


async def measured() -> Sequence[PaneInfo]:
    return PANES


def order(app: Stage) -> list[str]:
    words = [line.replace("│", " ").split() for line in app.text().splitlines()]
    return [word[0] for word in words if word and word[0] in ("p1", "p2", "p3")]


async def test_rows_have_what_is_known_and_a_dash_for_what_is_not() -> None:
    app = Stage()
    async with app.run_test(size=(140, 30)) as pilot:
        await app.ask(Dashboard(measured, lambda _: "web", UNICODE, FakeClock(NOW)))
        await pilot.pause()

        text = app.text()
        assert order(app) == ["p2", "p3", "p1"]
        assert "● working" in text
        assert "88%   2.0G  edit" in text
        assert "-      -  [red]run it?[/red]" in text


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("s", ["p2", "p3", "p1"]),
        ("t", ["p3", "p1", "p2"]),
        ("c", ["p3", "p1", "p2"]),
        ("m", ["p3", "p1", "p2"]),
    ],
)
async def test_rows_are_sorted_by_what_one_asks_for(key: str, expected: list[str]) -> None:
    app = Stage()
    async with app.run_test(size=(140, 30)) as pilot:
        await app.ask(Dashboard(measured, lambda _: "web", UNICODE, FakeClock(NOW)))

        await pilot.press(key)
        await pilot.pause()

        assert order(app) == expected


async def test_enter_goes_to_the_marked_pane_which_stays_marked_when_the_order_changes() -> None:
    app = Stage()
    async with app.run_test(size=(140, 30)) as pilot:
        await app.ask(Dashboard(measured, lambda _: "web", UNICODE, FakeClock(NOW)))
        await pilot.press("down", "down", "t", "enter")
        await pilot.pause()

        assert app.answer == "p1"
