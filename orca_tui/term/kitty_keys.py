"""`Key` -> bytes of the kitty keyboard protocol, by the flags that the child pushed. Pure.

Source: kitty's keyboard-protocol page and its key_encoding.c where the page is silent. One thing differs: Caps
Lock and Num Lock are told only with flag 8, since children that ask for less expect plain keys with them on.
"""

from __future__ import annotations

import msgspec

from orca_tui.term.engine import InputModes
from orca_tui.term.input_events import Key, KeyAction, Modifiers
from orca_tui.term.key_codes import (
    KEY_BY_NUMBER,
    KEYPAD_TEXT,
    KEYPAD_TWINS,
    LETTER_BY_KEY,
    LOCKS,
    MODIFIER_KEYS,
    TILDE_BY_KEY,
)
from orca_tui.term.legacy_keys import encode_legacy

DISAMBIGUATE, REPORT_EVENTS, REPORT_ALTERNATES, REPORT_ALL, REPORT_TEXT = 1, 2, 4, 8, 16

_NUMBER_BY_KEY = {name: number for number, name in KEY_BY_NUMBER.items()}
_TILDE_NUMBERS = {name: number for name, number in TILDE_BY_KEY.items() if name not in _NUMBER_BY_KEY} | {
    "f3": 13  # `CSI R` would be a cursor report.
}
_LETTERS = {name: letter for name, letter in LETTER_BY_KEY.items() if name != "f3"}
_LEGACY_KEYS = frozenset({"enter", "tab", "backspace"})
_ACTION_NUMBERS = {KeyAction.PRESS: 1, KeyAction.REPEAT: 2, KeyAction.RELEASE: 3}


def encode_kitty(key: Key, modes: InputModes) -> bytes:
    """The key under `modes.kitty_flags`, which are not 0."""
    flags = modes.kitty_flags
    if not _is_reported(key, flags):
        return b""
    if not flags & REPORT_ALL:
        key = msgspec.structs.replace(key, modifiers=key.modifiers & ~LOCKS)
        if key.action is not KeyAction.RELEASE and _is_plain(key, flags):
            return encode_legacy(key, modes)
    if not key.key and not flags & REPORT_TEXT:
        return key.text.encode("utf-8", "replace")
    action = key.action if flags & REPORT_EVENTS else KeyAction.PRESS
    return _serialize(key, action, flags)


def _is_reported(key: Key, flags: int) -> bool:
    """Releases need flag 2; bare modifiers, and the releases of keys that shells live on, need flag 8."""
    if key.action is KeyAction.RELEASE:
        if not flags & REPORT_EVENTS or not key.key:
            return False
        if key.key in _LEGACY_KEYS and not flags & REPORT_ALL:
            return False
    return key.key not in MODIFIER_KEYS or bool(flags & REPORT_ALL)


def _is_plain(key: Key, flags: int) -> bool:
    """Whether a press or repeat is sent as in a legacy terminal, without flag 8."""
    if key.text:
        return True
    if not key.modifiers and (key.key in _LEGACY_KEYS or key.key == "space" or len(key.key) == 1):
        return True
    if flags & DISAMBIGUATE or (flags & REPORT_EVENTS and key.action is not KeyAction.PRESS):
        return False
    return not (flags & REPORT_ALTERNATES and len(key.key) == 1 and _alternates(key))


def _serialize(key: Key, action: KeyAction, flags: int) -> bytes:
    """`CSI number:shifted:base ; modifiers:action ; text final`, each field only where it says something."""
    name = key.key if flags & DISAMBIGUATE else KEYPAD_TWINS.get(key.key, KEYPAD_TEXT.get(key.key, key.key))
    numbered = _number(name)
    if numbered is None:
        return b""
    number, final = numbered
    first = str(number)
    if flags & REPORT_ALTERNATES and len(name) == 1:
        first += _alternates(key)
    second = _second(key.modifiers, action)
    third = ""
    if flags & REPORT_TEXT and flags & REPORT_ALL and action is not KeyAction.RELEASE:
        third = ":".join(str(ord(character)) for character in key.text)
    fields = [first, second, third]
    while len(fields) > 1 and not fields[-1]:
        fields.pop()
    if fields == ["1"] and final != "~":
        fields = [""]
    return f"\x1b[{';'.join(fields)}{final}".encode()


def _number(name: str) -> tuple[int, str] | None:
    """A key's number and final byte; text without a key is 0."""
    if name in _LETTERS:
        return 1, _LETTERS[name]
    if name in _TILDE_NUMBERS:
        return _TILDE_NUMBERS[name], "~"
    if name in _NUMBER_BY_KEY:
        return _NUMBER_BY_KEY[name], "u"
    if not name:
        return 0, "u"
    return (ord(name), "u") if len(name) == 1 else None


def _second(modifiers: Modifiers, action: KeyAction) -> str:
    if action is not KeyAction.PRESS:
        return f"{int(modifiers) + 1}:{_ACTION_NUMBERS[action]}"
    return str(int(modifiers) + 1) if modifiers else ""


def _alternates(key: Key) -> str:
    """`:shifted:base`; the shifted key only while shift is held, and made up where it can be."""
    shifted = ""
    if key.modifiers & Modifiers.SHIFT:
        candidates = (key.shifted, key.text, key.key.upper())
        shifted = next((c for c in candidates if len(c) == 1 and c != key.key), "")
    base = str(ord(key.base)) if len(key.base) == 1 and key.base != key.key else ""
    if not shifted and not base:
        return ""
    return f":{ord(shifted) if shifted else ''}" + (f":{base}" if base else "")
