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


async def test_plain_shells_stand_below_the_agents_and_are_called_so() -> None:
    shell = pane("p1", Status.UNKNOWN, agent=None, title="~/src")
    idle = pane("p2", Status.IDLE)

    async def panes() -> Sequence[PaneInfo]:
        return [shell, idle]

    app = Stage()
    async with app.run_test(size=(140, 30)) as pilot:
        await app.ask(Dashboard(panes, lambda _: "web", UNICODE, FakeClock(NOW)))
        await pilot.pause()

        assert order(app) == ["p2", "p1"]
        assert "› shell" in app.text()
        assert "unknown" not in app.text()


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


@pytest.mark.parametrize(
    ("size", "head"),
    [
        ((140, 30), ["pane", "name", "workspace", "status", "since", "turns", "cpu", "memory", "about"]),
        ((80, 12), ["pane", "name", "status", "since", "turns", "cpu", "memory"]),
        ((60, 15), ["pane", "name", "status", "since"]),
    ],
)
async def test_a_row_is_one_line_and_every_key_is_shown_at_any_width(
    size: tuple[int, int], head: list[str]
) -> None:
    app = Stage()
    async with app.run_test(size=size) as pilot:
        await app.ask(Dashboard(measured, lambda _: "web", UNICODE, FakeClock(NOW)))
        await pilot.pause()
        lines = [line.replace("│", " ") for line in app.text().splitlines()]
        at = next(number for number, line in enumerate(lines) if line.split()[:2] == ["pane", "name"])

        assert lines[at].split() == head
        assert [line.split()[0] for line in lines[at + 1 : at + 4]] == ["p2", "p3", "p1"]
        text = " ".join(" ".join(lines).split())
        assert "s by status t by turns c by cpu m by memory escape leave" in text


async def test_columns_come_back_when_the_terminal_grows() -> None:
    app = Stage()
    async with app.run_test(size=(60, 15)) as pilot:
        await app.ask(Dashboard(measured, lambda _: "web", UNICODE, FakeClock(NOW)))
        await pilot.resize_terminal(140, 30)
        await pilot.pause()

        assert "about" in app.text()
