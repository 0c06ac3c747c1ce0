"""Which key does what, by the table and by the settings."""

from __future__ import annotations

import pytest

from orca_tui.base.errors import Invalid
from orca_tui.config import Keys
from orca_tui.term.input_events import Key, Modifiers
from orca_tui.ui.actions import ACTIONS
from orca_tui.ui.keymap import keymap, names, shown

DEFAULT = keymap(Keys())


def test_every_key_of_the_table_is_its_actions_own() -> None:
    chords = [key for action in ACTIONS for key in action.keys]

    assert len(chords) == len(set(chords))
    assert {DEFAULT.after_prefix[name] for name in DEFAULT.after_prefix} == {one.id for one in ACTIONS}


def test_keys_are_found_as_they_are_pressed() -> None:
    percent = Key(key="5", modifiers=Modifiers.SHIFT, text="%", shifted="%")

    assert [DEFAULT.after_prefix.get(name) for name in names(percent)] == ["split_right"]
    assert DEFAULT.after_prefix[names(Key(key="up", modifiers=Modifiers.CTRL))[0]] == "resize_up"


def test_a_key_of_another_alphabet_is_found_by_its_place() -> None:
    cyrillic = Key(key="с", text="с", base="c")
    command = Key(key="и", modifiers=Modifiers.CTRL, base="b")

    assert any(DEFAULT.after_prefix.get(name) == "new_tab" for name in names(cyrillic))
    assert DEFAULT.prefix in names(command)


def test_the_settings_give_an_action_other_keys() -> None:
    made = keymap(Keys(bindings={"split_right": ["prefix |", "alt+v"]}))

    assert made.keys_of("split_right") == ("prefix vertical_line", "alt+v")
    assert "percent_sign" not in made.after_prefix


def test_a_key_that_the_settings_give_away_is_taken_from_its_owner() -> None:
    made = keymap(Keys(bindings={"zoom": "prefix x"}))

    assert made.after_prefix["x"] == "zoom"
    assert made.keys_of("close_pane") == ()


def test_an_empty_key_takes_an_actions_keys_away() -> None:
    made = keymap(Keys(bindings={"detach": ""}))

    assert made.keys_of("detach") == ()
    assert "d" not in made.after_prefix


def test_another_prefix() -> None:
    assert keymap(Keys(prefix="ctrl+a")).prefix == "ctrl+a"
    assert keymap(Keys(prefix="f12")).prefix == "f12"


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        (
            Keys(bindings={"split_rigth": "prefix v"}),
            "no action is called 'split_rigth'; did you mean 'split_right'? - at `$.keys.bindings.split_rigth`",
        ),
        (Keys(bindings={"zoom": "prefix hyper+foo"}), "no key is called 'hyper+foo'"),
        (Keys(bindings={"zoom": "z"}), "'z' alone would be taken from every program"),
        (Keys(bindings={"zoom": "enter"}), "'enter' alone would be taken from every program"),
        (Keys(bindings={"zoom": "prefix v", "help": "prefix v"}), "'v' is given to zoom and to help"),
        (Keys(prefix="a"), "'a' alone would be taken from every program - at `$.keys.prefix`"),
    ],
)
def test_keys_that_cannot_be_used_are_errors_with_their_place(keys: Keys, reason: str) -> None:
    with pytest.raises(Invalid) as raised:
        keymap(keys)

    assert reason in raised.value.message
    assert "- at `$.keys." in raised.value.message


@pytest.mark.parametrize(
    ("key", "text", "ascii_text"),
    [
        ("percent_sign", "%", "%"),
        ("ctrl+left", "ctrl+←", "ctrl+left"),
        ("alt+f5", "alt+f5", "alt+f5"),
        ("question_mark", "?", "?"),
    ],
)
def test_keys_are_shown_as_people_know_them(key: str, text: str, ascii_text: str) -> None:
    assert shown(key) == text
    assert shown(key, ascii_only=True) == ascii_text


def test_keys_are_written_as_they_are_pressed() -> None:
    assert DEFAULT.pressed("prefix percent_sign") == "ctrl+b %"
    assert DEFAULT.pressed("alt+left") == "alt+←"
    assert keymap(Keys(), ascii_only=True).pressed("alt+left") == "alt+left"
