"""All keys."""

from __future__ import annotations

import pytest

from orca_tui.config import Keys
from orca_tui.ui.actions import ACTIONS
from orca_tui.ui.keymap import Keymap, keymap
from orca_tui.ui.screens.help import Help, help_lines
from tests.ui.examples_app import Stage


def plain(keys: Keymap, cells: int) -> list[str]:
    return [line.plain for line in help_lines(keys, cells)]


def test_every_action_with_a_key_is_listed_with_it() -> None:
    made = keymap(Keys(prefix="ctrl+a", bindings={"zoom": "alt+z", "redraw": ""}))

    text = "\n".join(plain(made, 150))

    for action in ACTIONS:
        assert (action.description in text) == bool(made.keys_of(action.id))
    assert "ctrl+a %" in text
    assert "  alt+z" in text


def test_several_keys_of_an_action_share_the_prefix() -> None:
    assert "ctrl+b ctrl+←, alt+←  " in "\n".join(plain(keymap(Keys()), 100))
    assert "\n".join(plain(keymap(Keys(), ascii_only=True), 100)).isascii()


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


def test_what_a_key_does_stays_beside_it_or_stands_below_it_where_that_is_narrow() -> None:
    made = keymap(Keys())

    beside = plain(made, 66)
    below = plain(made, 40)

    at = next(number for number, line in enumerate(beside) if "Give the keyboard to the pane left" in line)
    assert beside[at + 1].strip() == "this one."
    assert beside[at + 1].index("this") == beside[at].index("Give")
    at = below.index("  ctrl+b %")
    assert below[at + 1] == "      Open a shell beside the focused"
    tables = [lines[: lines.index("")] for lines in (beside, below)]
    assert max(map(len, tables[0])) <= 66
    assert max(map(len, tables[1])) <= 40
