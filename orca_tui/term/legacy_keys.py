"""`Key` -> bytes as xterm sends them: DECCKM, DECPAM, DECBKM and modifyOtherKeys. Pure.

Rule 1: a key that types text sends its text; what modifiers made the text is the outer terminal's business.
Rule 2: ctrl makes a control byte where ASCII has one, alt puts ESC in front, a named key has its sequence.
Rule 3: super, hyper and meta are unknown here: keys that would type without them send nothing.
Rule 4: modifyOtherKeys writes what rule 2 cannot tell apart (level 1), or all of rule 2 (level 2).
"""

from __future__ import annotations

import msgspec

from orca_tui.term.engine import InputModes
from orca_tui.term.input_events import Key, KeyAction, Modifiers
from orca_tui.term.key_codes import (
    CONTROL_BYTES,
    KEY_BY_KEYPAD_LETTER,
    KEYPAD_TEXT,
    KEYPAD_TWINS,
    LETTER_BY_KEY,
    LOCKS,
    NUMBER_BY_TEXT_KEY,
    TILDE_BY_KEY,
)

_KEYPAD_LETTER_BY_KEY = {
    name: letter for letter, name in KEY_BY_KEYPAD_LETTER.items() if name.startswith("kp_")
}
_CURSOR_KEYS = frozenset({"up", "down", "left", "right", "home", "end", "kp_begin"})
_PF_KEYS = frozenset({"f1", "f2", "f3", "f4"})
_UNKNOWN_TO_XTERM = Modifiers.SUPER | Modifiers.HYPER | Modifiers.META


def encode_legacy(key: Key, modes: InputModes) -> bytes:
    """What xterm sends for the key; nothing for a release."""
    if key.action is KeyAction.RELEASE:
        return b""
    held = key.modifiers & ~LOCKS
    name = key.key
    if name in _KEYPAD_LETTER_BY_KEY and modes.keypad and not key.modifiers & Modifiers.NUM_LOCK and not held:
        return b"\x1bO" + _KEYPAD_LETTER_BY_KEY[name].encode()
    name = KEYPAD_TWINS.get(name, KEYPAD_TEXT.get(name, name))
    if key.text and name != "space":
        return key.text.encode("utf-8", "replace")
    if name in LETTER_BY_KEY or name in TILDE_BY_KEY:
        return encode_named(name, held, cursor_keys=modes.cursor_keys)
    if len(name) != 1 and name not in NUMBER_BY_TEXT_KEY:
        return b""  # Media keys and bare modifiers have no bytes here.
    return _encode_typed(key, name, held, modes)


def encode_named(name: str, held: Modifiers, *, cursor_keys: bool) -> bytes:
    """A key with a sequence of its own: arrows, editing keys, function keys."""
    parameter = f";{int(held) + 1}" if held else ""
    if (letter := LETTER_BY_KEY.get(name)) is None:
        return f"\x1b[{TILDE_BY_KEY[name]}{parameter}~".encode()
    if parameter:
        return f"\x1b[1{parameter}{letter}".encode()
    ss3 = name in _PF_KEYS or (cursor_keys and name in _CURSOR_KEYS)
    return (b"\x1bO" if ss3 else b"\x1b[") + letter.encode()


def _encode_typed(key: Key, name: str, held: Modifiers, modes: InputModes) -> bytes:
    """A key that types a character, or one of Enter, Tab, Escape, Backspace and space."""
    if held & (Modifiers.CTRL | Modifiers.ALT) and key.base and not name.isascii():
        key, name = msgspec.structs.replace(key, shifted=""), key.base  # A command of another alphabet.
    if modes.modify_other_keys and _is_modified_other(name, held, modes.modify_other_keys):
        code = NUMBER_BY_TEXT_KEY.get(name) or ord(_shifted(key, name, held))
        return f"\x1b[27;{int(held) + 1};{code}~".encode()
    if held & _UNKNOWN_TO_XTERM:
        return b""
    escape = b"\x1b" if held & Modifiers.ALT else b""
    ctrl, shift = bool(held & Modifiers.CTRL), bool(held & Modifiers.SHIFT)
    match name:
        case "enter":
            return escape + b"\r"
        case "escape":
            return escape + b"\x1b"
        case "tab":
            return escape + (b"\x1b[Z" if shift else b"\t")
        case "backspace":
            return escape + (b"\x08" if ctrl != modes.backarrow_sends_backspace else b"\x7f")
        case "space":
            return escape + (b"\x00" if ctrl else b" ")
    return escape + (_control(key, name, held) if ctrl else _shifted(key, name, held).encode())


def _control(key: Key, name: str, held: Modifiers) -> bytes:
    """Ctrl with a character: its control byte, else the character as it is."""
    shifted = _shifted(key, name, held)
    for candidate in (shifted.lower(), name):
        if (byte := CONTROL_BYTES.get(candidate)) is not None:
            return bytes([byte])
    return shifted.encode()


def _shifted(key: Key, name: str, held: Modifiers) -> str:
    """The character with shift applied, as well as it is known."""
    if not held & Modifiers.SHIFT:
        return name
    upper = key.shifted or name.upper()
    return upper if len(upper) == 1 else name


def _is_modified_other(name: str, held: Modifiers, level: int) -> bool:
    """Whether modifyOtherKeys applies; see ModifyOtherKeys in xterm's input.c.

    At level 1 alt alone stays an ESC in front, and ctrl a control byte where there is one.
    """
    if not held or (name == "tab" and held == Modifiers.SHIFT):
        return False
    if name == "backspace":
        return level > 1 and held != Modifiers.CTRL
    if level > 1:
        return held != Modifiers.SHIFT or name in NUMBER_BY_TEXT_KEY
    if name in ("enter", "tab"):
        return held != Modifiers.ALT
    if name == "escape" or not held & ~(Modifiers.SHIFT | Modifiers.ALT):
        return False
    return held != Modifiers.CTRL or name not in CONTROL_BYTES
