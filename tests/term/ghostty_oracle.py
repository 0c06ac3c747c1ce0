"""libghostty's own encoders of keys and mouse reports, to compare ours with; and a whole keyboard to type on."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from pyghostty._ffi import ffi, lib

from orca_tui.term.engine import CELL_PX, MouseFormat, MouseTracking
from orca_tui.term.input_events import Key, KeyAction, Modifiers, Mouse, MouseAction, MouseButton

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


class GhosttyKeys:
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
        lib.ghostty_key_event_set_mods(event, ghostty_modifiers(key.modifiers))
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


def ghostty_modifiers(held: Modifiers) -> int:
    return sum(bit for modifier, bit in GHOSTTY_BITS.items() if held & modifier)


def keyboard(action: KeyAction) -> Iterator[Key]:
    """Every key with every set of shift, alt, ctrl and super, as a US keyboard types them."""
    for name, bits in itertools.product(KEYS, range(16)):
        held = Modifiers(bits)
        text = ""
        if len(name) == 1 and held in (Modifiers.NONE, Modifiers.SHIFT) and action is not KeyAction.RELEASE:
            text = SHIFTED.get(name, name.upper()) if held else name
        yield Key(key=name, modifiers=held, text=text, action=action)


MOUSE_ACTIONS = {MouseAction.PRESS: 0, MouseAction.RELEASE: 1, MouseAction.MOVE: 2}
MOUSE_BUTTONS = {
    MouseButton.LEFT: 1,
    MouseButton.RIGHT: 2,
    MouseButton.MIDDLE: 3,
    MouseButton.WHEEL_UP: 4,
    MouseButton.WHEEL_DOWN: 5,
    MouseButton.WHEEL_LEFT: 6,
    MouseButton.WHEEL_RIGHT: 7,
    MouseButton.BACK: 8,
    MouseButton.FORWARD: 9,
}
MOUSE_TRACKING = {tracking: number for number, tracking in enumerate(MouseTracking)}
MOUSE_FORMATS = {
    MouseFormat.X10: 0,
    MouseFormat.UTF8: 1,
    MouseFormat.SGR: 2,
    MouseFormat.URXVT: 3,
    MouseFormat.SGR_PIXELS: 4,
}
EVENT_OPTION, FORMAT_OPTION, SIZE_OPTION, PRESSED_OPTION = range(4)


class GhosttyMouse:
    """libghostty's mouse encoder for a terminal of so many cells."""

    def __init__(self, tracking: MouseTracking, format_: MouseFormat, cols: int, rows: int) -> None:
        encoder, event = ffi.new("GhosttyMouseEncoder*"), ffi.new("GhosttyMouseEvent*")
        assert lib.ghostty_mouse_encoder_new(ffi.NULL, encoder) == 0
        assert lib.ghostty_mouse_event_new(ffi.NULL, event) == 0
        self._encoder, self._event = encoder[0], event[0]
        width, height = CELL_PX
        size = ffi.new("GhosttyMouseEncoderSize*", {"size": ffi.sizeof("GhosttyMouseEncoderSize")})
        size.screen_width, size.screen_height = cols * width, rows * height
        size.cell_width, size.cell_height = width, height
        for option, value in (
            (EVENT_OPTION, ffi.new("int*", MOUSE_TRACKING[tracking])),
            (FORMAT_OPTION, ffi.new("int*", MOUSE_FORMATS[format_])),
            (SIZE_OPTION, size),
        ):
            lib.ghostty_mouse_encoder_setopt(self._encoder, option, value)

    def encode(self, mouse: Mouse) -> bytes:
        width, height = CELL_PX
        event, held = self._event, mouse.button is not MouseButton.NONE
        lib.ghostty_mouse_event_set_action(event, MOUSE_ACTIONS[mouse.action])
        if held:
            lib.ghostty_mouse_event_set_button(event, MOUSE_BUTTONS[mouse.button])
        else:
            lib.ghostty_mouse_event_clear_button(event)
        lib.ghostty_mouse_event_set_mods(event, ghostty_modifiers(mouse.modifiers))
        middle = {"x": mouse.x * width + width // 2, "y": mouse.y * height + height // 2}
        lib.ghostty_mouse_event_set_position(event, ffi.new("GhosttyMousePosition*", middle)[0])
        lib.ghostty_mouse_encoder_setopt(self._encoder, PRESSED_OPTION, ffi.new("bool*", held))
        out, length = ffi.new(f"char[{BUFFER_BYTES}]"), ffi.new("size_t*")
        assert lib.ghostty_mouse_encoder_encode(self._encoder, event, out, BUFFER_BYTES, length) == 0
        return bytes(ffi.buffer(out, length[0]))

    def close(self) -> None:
        lib.ghostty_mouse_event_free(self._event)
        lib.ghostty_mouse_encoder_free(self._encoder)
