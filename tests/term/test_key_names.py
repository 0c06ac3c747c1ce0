"""Names of keys, against Textual's own spelling."""

from __future__ import annotations

import string

import pytest
from textual.keys import _character_to_key

from orca_tui.base.errors import Invalid
from orca_tui.term.input_decoder import InputDecoder
from orca_tui.term.input_events import Key, Modifiers
from orca_tui.term.key_names import character_name, key_name, parse_key

CTRL, ALT, SHIFT, SUPER = Modifiers.CTRL, Modifiers.ALT, Modifiers.SHIFT, Modifiers.SUPER

NAMES = [
    ("a", Key(key="a", text="a")),
    ("A", Key(key="a", modifiers=SHIFT, text="A")),
    ("é", Key(key="é", text="é")),
    ("5", Key(key="5", text="5")),
    ("enter", Key(key="enter")),
    ("ctrl+c", Key(key="c", modifiers=CTRL)),
    ("shift+tab", Key(key="tab", modifiers=SHIFT)),
    ("alt+enter", Key(key="enter", modifiers=ALT)),
    ("alt+ctrl+shift+f5", Key(key="f5", modifiers=ALT | CTRL | SHIFT)),
    ("f35", Key(key="f35")),
    ("space", Key(key="space", text=" ")),
    ("ctrl+space", Key(key="space", modifiers=CTRL)),
    ("full_stop", Key(key=".", text=".")),
    ("alt+full_stop", Key(key=".", modifiers=ALT)),
    ("ctrl+slash", Key(key="/", modifiers=CTRL)),
    ("ctrl+backslash", Key(key="\\", modifiers=CTRL)),
    ("ctrl+right_square_bracket", Key(key="]", modifiers=CTRL)),
    ("ctrl+underscore", Key(key="_", modifiers=CTRL)),
    ("ctrl+plus", Key(key="+", modifiers=CTRL)),
    ("less_than_sign", Key(key="<", text="<")),
    ("ctrl+shift+a", Key(key="a", modifiers=CTRL | SHIFT)),
    ("super+k", Key(key="k", modifiers=SUPER)),
    ("kp_1", Key(key="kp_1", text="1")),
    ("kp_enter", Key(key="kp_enter")),
    ("media_play", Key(key="media_play")),
    ("left_shift", Key(key="left_shift")),
]


@pytest.mark.parametrize(("name", "key"), NAMES)
def test_a_name_and_its_key_are_each_others_inverse(name: str, key: Key) -> None:
    assert parse_key(name) == key
    assert key_name(key) == name


@pytest.mark.parametrize(
    "character", [*string.ascii_letters, *string.digits, *string.punctuation, "é", "€", "あ"]
)
def test_characters_are_named_as_textual_names_them(character: str) -> None:
    assert character_name(character) == _character_to_key(character)
    assert parse_key(_character_to_key(character)).text == character


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Ctrl+C", "ctrl+c"),
        ("Ctrl+Shift+C", "ctrl+shift+c"),
        ("alt+F", "alt+shift+f"),
        ("control+c", "ctrl+c"),
        ("shift+ctrl+alt+x", "alt+ctrl+shift+x"),
        ("ctrl++", "ctrl+plus"),
        ("+", "plus"),
        ("ctrl+/", "ctrl+slash"),
        ("Esc", "escape"),
        ("return", "enter"),
        ("PgUp", "pageup"),
        ("option+f", "alt+f"),
        ("cmd+k", "super+k"),
        ("shift+a", "A"),
    ],
)
def test_other_ways_of_writing_mean_the_same_key(written: str, name: str) -> None:
    assert key_name(parse_key(written)) == name


@pytest.mark.parametrize(
    "name", ["", "ctrl", "ctrl+", "hyperspace", "ctrl+alt", "foo+a", "\x1b", "ctrl+ab", "a+b"]
)
def test_what_is_no_name_is_refused_with_the_name(name: str) -> None:
    with pytest.raises(Invalid) as refused:
        parse_key(name)

    assert refused.value.facts == {"key": name}


@pytest.mark.parametrize(
    ("sequence", "name"),
    [
        (b"\x1b[97:65;2;65u", "A"),
        (b"\x1b[47:63;2;63u", "question_mark"),
        (b"\x1b[97;;229u", "å"),
        (b"\x1b[32;2;32u", "shift+space"),
        (b"\x1b[97;69u", "ctrl+a"),
        (b"\x1b[13;130u", "shift+enter"),
        (b"\x1b[1089::99;5u", "ctrl+c"),
        (b"\x1b[0;;128104:8205:128105u", "👨\u200d👩"),
        (b"\xff", "unknown"),
    ],
)
def test_what_a_terminal_sent_is_named_by_what_it_does(sequence: bytes, name: str) -> None:
    (key,) = InputDecoder().decode(sequence)

    assert isinstance(key, Key)
    assert key_name(key) == name


@pytest.mark.parametrize(
    ("name", "merged"),
    [("kp_enter", "enter"), ("kp_1", "1"), ("kp_divide", "slash"), ("ctrl+kp_left", "ctrl+left")],
)
def test_keypad_keys_can_be_named_like_their_twins(name: str, merged: str) -> None:
    assert key_name(parse_key(name), merge_keypad=True) == merged
