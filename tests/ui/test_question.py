"""A question before there is a UI: answered by key or mouse."""

from __future__ import annotations

import pytest
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot

from orca_tui.ui.question import Question

pytestmark = pytest.mark.anyio


def asked() -> Question:
    return Question("Restart the server?", "It is another version.", driver_class=HeadlessDriver)


async def click(pilot: Pilot[bool], word: str) -> None:
    """Click where a word stands."""
    await pilot.pause()
    for row, line in enumerate(pilot.app.screen._compositor.render_strips()):
        column = line.text.find(word)
        if column >= 0:
            await pilot.click(offset=(column, row))
            return
    raise AssertionError(f"{word!r} is nowhere")


@pytest.mark.parametrize(("key", "answer"), [("enter", True), ("y", True), ("n", False), ("escape", False)])
async def test_a_key_answers(key: str, answer: bool) -> None:
    app = asked()
    async with app.run_test() as pilot:
        await pilot.press(key)

    assert app.return_value is answer


@pytest.mark.parametrize(("word", "answer"), [("y yes", True), ("n no", False)])
async def test_a_click_answers(word: str, answer: bool) -> None:
    app = asked()
    async with app.run_test() as pilot:
        await click(pilot, word)

    assert app.return_value is answer
