"""`Mouse` -> bytes, by the child's tracking mode and format (xterm's ctlseqs, "Mouse Tracking"). Pure."""

from __future__ import annotations

from typing import assert_never

from orca_tui.term.engine import InputModes, MouseFormat, MouseTracking
from orca_tui.term.input_events import Mouse, MouseAction, MouseButton
from orca_tui.term.mouse_codes import (
    CODE_BY_BUTTON,
    CODE_OFFSET,
    MODIFIER_BITS,
    MOTION_BIT,
    RELEASE_CODE,
    WHEEL,
)

MAX_X10 = 223
"""The highest column or row of the X10 format: one byte, from which 32 is taken."""

MAX_UTF8 = 2015
"""The same for mode 1005: two bytes of UTF-8."""

X10_BUTTONS = frozenset({MouseButton.LEFT, MouseButton.MIDDLE, MouseButton.RIGHT})
"""All that mode 9 knows; it tells no modifiers either."""


def encode_mouse(mouse: Mouse, modes: InputModes, *, wheel_lines: int, cell_px: tuple[int, int]) -> bytes:
    """The report of a mouse event, arrows for the wheel (mode 1007), or nothing."""
    if modes.mouse is MouseTracking.OFF:
        return _wheel_arrows(mouse, modes, wheel_lines)
    if not _is_wanted(mouse, modes.mouse):
        return b""
    code = _code(mouse, with_modifiers=modes.mouse is not MouseTracking.X10)
    x, y = mouse.x + 1, mouse.y + 1
    released = mouse.action is MouseAction.RELEASE
    old_code = (code & ~CODE_BY_BUTTON[mouse.button] | RELEASE_CODE if released else code) + CODE_OFFSET
    match modes.mouse_format:
        case MouseFormat.SGR:
            return _sgr(code, x, y, released=released)
        case MouseFormat.SGR_PIXELS:
            width, height = cell_px
            return _sgr(code, mouse.x * width + width // 2, mouse.y * height + height // 2, released=released)
        case MouseFormat.URXVT:
            return f"\x1b[{old_code};{x};{y}M".encode()
        case MouseFormat.UTF8:
            return b"" if max(x, y) > MAX_UTF8 else b"\x1b[M" + _characters(old_code, x, y).encode()
        case MouseFormat.X10:
            return b"" if max(x, y) > MAX_X10 else b"\x1b[M" + _characters(old_code, x, y).encode("latin-1")
    assert_never(modes.mouse_format)


def _is_wanted(mouse: Mouse, tracking: MouseTracking) -> bool:
    if mouse.x < 0 or mouse.y < 0 or (mouse.button in WHEEL and mouse.action is not MouseAction.PRESS):
        return False
    if mouse.action is not MouseAction.MOVE and mouse.button is MouseButton.NONE:
        return mouse.action is MouseAction.RELEASE and tracking is not MouseTracking.X10
    match tracking:
        case MouseTracking.OFF:
            return False
        case MouseTracking.X10:
            return mouse.action is MouseAction.PRESS and mouse.button in X10_BUTTONS
        case MouseTracking.NORMAL:
            return mouse.action is not MouseAction.MOVE
        case MouseTracking.BUTTON:
            return mouse.action is not MouseAction.MOVE or mouse.button is not MouseButton.NONE
        case MouseTracking.ANY:
            return True
    assert_never(tracking)


def _code(mouse: Mouse, *, with_modifiers: bool) -> int:
    code = CODE_BY_BUTTON[mouse.button]
    if mouse.action is MouseAction.MOVE:
        code |= MOTION_BIT
    if with_modifiers:
        code |= sum(bit for modifier, bit in MODIFIER_BITS.items() if mouse.modifiers & modifier)
    return code


def _sgr(code: int, x: int, y: int, *, released: bool) -> bytes:
    return f"\x1b[<{code};{x};{y}{'m' if released else 'M'}".encode()


def _characters(code: int, x: int, y: int) -> str:
    return chr(code) + chr(x + CODE_OFFSET) + chr(y + CODE_OFFSET)


def _wheel_arrows(mouse: Mouse, modes: InputModes, lines: int) -> bytes:
    """The wheel on the alternate screen of a child that wants no mouse."""
    wanted = modes.alternate_scroll and modes.alternate_screen and mouse.action is MouseAction.PRESS
    letter = {MouseButton.WHEEL_UP: b"A", MouseButton.WHEEL_DOWN: b"B"}.get(mouse.button)
    if not wanted or letter is None:
        return b""
    return ((b"\x1bO" if modes.cursor_keys else b"\x1b[") + letter) * lines
