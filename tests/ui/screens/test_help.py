"""All keys."""

from __future__ import annotations

import pytest

from orca_tui.config import Keys
from orca_tui.ui.actions import ACTIONS
from orca_tui.ui.keymap import keymap
from orca_tui.ui.screens.help import Help, help_content
from tests.ui.examples_app import Stage


def test_every_action_with_a_key_is_listed_with_it() -> None:
    made = keymap(Keys(prefix="ctrl+a", bindings={"zoom": "alt+z", "redraw": ""}))

    text = help_content(made).plain

    for action in ACTIONS:
        assert (action.description in text) == bool(made.keys_of(action.id))
    assert "ctrl+a %" in text
    assert "  alt+z" in text


def test_several_keys_of_an_action_share_the_prefix() -> None:
    assert "ctrl+b ctrl+←, alt+←  " in help_content(keymap(Keys())).plain
    assert help_content(keymap(Keys(), ascii_only=True)).plain.isascii()


@pytest.mark.anyio
async def test_the_list_scrolls_when_it_does_not_fit() -> None:
    app = Stage()
    async with app.run_test(size=(100, 20)) as pilot:
        await app.ask(Help(keymap(Keys())))
        await pilot.pause()
        assert "Detach" not in app.text()
        assert "escape leaves" in app.text()

        await pilot.press(*["pagedown"] * 8)
        await pilot.pause()

        assert "Leave; all agents go on working." in app.text()
