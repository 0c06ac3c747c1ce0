"""Input events -> the bytes that a child asked for with its modes. Pure; nothing is kept between calls.

Rule 1: the child's modes decide, never what the outer terminal sent.
Rule 2: an event that the child did not ask for is no bytes at all.
Rule 3: pasted text can neither end its own bracket nor press keys.
"""

from __future__ import annotations

import re
from typing import assert_never

import msgspec

from orca_tui.term.engine import InputModes
from orca_tui.term.input_events import Focus, InputEvent, Key, KeyAction, Modifiers, Mouse, Paste, Text
from orca_tui.term.key_codes import LOCKS
from orca_tui.term.kitty_keys import encode_kitty
from orca_tui.term.legacy_keys import encode_legacy
from orca_tui.term.mouse_encoder import encode_mouse
from orca_tui.term.paste_buffer import PASTE_END, PASTE_START

WHEEL_LINES = 3
"""Arrows for one notch of the wheel where the wheel stands for arrows (mode 1007), as in most terminals."""

CELL_PX = (8, 16)
"""A cell's width and height for reports in pixels, when nobody knows the real ones."""

ENTER_KEYS = frozenset({"enter", "kp_enter"})

_PASTE_MARKERS = re.compile(r"\x1b\[20[01]~")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_NEWLINES = re.compile(r"\r\n|\n")


def encode(
    event: InputEvent,
    modes: InputModes,
    *,
    wheel_lines: int = WHEEL_LINES,
    cell_px: tuple[int, int] = CELL_PX,
) -> bytes:
    """The bytes to write to the child for one event; empty when its modes do not want it.

    `wheel_lines` are the arrows per notch of mode 1007, `cell_px` a cell's width and height (mode 1016).
    """
    match event:
        case Key():
            return encode_key(event, modes)
        case Mouse():
            return encode_mouse(event, modes, wheel_lines=wheel_lines, cell_px=cell_px)
        case Paste(text=text):
            return encode_paste(text, bracketed=modes.bracketed_paste)
        case Focus(gained=gained):
            if not modes.focus_events:
                return b""
            return b"\x1b[I" if gained else b"\x1b[O"
        case Text(data=data):
            return data
    assert_never(event)


def encode_key(key: Key, modes: InputModes) -> bytes:
    """A key for the protocol that the child chose; what nobody understood goes on as it came."""
    if key.raw:
        return b"" if key.action is KeyAction.RELEASE else key.raw
    if modes.kitty_flags:
        return encode_kitty(key, modes)
    return encode_legacy(key, modes)


def with_newline(event: InputEvent, modes: InputModes, newline: Key | None) -> InputEvent:
    """The event, but `newline` for a Shift+Enter that the child could not tell from Enter."""
    if newline is None or not isinstance(event, Key) or event.key not in ENTER_KEYS:
        return event
    if event.modifiers & ~LOCKS != Modifiers.SHIFT or event.action is KeyAction.RELEASE:
        return event
    enter = msgspec.structs.replace(event, modifiers=event.modifiers & LOCKS)
    return newline if encode_key(event, modes) == encode_key(enter, modes) else event


def encode_paste(text: str, *, bracketed: bool) -> bytes:
    """Pasted text without controls other than tab and line ends; unbracketed, a line end is the Enter key."""
    text = _CONTROLS.sub("", _PASTE_MARKERS.sub("", text))
    if bracketed:
        return PASTE_START + text.encode("utf-8", "replace") + PASTE_END
    return _NEWLINES.sub("\r", text).encode("utf-8", "replace")
