"""Our kitty encoding against libghostty's own, over a whole keyboard."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from pyghostty._ffi import ffi, lib

from orca_tui.term.engine import InputModes
from orca_tui.term.input_encoder import encode
from orca_tui.term.input_events import Key, KeyAction, Modifiers

SHIFTED = dict(zip("`1234567890-=[]\\;',./", '~!@#$%^&*()_+{}|:"<>?', strict=True))
"""The characters of a US keyboard that are no letters."""

PUNCTUATION = {
    "`": "BACKQUOTE",
    "\\": "BACKSLASH",
    "[": "BRACKET_LEFT",
    "]": "BRACKET_RIGHT",
    ",": "COMMA",
    "=": "EQUAL",
    "-": "MINUS",
    ".": "PERIOD",
    "'": "QUOTE",
    ";": "SEMICOLON",
    "/": "SLASH",
}
NAMED = {
    "enter": "ENTER",
    "tab": "TAB",
    "backspace": "BACKSPACE",
    "escape": "ESCAPE",
    "insert": "INSERT",
    "delete": "DELETE",
    "pageup": "PAGE_UP",
    "pagedown": "PAGE_DOWN",
    "home": "HOME",
    "end": "END",
    "up": "ARROW_UP",
    "down": "ARROW_DOWN",
    "left": "ARROW_LEFT",
    "right": "ARROW_RIGHT",
    "kp_enter": "NUMPAD_ENTER",
    "kp_up": "NUMPAD_UP",
    "left_shift": "SHIFT_LEFT",
    **{f"f{number}": f"F{number}" for number in range(1, 26)},
}
KEYS = {
    **{letter: letter.upper() for letter in "abcdefghijklmnopqrstuvwxyz"},
    **{digit: f"DIGIT_{digit}" for digit in "0123456789"},
    **PUNCTUATION,
    **NAMED,
}
GHOSTTY_BITS = {
    Modifiers.SHIFT: 1,
    Modifiers.CTRL: 2,
    Modifiers.ALT: 4,
    Modifiers.SUPER: 8,
}
GHOSTTY_ACTIONS = {KeyAction.RELEASE: 0, KeyAction.PRESS: 1, KeyAction.REPEAT: 2}
KITTY_FLAGS_OPTION = 5
BUFFER_BYTES = 64

LETTER_KEYS = frozenset({"up", "down", "left", "right", "home", "end", "f1", "f2", "f4"})
"""Keys for which libghostty writes the default action out (`CSI 1;1:1A`) once releases are asked for."""


class Ghostty:
    """libghostty's key encoder with some kitty flags."""

    def __init__(self, flags: int) -> None:
        encoder = ffi.new("GhosttyKeyEncoder*")
        event = ffi.new("GhosttyKeyEvent*")
        assert (
            lib.ghostty_key_encoder_new(ffi.NULL, encoder) == lib.ghostty_key_event_new(ffi.NULL, event) == 0
        )
        self._encoder, self._event = encoder[0], event[0]
        lib.ghostty_key_encoder_setopt(self._encoder, KITTY_FLAGS_OPTION, ffi.new("uint8_t*", flags))

    def encode(self, key: Key) -> bytes:
        event, text = self._event, key.text.encode()
        lib.ghostty_key_event_set_action(event, GHOSTTY_ACTIONS[key.action])
        lib.ghostty_key_event_set_key(event, getattr(lib, f"GHOSTTY_KEY_{KEYS[key.key]}"))
        bits = sum(bit for modifier, bit in GHOSTTY_BITS.items() if key.modifiers & modifier)
        lib.ghostty_key_event_set_mods(event, bits)
        consumed = GHOSTTY_BITS[Modifiers.SHIFT] if text and key.modifiers else 0
        lib.ghostty_key_event_set_consumed_mods(event, consumed)
        kept = ffi.new("char[]", text)
        lib.ghostty_key_event_set_utf8(event, kept, len(text))
        lib.ghostty_key_event_set_unshifted_codepoint(event, ord(key.key) if len(key.key) == 1 else 0)
        out, length = ffi.new(f"char[{BUFFER_BYTES}]"), ffi.new("size_t*")
        assert lib.ghostty_key_encoder_encode(self._encoder, event, out, BUFFER_BYTES, length) == 0
        return bytes(ffi.buffer(out, length[0]))

    def close(self) -> None:
        lib.ghostty_key_event_free(self._event)
        lib.ghostty_key_encoder_free(self._encoder)


def keyboard(action: KeyAction) -> Iterator[Key]:
    """Every key with every set of shift, alt, ctrl and super, as a US keyboard types them."""
    for name, bits in itertools.product(KEYS, range(16)):
        held = Modifiers(bits)
        text = ""
        if len(name) == 1 and held in (Modifiers.NONE, Modifiers.SHIFT) and action is not KeyAction.RELEASE:
            text = SHIFTED.get(name, name.upper()) if held else name
        yield Key(key=name, modifiers=held, text=text, action=action)


@pytest.mark.parametrize("flags", [1, 1 | 8, 1 | 16, 1 | 8 | 16, 1 | 2, 1 | 2 | 8, 1 | 2 | 8 | 16])
@pytest.mark.parametrize("action", list(KeyAction))
def test_kitty_keys_are_encoded_as_libghostty_encodes_them(flags: int, action: KeyAction) -> None:
    ghostty, modes = Ghostty(flags), InputModes(kitty_flags=flags)
    spelled_out = LETTER_KEYS if action is KeyAction.PRESS and flags & 2 else frozenset()
    keys = [key for key in keyboard(action) if key.key not in spelled_out]

    differences = [
        (k, encode(k, modes), theirs) for k in keys if encode(k, modes) != (theirs := ghostty.encode(k))
    ]
    ghostty.close()

    assert differences == []
