"""Words in place of panes."""

from __future__ import annotations

import pytest

from orca_tui.config import Keys
from orca_tui.ui.keymap import keymap
from orca_tui.ui.widgets.notes import EmptyNote
from tests.ui.examples_app import Stage

pytestmark = pytest.mark.anyio


async def test_the_keys_that_open_something_are_those_of_the_settings() -> None:
    note = EmptyNote()
    app = Stage(note)
    async with app.run_test(size=(60, 20)) as pilot:
        note.show(keymap(Keys(prefix="ctrl+a", bindings={"new_tab": "alt+n", "detach": ""})), 0)
        await pilot.pause()

        text = app.text()
        assert "Nothing runs here yet." in text
        assert "alt+n   New tab" in text
        assert "ctrl+a a   Open an agent" in text
        assert "Detach" not in text
        assert "Restore" not in text


@pytest.mark.parametrize(
    ("panes", "told"), [(1, "a session of 1 pane is saved"), (3, "a session of 3 panes")]
)
async def test_a_saved_session_is_offered_with_its_key(panes: int, told: str) -> None:
    note = EmptyNote()
    app = Stage(note)
    async with app.run_test(size=(60, 20)) as pilot:
        note.show(keymap(Keys()), panes)
        await pilot.pause()

        assert told in app.text()
        assert "ctrl+b R   Restore a session" in app.text()


async def test_before_the_keys_are_known_nothing_is_said() -> None:
    app = Stage(EmptyNote())
    async with app.run_test(size=(60, 20)):
        assert app.text().strip() == ""
