"""What a person does at a terminal, as values: keys, mouse, paste, focus. No bytes and no widgets.

The UI decodes the outer terminal's bytes into these, sends them to the server, and the server encodes
them for what the child asked for (`input_encoder.py`).
"""

from __future__ import annotations

from enum import IntFlag, StrEnum
from typing import TypeAlias

import msgspec


class Modifiers(IntFlag):
    """Held modifier keys, with the bit values of the kitty keyboard protocol."""

    NONE = 0
    SHIFT = 1
    ALT = 2
    CTRL = 4
    SUPER = 8
    HYPER = 16
    META = 32
    CAPS_LOCK = 64
    NUM_LOCK = 128


class KeyAction(StrEnum):
    PRESS = "press"
    REPEAT = "repeat"
    RELEASE = "release"


class Key(msgspec.Struct, frozen=True, kw_only=True, tag="key"):
    """One key event.

    `key` is the unshifted key: a single character (`"a"`, `"/"`, `"é"`) or a name as Textual spells it
    (`"enter"`, `"escape"`, `"tab"`, `"backspace"`, `"space"`, `"up"`, `"pageup"`, `"f5"`, `"kp_1"` ...);
    empty for text that belongs to no key (an input method). `text` is what the key types, or empty: then the
    modifiers make it a command. `shifted` is what shift makes of the key and `base` the key at the same place
    of a US layout, both only when the outer terminal told them (ctrl+c on a Cyrillic layout has `key="с"`,
    `base="c"`). `raw` holds the outer terminal's bytes only for what could not be understood.
    """

    key: str
    modifiers: Modifiers = Modifiers.NONE
    text: str = ""
    shifted: str = ""
    base: str = ""
    action: KeyAction = KeyAction.PRESS
    raw: bytes = b""


class MouseAction(StrEnum):
    PRESS = "press"
    RELEASE = "release"
    MOVE = "move"


class MouseButton(StrEnum):
    NONE = "none"
    LEFT = "left"
    MIDDLE = "middle"
    RIGHT = "right"
    WHEEL_UP = "wheel_up"
    WHEEL_DOWN = "wheel_down"
    WHEEL_LEFT = "wheel_left"
    WHEEL_RIGHT = "wheel_right"
    BACK = "back"
    FORWARD = "forward"
    BUTTON_10 = "button_10"
    BUTTON_11 = "button_11"


class Mouse(msgspec.Struct, frozen=True, kw_only=True, tag="mouse"):
    """One mouse event; `x` and `y` are cells from 0, within whatever it is sent to."""

    action: MouseAction
    button: MouseButton = MouseButton.NONE
    x: int = 0
    y: int = 0
    modifiers: Modifiers = Modifiers.NONE


class Paste(msgspec.Struct, frozen=True, kw_only=True, tag="paste"):
    """Pasted text, exactly as the outer terminal gave it."""

    text: str


class Focus(msgspec.Struct, frozen=True, kw_only=True, tag="focus"):
    """The terminal (or the pane) gained or lost the keyboard."""

    gained: bool


class Text(msgspec.Struct, frozen=True, kw_only=True, tag="text"):
    """Bytes for the child as they are: `orca-tui type` and text from an input method."""

    data: bytes


InputEvent: TypeAlias = Key | Mouse | Paste | Focus | Text


def is_on_purpose(event: InputEvent) -> bool:
    """Somebody acts: a focus report or a moving mouse also comes from a UI that is only looked at."""
    return not isinstance(event, Focus) and not (
        isinstance(event, Mouse) and event.action is MouseAction.MOVE
    )
