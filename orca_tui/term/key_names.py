"""Names of keys as people write them and Textual spells them: `enter`, `ctrl+c`, `alt+shift+f5`, `full_stop`.

`parse_key` and `key_name` are each other's inverse for every key that a name can say.
"""

from __future__ import annotations

import unicodedata

from orca_tui.base.errors import Invalid
from orca_tui.term.input_events import Key, Modifiers
from orca_tui.term.key_codes import (
    COMMANDS,
    KEY_BY_LETTER,
    KEY_BY_NUMBER,
    KEY_BY_TILDE,
    KEYPAD_TEXT,
    KEYPAD_TWINS,
)

MODIFIER_NAMES: dict[str, Modifiers] = {
    "alt": Modifiers.ALT,
    "ctrl": Modifiers.CTRL,
    "hyper": Modifiers.HYPER,
    "meta": Modifiers.META,
    "shift": Modifiers.SHIFT,
    "super": Modifiers.SUPER,
}
"""In the order in which a name has them, which is Textual's."""

ALIASES = {
    "control": "ctrl",
    "option": "alt",
    "cmd": "super",
    "command": "super",
    "esc": "escape",
    "return": "enter",
    "del": "delete",
    "ins": "insert",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "pgdown": "pagedown",
}
"""Other words that people use."""

_TEXTUAL_CHARACTER_NAMES = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
"""Where Textual prefers a shorter name to Unicode's."""

_NAMED_KEYS = frozenset({*KEY_BY_NUMBER.values(), *KEY_BY_LETTER.values(), *KEY_BY_TILDE.values()})


def parse_key(name: str) -> Key:
    """The key of a name: modifiers in any order and a key, joined by `+`; `Invalid` when there is none."""
    *words, last = _split(name)
    modifiers = Modifiers.NONE
    for word in words:
        modifier = MODIFIER_NAMES.get(ALIASES.get(word.lower(), word.lower()))
        if modifier is None:
            raise _no_such_key(name)
        modifiers |= modifier
    known = ALIASES.get(last.lower(), last.lower())
    if known in _NAMED_KEYS:
        return Key(key=known, modifiers=modifiers, text=_typed(known, modifiers))
    character = last if len(last) == 1 else _character_called(known)
    if character is None or not character.isprintable():
        raise _no_such_key(name)
    return _character_key(character, modifiers)


def key_name(key: Key, *, merge_keypad: bool = False) -> str:
    """The name of a key; `merge_keypad` names a keypad key like the key of the main block that it stands for.

    A character that shift helped to type is named by itself (`A`, `question_mark`). Text without a key is its
    own name; what could not be understood has the name `unknown`.
    """
    if not key.key:
        return key.text or "unknown"
    name = key.key
    if merge_keypad:
        name = KEYPAD_TWINS.get(name, KEYPAD_TEXT.get(name, name))
    modifiers = key.modifiers
    if key.text and len(name) == 1:
        name = key.text
        modifiers = Modifiers.NONE
    elif modifiers & COMMANDS and key.base and not name.isascii():
        name = key.base  # A command of another alphabet is called what its key is called on a US layout.
    held = [word for word, modifier in MODIFIER_NAMES.items() if modifiers & modifier]
    return "+".join([*held, character_name(name)])


def character_name(character: str) -> str:
    """A character as Textual names its key: itself if a letter or digit, else Unicode's name for it."""
    if character == " ":
        return "space"
    if len(character) != 1 or character.isalnum():
        return character
    name = unicodedata.name(character, character).lower().replace("-", "_").replace(" ", "_")
    return _TEXTUAL_CHARACTER_NAMES.get(name, name)


def _split(name: str) -> list[str]:
    """Words between `+`, where the last may be `+` itself."""
    if name == "+" or name.endswith("++"):
        return [word for word in name[:-1].split("+") if word] + ["+"]
    return name.split("+")


def _character_key(character: str, modifiers: Modifiers) -> Key:
    lower = character.lower()
    if lower != character and len(lower) == 1:
        shift = Modifiers.NONE if modifiers & Modifiers.CTRL else Modifiers.SHIFT
        character, modifiers = lower, modifiers | shift  # Ctrl+C has always meant ctrl+c.
    text = "" if modifiers & COMMANDS else character
    if text and modifiers & Modifiers.SHIFT and len(text.upper()) == 1:
        text = text.upper()
    return Key(key=character, modifiers=modifiers, text=text)


def _typed(name: str, modifiers: Modifiers) -> str:
    if modifiers & COMMANDS:
        return ""
    return " " if name == "space" else KEYPAD_TEXT.get(name, "")


def _character_called(name: str) -> str | None:
    for character in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~":
        if character_name(character) == name:
            return character
    try:
        return unicodedata.lookup(name.replace("_", " "))
    except KeyError:
        return None


def _no_such_key(name: str) -> Invalid:
    return Invalid(f"no key is called {name!r}; write it like `enter`, `ctrl+c`, `alt+f5` or `a`", key=name)
