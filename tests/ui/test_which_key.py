"""The keys after the prefix, in columns."""

from __future__ import annotations

from orca_tui.config import Keys
from orca_tui.ui.actions import ACTIONS
from orca_tui.ui.keymap import keymap
from orca_tui.ui.pieces import target_at, width_of
from orca_tui.ui.symbols import ASCII, UNICODE
from orca_tui.ui.which_key import which_key_lines

KEYMAP = keymap(Keys())


def texts(cols: int, rows: int) -> list[str]:
    lines = which_key_lines(KEYMAP, cols=cols, rows=rows, symbols=UNICODE)
    return ["".join(piece.text for piece in line) for line in lines]


def test_every_action_is_there_with_its_key() -> None:
    shown = "\n".join(texts(200, 40))

    assert "% Split right" in shown
    assert "d Detach" in shown
    assert "Tab 0 to 9" in shown


def test_lines_fill_the_width_and_keep_to_the_height() -> None:
    for cols in (20, 80, 133):
        lines = which_key_lines(KEYMAP, cols=cols, rows=12, symbols=UNICODE)
        assert len(lines) <= 12
        assert {width_of(line) for line in lines} == {cols}


def test_a_click_means_the_action() -> None:
    lines = which_key_lines(KEYMAP, cols=120, rows=30, symbols=UNICODE)

    assert target_at(lines[1], texts(120, 30)[1].index("Split")) == "split_right"


def test_no_room_is_no_list() -> None:
    assert texts(80, 1) == []


def test_ascii_terminals_get_ascii() -> None:
    lines = which_key_lines(keymap(Keys(), ascii_only=True), cols=120, rows=30, symbols=ASCII)

    assert all(piece.text.isascii() for line in lines for piece in line)


def test_where_not_all_keys_have_room_the_last_place_tells_how_many_more_there_are() -> None:
    shown = texts(80, 10)
    everything = texts(200, 40)

    entries = sum(action.title in "".join(everything) for action in ACTIONS)
    assert f"? Help, with {entries - 2 * 9} more" in shown[-1]
    lines = which_key_lines(KEYMAP, cols=80, rows=10, symbols=UNICODE)
    assert target_at(lines[-1], shown[-1].index("Help, with")) == "help"
