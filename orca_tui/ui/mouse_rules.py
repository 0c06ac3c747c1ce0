"""Whose a mouse event in a pane is: the child's or ours. Pure.

Rule 1: with shift held, while the view is in the scrollback, and while the child asked for no mouse, it is ours.
Rule 2: on the alternate screen without a mouse mode the wheel is the child's all the same (it gets arrows).
Rule 3: what a press began goes on to its release, whatever changes meanwhile.
Rule 4: movement goes to a child only when it asked for it: while a button is held, or always.
"""

from __future__ import annotations

from enum import Enum

from orca_tui.term.engine import InputModes, MouseTracking
from orca_tui.term.input_events import Modifiers, Mouse, MouseAction, MouseButton

WHEEL = frozenset(
    {MouseButton.WHEEL_UP, MouseButton.WHEEL_DOWN, MouseButton.WHEEL_LEFT, MouseButton.WHEEL_RIGHT}
)


class Owner(Enum):
    CHILD = "child"
    OURS = "ours"
    NOBODY = "nobody"


def owner_of(mouse: Mouse, modes: InputModes, *, scrolled: bool, drag: Owner | None) -> Owner:
    """Who gets the event; `drag` is who got the press of a button that is still held."""
    if drag is not None and mouse.action is not MouseAction.PRESS:
        return drag if drag is Owner.OURS or _wants(mouse, modes, held=True) else Owner.NOBODY
    if mouse.modifiers & Modifiers.SHIFT or scrolled:
        return Owner.OURS
    if mouse.button in WHEEL and modes.mouse is MouseTracking.OFF:
        return Owner.CHILD if modes.alternate_screen and modes.alternate_scroll else Owner.OURS
    if modes.mouse is MouseTracking.OFF:
        return Owner.OURS
    return Owner.CHILD if _wants(mouse, modes, held=False) else Owner.NOBODY


def _wants(mouse: Mouse, modes: InputModes, *, held: bool) -> bool:
    if mouse.action is not MouseAction.MOVE:
        return modes.mouse is not MouseTracking.OFF
    return modes.mouse is MouseTracking.ANY or (modes.mouse is MouseTracking.BUTTON and held)
