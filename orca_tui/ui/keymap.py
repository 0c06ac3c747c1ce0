"""Which key does what: the table's keys, changed by the settings. Pure; knows no widget.

Rule 1: a key of the settings takes that key from the action that has it by default.
Rule 2: two actions that the settings give the same key are an error, and so is a key that cannot be pressed.
Rule 3: a key without the prefix must not be one that types text: it would be taken from every program.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

import msgspec

from orca_tui.base.errors import Invalid
from orca_tui.config import Keys
from orca_tui.term.input_events import Key
from orca_tui.term.key_names import key_name, parse_key
from orca_tui.ui.actions import ACTIONS, ACTIONS_BY_ID

AFTER_PREFIX = "prefix "

SHORT_NAMES = {
    "percent_sign": "%",
    "quotation_mark": '"',
    "comma": ",",
    "full_stop": ".",
    "colon": ":",
    "question_mark": "?",
    "exclamation_mark": "!",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "ampersand": "&",
    "dollar_sign": "$",
    "vertical_line": "|",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "left_parenthesis": "(",
    "right_parenthesis": ")",
    "semicolon": ";",
    "plus": "+",
    "asterisk": "*",
    "equals_sign": "=",
    "underscore": "_",
    "tilde": "~",
    "circumflex_accent": "^",
    "at": "@",
    "number_sign": "#",
    "backslash": "\\",
    "apostrophe": "'",
    "grave_accent": "`",
    "minus": "-",
    "slash": "/",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
}
"""How people read keys; arrows only where the terminal can show them."""


class Keymap(msgspec.Struct, frozen=True, kw_only=True):
    """Names of keys as `key_name` spells them, to ids of actions."""

    prefix: str
    after_prefix: Mapping[str, str]
    direct: Mapping[str, str]
    ascii_only: bool = False
    """How keys are shown to people."""

    def keys_of(self, action: str) -> tuple[str, ...]:
        """How an action is reached, each as settings write it."""
        after = [f"{AFTER_PREFIX}{key}" for key, one in self.after_prefix.items() if one == action]
        direct = [key for key, one in self.direct.items() if one == action]
        return (*after, *direct)

    def shown(self, key: str) -> str:
        """A key for people: `%` for `percent_sign`."""
        return shown(key, ascii_only=self.ascii_only)

    def pressed(self, key: str) -> str:
        """A key of `keys_of` as it is pressed: `ctrl+b %`."""
        after = key.removeprefix(AFTER_PREFIX)
        return f"{self.shown(self.prefix)} {self.shown(after)}" if after != key else self.shown(key)


def names(key: Key) -> tuple[str, ...]:
    """What a pressed key may be called in a keymap, best first.

    A letter of another alphabet is also called what its key is called on a US layout.
    """
    own = key_name(key, merge_keypad=True)
    if key.base and key.base != key.key:
        return own, key_name(replace_key(key), merge_keypad=True)
    return (own,)


def replace_key(key: Key) -> Key:
    """The same press on a US layout."""
    return Key(key=key.base, modifiers=key.modifiers, text=key.base if key.text else "")


def canonical(text: str) -> str:
    """A key of the settings as `key_name` spells it; raises `Invalid` naming the nearest key."""
    return key_name(parse_key(text), merge_keypad=True)


def shown(key: str, *, ascii_only: bool = False) -> str:
    """A key of a keymap for people: `%` for `percent_sign`."""
    *held, last = key.split("+")
    short = SHORT_NAMES.get(last, last)
    return "+".join([*held, short if short.isascii() or not ascii_only else last])


def keymap(settings: Keys, *, ascii_only: bool = False) -> Keymap:
    """The keymap of the settings; raises `Invalid` with the place (`$.keys...`) at its end."""
    prefix = _checked(settings.prefix, "$.keys.prefix").name
    chosen = {action: tuple(_chosen(action, keys)) for action, keys in settings.bindings.items()}
    taken = _taken(chosen)
    after_prefix: dict[str, str] = {}
    direct: dict[str, str] = {}
    for action in ACTIONS:
        own = chosen.get(action.id)
        keys = own if own is not None else [one for one in map(_chord, action.keys) if one not in taken]
        for key in keys:
            (after_prefix if key.after_prefix else direct)[key.name] = action.id
    return Keymap(prefix=prefix, after_prefix=after_prefix, direct=direct, ascii_only=ascii_only)


class _Chord(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    after_prefix: bool


def _chord(text: str) -> _Chord:
    return _Chord(name=canonical(text.removeprefix(AFTER_PREFIX)), after_prefix=text.startswith(AFTER_PREFIX))


def _chosen(action: str, keys: str | list[str]) -> Iterable[_Chord]:
    place = f"$.keys.bindings.{action}"
    if action not in ACTIONS_BY_ID:
        raise Invalid(f"no action is called {action!r}{_nearest(action, ACTIONS_BY_ID)} - at `{place}`")
    for text in [keys] if isinstance(keys, str) else keys:
        if text:
            yield _checked(text, place)


def _checked(text: str, place: str) -> _Chord:
    try:
        chord = _chord(text)
    except Invalid as error:
        raise Invalid(f"{error.message} - at `{place}`") from error
    if not chord.after_prefix and _types_text(text):
        raise Invalid(f"{text!r} alone would be taken from every program - at `{place}`")
    return chord


def _taken(chosen: Mapping[str, tuple[_Chord, ...]]) -> set[_Chord]:
    """The keys that the settings give away (Rules 1 and 2)."""
    owners: dict[_Chord, str] = {}
    for action, keys in chosen.items():
        for key in keys:
            if owners.setdefault(key, action) != action:
                raise Invalid(
                    f"{shown(key.name)!r} is given to {owners[key]} and to {action} - at `$.keys.bindings.{action}`"
                )
    return set(owners)


def _types_text(text: str) -> bool:
    return bool(parse_key(text).text) or text in ("enter", "backspace", "tab", "escape")


def _nearest(word: str, words: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, list(words), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
