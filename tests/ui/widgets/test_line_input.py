"""A line of text, edited in the order of its keys."""

from __future__ import annotations

import pytest
from textual import events, on
from textual.app import ComposeResult

from orca_tui.ui.widgets.line_input import LineInput
from tests.ui.examples_app import Stage

pytestmark = pytest.mark.anyio


class Paper(Stage):
    def __init__(self) -> None:
        super().__init__()
        self.submitted: list[str] = []

    def compose(self) -> ComposeResult:
        yield LineInput("old", select_on_focus=False)

    @on(LineInput.Submitted)
    def note(self, event: LineInput.Submitted) -> None:
        self.submitted.append(event.value)


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (["ctrl+u", "n", "e", "w", "enter"], "new"),
        (["end", "backspace", "n", "enter"], "oln"),
        (["home", "x", "right", "y", "enter"], "xoyld"),
    ],
)
async def test_a_burst_of_keys_is_taken_in_its_order(keys: list[str], line: str) -> None:
    app = Paper()
    async with app.run_test() as pilot:
        app.query_one(LineInput).focus()
        await pilot.pause()
        for key in keys:
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        await pilot.pause()

        assert app.submitted == [line]
