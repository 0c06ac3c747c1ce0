"""Mouse reports -> `Mouse`: X10, urxvt (1015), SGR (1006) and SGR in pixels (1016).

Holds one thing: the button that is down, since the older formats do not say which one was released.
"""

from __future__ import annotations

from orca_tui.term.input_events import Modifiers, Mouse, MouseAction, MouseButton
from orca_tui.term.mouse_codes import (
    BUTTON_BITS,
    BUTTON_BY_CODE,
    CODE_OFFSET,
    MODIFIER_BITS,
    MOTION_BIT,
    RELEASE_CODE,
    WHEEL,
)

_ALL_MODIFIER_BITS = sum(MODIFIER_BITS.values())
_MODIFIERS = {
    code: Modifiers(sum(modifier for modifier, bit in MODIFIER_BITS.items() if code & bit))
    for code in range(_ALL_MODIFIER_BITS + 1)
}
"""The modifiers of a code, made once: a moving mouse sends hundreds of reports a second."""


class MouseDecoder:
    """`cell_px` is a cell's (width, height) in pixels while the terminal reports pixels, else None."""

    def __init__(self) -> None:
        self.cell_px: tuple[float, float] | None = None
        self._down = MouseButton.NONE

    def sgr(self, code: int, x: int, y: int, final: str) -> Mouse | None:
        """`CSI < code ; x ; y M` (or `m` for a release)."""
        if self.cell_px is not None:
            width, height = self.cell_px
            x, y = int((x - 1) / width) + 1, int((y - 1) / height) + 1
        return self._event(code, x, y, released=final == "m")

    def urxvt(self, code: int, x: int, y: int) -> Mouse | None:
        """`CSI code ; x ; y M` with 32 added to the code."""
        return self._old(code - CODE_OFFSET, x, y)

    def x10(self, three: bytes) -> Mouse | None:
        """`CSI M` and three bytes, each with 32 added."""
        code, x, y = (byte - CODE_OFFSET for byte in three)
        return self._old(code, x, y)

    def _old(self, code: int, x: int, y: int) -> Mouse | None:
        released = code >= 0 and not code & MOTION_BIT and code & BUTTON_BITS == RELEASE_CODE
        return self._event(code, x, y, released=released)

    def _event(self, code: int, x: int, y: int, *, released: bool) -> Mouse | None:
        button = BUTTON_BY_CODE.get(code & BUTTON_BITS) if code >= 0 else None
        if button is None or x < 1 or y < 1:
            return None
        modifiers = _MODIFIERS[code & _ALL_MODIFIER_BITS]
        action = self._action(code, released=released)
        if released and button is MouseButton.NONE:
            button = self._down
        self._remember(button, action)
        return Mouse(action=action, button=button, x=x - 1, y=y - 1, modifiers=modifiers)

    @staticmethod
    def _action(code: int, *, released: bool) -> MouseAction:
        if released:
            return MouseAction.RELEASE
        return MouseAction.MOVE if code & MOTION_BIT else MouseAction.PRESS

    def _remember(self, button: MouseButton, action: MouseAction) -> None:
        if button in WHEEL:
            return
        if action is MouseAction.PRESS:
            self._down = button
        elif action is MouseAction.RELEASE:
            self._down = MouseButton.NONE
