"""Yes or no, and a name."""

from __future__ import annotations

from typing import Any

import pytest
from textual import events

from orca_tui.ui.screens.dialog import Dialog
from orca_tui.ui.screens.dialogs import Confirm, Prompt
from tests.ui.examples_app import UNANSWERED, Stage

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("key", "answer"), [("y", True), ("enter", True), ("n", False), ("escape", False), ("q", False)]
)
async def test_a_question_is_answered_by_a_key(key: str, answer: bool) -> None:
    app = Stage()
    async with app.run_test() as pilot:
        await app.ask(Confirm("Close it?", "[b]It[/b] works."))
        assert "[b]It[/b] works." in app.text()

        await pilot.press(key)
        await pilot.pause()

        assert app.answer is answer


async def test_other_keys_leave_the_question_open() -> None:
    app = Stage()
    async with app.run_test() as pilot:
        await app.ask(Confirm("Close it?"))

        await pilot.press("x", "space", "tab", "1")
        await pilot.pause()

        assert app.answer is UNANSWERED


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (["n", "e", "w", "enter"], "new"),
        (["end", "space", "x", "space", "enter"], "old x"),
        (["backspace", "enter"], ""),
        (["n", "escape"], None),
    ],
)
async def test_a_name_is_typed_over_the_old_one(keys: list[str], answer: str | None) -> None:
    app = Stage()
    async with app.run_test() as pilot:
        await app.ask(Prompt("Name", "old"))

        await pilot.press(*keys)
        await pilot.pause()

        assert app.answer == answer


@pytest.mark.parametrize("dialog", [Confirm("Close it?"), Prompt("Name", "old")], ids=["confirm", "prompt"])
async def test_a_second_answer_that_follows_too_fast_leaves_nothing_else(dialog: Dialog[Any]) -> None:
    app = Stage()
    async with app.run_test() as pilot:
        below = app.screen
        await app.ask(dialog)
        for _ in range(3):
            app.post_message(events.Key("enter", "\r"))
        await pilot.pause()

        assert app.answer in (True, "old")
        assert app.screen is below


async def test_a_name_typed_in_one_burst_is_the_answer() -> None:
    app = Stage()
    async with app.run_test() as pilot:
        await app.ask(Prompt("Name", "old"))
        for key in ("ctrl+u", "n", "e", "w", "enter"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        await pilot.pause()

        assert app.answer == "new"
