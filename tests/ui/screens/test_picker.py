"""One of several things, chosen from a list."""

from __future__ import annotations

import pytest
from textual.content import Content

from orca_tui.ui.screens.picker import Choice, Item, Picker
from tests.ui.examples_app import UNANSWERED, Stage

pytestmark = pytest.mark.anyio

ITEMS = [Item(id=name, text=Content(f"the {name}")) for name in ("first", "second", "third")]


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (["enter"], Choice(id="first")),
        (["down", "enter"], Choice(id="second")),
        (["j", "j", "k", "enter"], Choice(id="second")),
        (["end", "percent_sign"], Choice(id="third", key="%")),
        (["escape"], None),
        (["q"], None),
    ],
)
async def test_a_choice_is_made_by_key(keys: list[str], answer: Choice | None) -> None:
    app = Stage()
    async with app.run_test() as pilot:
        await app.ask(Picker("Choose", ITEMS, keys={"%": "beside"}))

        await pilot.press(*keys)
        await pilot.pause()

        assert app.answer == answer


async def test_a_choice_is_made_by_a_click() -> None:
    app = Stage()
    async with app.run_test() as pilot:
        await app.ask(Picker("Choose", ITEMS))
        await pilot.pause()
        lines = app.text().splitlines()
        y = next(number for number, line in enumerate(lines) if "the second" in line)

        await pilot.click(offset=(lines[y].index("the second") + 2, y))
        await pilot.pause()

        assert app.answer == Choice(id="second")


async def test_an_empty_list_says_so_and_can_only_be_left() -> None:
    app = Stage()
    async with app.run_test() as pilot:
        await app.ask(Picker("Inbox", [], empty="Nothing waits for you.", keys={"n": "new"}))
        assert "Nothing waits for you." in app.text()

        await pilot.press("enter", "n")
        await pilot.pause()
        assert app.answer is UNANSWERED

        await pilot.press("escape")
        await pilot.pause()
        assert app.answer is None


@pytest.mark.parametrize(("at", "expected"), [((10, 5), (10, 5)), ((79, 23), (50, 17)), ((0, 0), (0, 0))])
async def test_a_menu_opens_at_the_pointer_as_far_as_it_has_room(
    at: tuple[int, int], expected: tuple[int, int]
) -> None:
    app = Stage()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.ask(Picker("p1", ITEMS, at=at))
        await pilot.pause()

        box = app.screen.query_one(".dialog-box").region
        assert (box.x, box.y) == expected
        assert box.bottom <= 24
        assert box.right <= 80
