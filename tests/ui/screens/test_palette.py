"""The command palette's entries."""

from __future__ import annotations

import asyncio

import pytest

from orca_tui.config import Keys
from orca_tui.status.record import Status
from orca_tui.ui.actions import ACTIONS
from orca_tui.ui.keymap import keymap
from orca_tui.ui.screens.palette import Palette, entries
from orca_tui.ui.which_key import DIGIT_ACTIONS
from tests.server.running import LIMIT_S
from tests.ui.examples import layout_of, pane, world_of
from tests.ui.examples_app import Stage

WORLD = world_of(layout_of((("p1", "p2"),)), pane("p1"), pane("p2", Status.DONE, name="docs"))


def test_every_action_and_every_pane_is_there() -> None:
    done: list[str] = []
    found = {
        entry.title: entry for entry in entries(WORLD, keymap(Keys()), run=done.append, focus=done.append)
    }

    assert set(found) == {
        *(action.title for action in ACTIONS if action.id not in DIGIT_ACTIONS),
        "Go to p1 claude",
        "Go to p2 docs",
    }
    assert found["Zoom"].help.endswith("(ctrl+b z)")
    assert found["Go to p2 docs"].help == "done"
    found["Zoom"].chosen()
    found["Go to p1 claude"].chosen()
    assert done == ["zoom", "p1"]


@pytest.mark.anyio
async def test_an_entry_is_found_by_its_letters_and_run() -> None:
    done: list[str] = []
    app = Stage()
    async with app.run_test(size=(100, 30)) as pilot:
        await app.ask(Palette(list(entries(WORLD, keymap(Keys()), run=done.append, focus=done.append))))
        await pilot.press(*"docs")
        async with asyncio.timeout(LIMIT_S):
            while "Go to p2" not in app.text():
                await pilot.pause(0.01)

            await pilot.press("enter", "enter")
            while not done:
                await pilot.pause(0.01)

        assert done == ["p2"]
        assert len(app.screen_stack) == 1
