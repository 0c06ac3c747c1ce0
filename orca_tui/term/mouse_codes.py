"""The button numbers of the mouse protocols (X11's numbers, as xterm writes them), for both directions."""

from __future__ import annotations

from orca_tui.term.input_events import Modifiers, MouseButton

BUTTON_BY_CODE: dict[int, MouseButton] = {
    0: MouseButton.LEFT,
    1: MouseButton.MIDDLE,
    2: MouseButton.RIGHT,
    3: MouseButton.NONE,
    64: MouseButton.WHEEL_UP,
    65: MouseButton.WHEEL_DOWN,
    66: MouseButton.WHEEL_LEFT,
    67: MouseButton.WHEEL_RIGHT,
    128: MouseButton.BACK,
    129: MouseButton.FORWARD,
    130: MouseButton.BUTTON_10,
    131: MouseButton.BUTTON_11,
}
"""Code without its modifier and motion bits; 3 is "no button", which the older formats send for a release."""

CODE_BY_BUTTON: dict[MouseButton, int] = {button: code for code, button in BUTTON_BY_CODE.items()}

WHEEL = frozenset(
    {MouseButton.WHEEL_UP, MouseButton.WHEEL_DOWN, MouseButton.WHEEL_LEFT, MouseButton.WHEEL_RIGHT}
)
"""Buttons that are pressed and never released."""

RELEASE_CODE = 3
MOTION_BIT = 32
BUTTON_BITS = 0b1100_0011
MODIFIER_BITS = {Modifiers.SHIFT: 4, Modifiers.ALT: 8, Modifiers.CTRL: 16}

CODE_OFFSET = 32
"""What the formats older than SGR add to every number, so that it is a printable character."""
