"""Key sequences -> `Key`: legacy, rxvt, Linux console, modifyOtherKeys and the kitty protocol. Pure functions.

Framing (where a sequence ends) is `input_decoder.py`'s; None here means "no key that anybody knows".
"""

from __future__ import annotations

import msgspec

from orca_tui.term.input_events import Key, KeyAction, Modifiers
from orca_tui.term.key_codes import (
    COMMANDS,
    KEY_BY_KEYPAD_LETTER,
    KEY_BY_LETTER,
    KEY_BY_NUMBER,
    KEY_BY_TILDE,
    KEYPAD_TEXT,
    LINUX_FUNCTION_KEYS,
    RXVT_ARROWS,
    RXVT_SUFFIXES,
)

Fields = tuple[tuple[int | None, ...], ...]
"""CSI parameters: fields between `;`, sub-fields between `:`; None where one is absent or no number."""

KITTY_REPORT_TEXT = 16
"""The kitty flag with which every key that types text says so."""

OTHER_KEYS = 27
"""First parameter of modifyOtherKeys: `CSI 27 ; modifiers ; code ~`."""

MAX_MODIFIERS = 256
"""All eight modifiers held, plus one."""

ACTIONS = {2: KeyAction.REPEAT, 3: KeyAction.RELEASE}

_UNSHIFTED_CONTROLS = {0: "space", 28: "\\", 29: "]", 30: "^", 31: "_"}


def character_key(character: str, modifiers: Modifiers = Modifiers.NONE) -> Key:
    """The key that types `character`; under ctrl, alt and the like the key is a command and types nothing."""
    text = "" if modifiers & COMMANDS else character
    if character == " ":
        return Key(key="space", modifiers=modifiers, text=text)
    lower = character.lower()
    if lower != character and len(lower) == 1 and lower.upper() == character:
        return Key(key=lower, modifiers=modifiers | Modifiers.SHIFT, text=text)
    return Key(key=character, modifiers=modifiers, text=text)


def control_key(byte: int, *, backspace: int) -> Key:
    """The key of a C0 byte or DEL; `backspace` is the byte that the terminal's Backspace sends (8 or 127)."""
    if byte == backspace or byte == 127:
        return Key(key="backspace")
    if byte in (9, 13, 27):
        return Key(key=KEY_BY_NUMBER[byte])
    name = _UNSHIFTED_CONTROLS.get(byte) or chr(ord("a") + byte - 1)
    return Key(key=name, modifiers=Modifiers.CTRL)


def with_alt(key: Key) -> Key:
    """The key with alt held too, as an ESC before its bytes says in a legacy terminal."""
    return msgspec.structs.replace(key, modifiers=key.modifiers | Modifiers.ALT, text="")


def parse_ss3(modifier: str, letter: str) -> Key | None:
    """`SS3 letter`, or `SS3 modifier letter` as older terminals write it."""
    held = _modifiers(int(modifier[:3])) if modifier else Modifiers.NONE
    if letter in KEY_BY_LETTER:
        return Key(key=KEY_BY_LETTER[letter], modifiers=held)
    if letter in RXVT_ARROWS:
        return Key(key=RXVT_ARROWS[letter], modifiers=held | Modifiers.CTRL)
    if (name := KEY_BY_KEYPAD_LETTER.get(letter)) is not None:
        return Key(key=name, modifiers=held, text="" if held & COMMANDS else KEYPAD_TEXT.get(name, ""))
    return None


def parse_linux_function_key(letter: str) -> Key | None:
    """The Linux console's `CSI [ letter`."""
    name = LINUX_FUNCTION_KEYS.get(letter)
    return Key(key=name) if name else None


def parse_csi(fields: Fields, final: str, *, kitty_flags: int | None) -> Key | None:
    """The key in a CSI sequence without prefix; `kitty_flags` are the outer terminal's, None if unknown."""
    first = fields[0][0]
    if final == "u":
        return _parse_numbered(fields, kitty_flags)
    if final == "~" and first == OTHER_KEYS and len(fields) == 3:
        return _parse_other_key(fields)
    if final == "~" or final in RXVT_SUFFIXES:
        return _named(KEY_BY_TILDE.get(first or 0), fields, extra=RXVT_SUFFIXES.get(final, Modifiers.NONE))
    if final == "Z":
        return _named("tab", fields, extra=Modifiers.SHIFT)
    if final in RXVT_ARROWS and fields == ((None,),):
        return Key(key=RXVT_ARROWS[final], modifiers=Modifiers.SHIFT)
    if final in KEY_BY_LETTER:
        return _parse_lettered(KEY_BY_LETTER[final], fields)
    return None


def _parse_lettered(name: str, fields: Fields) -> Key | None:
    """`CSI letter`, `CSI 1 ; modifiers letter`, and `CSI modifiers letter` (xterm's older form)."""
    if len(fields) == 1 and (fields[0][0] or 1) != 1:
        return _named(name, ((1,), fields[0]))
    return _named(name, fields)


def _named(name: str | None, fields: Fields, extra: Modifiers = Modifiers.NONE) -> Key | None:
    """A key with a name; its modifiers and its action are in the second field."""
    if name is None:
        return None
    held, action = _second_field(fields)
    text = _typed(fields, action)
    return Key(key=name, modifiers=held | extra, action=action, text=text)


def _parse_other_key(fields: Fields) -> Key | None:
    """modifyOtherKeys; its code is the character with shift applied."""
    code = fields[2][0]
    held, action = _second_field(fields)
    if code is None or (character := _character(code)) is None:
        return None
    if code in KEY_BY_NUMBER and code != ord(" "):
        return Key(key=KEY_BY_NUMBER[code], modifiers=held, action=action)
    return msgspec.structs.replace(character_key(character, held), action=action)


def _parse_numbered(fields: Fields, kitty_flags: int | None) -> Key | None:
    """`CSI code:shifted:base ; modifiers:action ; text u`; code 0 is text without a key."""
    code = fields[0][0]
    held, action = _second_field(fields)
    text = _typed(fields, action)
    if code == 0 and text:
        return Key(key="", text=text, modifiers=held, action=action)
    if code is None or (name := _key_of(code)) is None:
        return None
    shifted, base = (_alternate(fields, place) for place in (1, 2))
    if name.isupper() and len(name.lower()) == 1:
        name, shifted, held = name.lower(), shifted or name, held | Modifiers.SHIFT
    key = Key(key=name, modifiers=held, text=text, shifted=shifted, base=base, action=action)
    tells_text = kitty_flags is not None and bool(kitty_flags & KITTY_REPORT_TEXT)
    return _with_text(key, tells_text=tells_text)


def _with_text(key: Key, *, tells_text: bool) -> Key:
    """Settle `text`: drop what a command does not type, add what a terminal that tells no text leaves out."""
    plain = {" "} if key.key == "space" else {key.key, key.shifted, key.key.upper()} - {""}
    command = bool(key.modifiers & COMMANDS)
    if command and key.text in plain:
        return msgspec.structs.replace(key, text="")
    if command or key.text or tells_text or key.action is KeyAction.RELEASE:
        return key
    if key.key == "space":
        return msgspec.structs.replace(key, text=" ")
    if key.key in KEYPAD_TEXT:
        return msgspec.structs.replace(key, text=KEYPAD_TEXT[key.key])
    if len(key.key) != 1:
        return key
    shift = bool(key.modifiers & Modifiers.SHIFT)
    caps = bool(key.modifiers & Modifiers.CAPS_LOCK) and key.key.isalpha()
    upper = key.shifted or key.key.upper()
    return msgspec.structs.replace(key, text=upper if shift != caps and len(upper) == 1 else key.key)


def _second_field(fields: Fields) -> tuple[Modifiers, KeyAction]:
    if len(fields) < 2:
        return Modifiers.NONE, KeyAction.PRESS
    action = ACTIONS.get(fields[1][1] or 1, KeyAction.PRESS) if len(fields[1]) > 1 else KeyAction.PRESS
    return _modifiers(fields[1][0]), action


def _modifiers(number: int | None) -> Modifiers:
    """Modifiers are written as one more than their bits; a number that cannot be means none."""
    return Modifiers(number - 1) if number is not None and 1 <= number <= MAX_MODIFIERS else Modifiers.NONE


def _typed(fields: Fields, action: KeyAction) -> str:
    """The text in the third field of a kitty key, without controls."""
    if len(fields) < 3 or action is KeyAction.RELEASE:
        return ""
    characters = (_character(code) for code in fields[2] if code is not None)
    return "".join(c for c in characters if c is not None and c >= " " and not "\x7f" <= c <= "\x9f")


def _alternate(fields: Fields, place: int) -> str:
    if len(fields[0]) <= place or (code := fields[0][place]) is None:
        return ""
    return _character(code) or ""


def _key_of(code: int) -> str | None:
    """The key of a kitty number: a name, else the character; controls and unassigned private numbers are none."""
    if (name := KEY_BY_NUMBER.get(code)) is not None:
        return name
    if code < 32 or 127 <= code < 160 or 57344 <= code <= 63743:
        return None
    return _character(code)


def _character(code: int) -> str | None:
    """The character of a code point; surrogates and numbers beyond Unicode are none."""
    return chr(code) if 0 <= code < 0xD800 or 0xE000 <= code <= 0x10FFFF else None


def is_cursor_report(fields: Fields) -> bool:
    """Whether `CSI ... R` cannot be F3: `CSI 1 ; modifiers R` is the only form that a key has."""
    if len(fields) != 2:
        return False
    row, column = fields[0][0], fields[1][0]
    return row != 1 or column is None or not 1 <= column <= MAX_MODIFIERS or len(fields[1]) > 2
