"""A picker that is narrowed by typing."""

from __future__ import annotations

import pytest
from textual import events
from textual.content import Content
from textual.widgets import OptionList

from orca_tui.ui.screens.filter_picker import FilterPicker, matching
from orca_tui.ui.screens.picker import Choice, Item
from tests.ui.examples_app import UNANSWERED, Stage

pytestmark = pytest.mark.anyio

ITEMS = [
    Item(id="opencode", text=Content("opencode  OpenCode")),
    Item(id="claude", text=Content("claude  Claude Code")),
    Item(id="codex", text=Content("codex  Codex")),
    Item(id="kj", text=Content("kj q")),
    Item(id="pi", text=Content("pi  npm install"), enabled=False),
]


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (["enter"], Choice(id="opencode")),
        (["down", "enter"], Choice(id="claude")),
        (["c", "o", "d", "enter"], Choice(id="codex")),
        (["c", "o", "d", "percent_sign"], Choice(id="codex", key="%")),
        (["x", "backspace", "c", "l", "enter"], Choice(id="claude")),
        (["j", "enter"], Choice(id="kj")),
        (["q", "enter"], Choice(id="kj")),
        (["p", "i", "enter"], UNANSWERED),
        (["n", "o", "n", "e", "enter"], UNANSWERED),
        (["c", "escape"], None),
        (["c", "ctrl+c"], None),
    ],
)
async def test_what_is_typed_narrows_the_choice(keys: list[str], answer: object) -> None:
    app = Stage()
    async with app.run_test() as pilot:
        await app.ask(FilterPicker("Choose", ITEMS, keys={"%": "beside"}))
        await pilot.press(*keys)
        await pilot.pause()

        assert app.answer == answer


async def test_what_is_typed_in_one_burst_chooses_what_it_names() -> None:
    app = Stage()
    async with app.run_test() as pilot:
        await app.ask(FilterPicker("Choose", ITEMS, keys={}))
        for key, character in (("c", "c"), ("o", "o"), ("d", "d"), ("e", "e"), ("x", "x"), ("enter", "\r")):
            app.post_message(events.Key(key, character))
        await pilot.pause()

        assert app.answer == Choice(id="codex")


@pytest.mark.parametrize("way", ["enter", "percent_sign", "click"])
async def test_what_cannot_be_chosen_says_why_and_stays(way: str) -> None:
    app = Stage()
    told: list[str] = []
    lacking = Item(id="pi", text=Content("pi"), enabled=False, why_not="pi is not installed: npm install")
    async with app.run_test() as pilot:
        await app.ask(FilterPicker("Choose", [*ITEMS[:2], lacking], keys={"%": "beside"}, refuse=told.append))
        await pilot.press("p", "i")
        if way == "click":
            await pilot.click(OptionList, offset=(2, 0))
        else:
            await pilot.press(way)
        await pilot.pause()

        assert told == ["pi is not installed: npm install"]
        assert app.answer is UNANSWERED


async def test_only_what_matches_is_shown() -> None:
    app = Stage()
    async with app.run_test() as pilot:
        await app.ask(FilterPicker("Choose", ITEMS, keys={}))
        await pilot.press(*"zzz")
        await pilot.pause()
        assert "Nothing is called that." in app.text()
        assert "codex" not in app.text()


def test_all_words_must_match_and_what_begins_so_stands_first() -> None:
    assert [item.id for item in matching(ITEMS, "co")] == ["codex", "opencode", "claude"]
    assert [item.id for item in matching(ITEMS, "code cl")] == ["claude"]
    assert [item.id for item in matching(ITEMS, "  ")] == [item.id for item in ITEMS]
