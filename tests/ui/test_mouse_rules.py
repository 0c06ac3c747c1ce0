"""Whose a mouse event is."""

from __future__ import annotations

import pytest

from orca_tui.term.engine import InputModes, MouseTracking
from orca_tui.term.input_events import Modifiers, Mouse, MouseAction, MouseButton
from orca_tui.ui.mouse_rules import Owner, owner_of

PRESS = Mouse(action=MouseAction.PRESS, button=MouseButton.LEFT)
RELEASE = Mouse(action=MouseAction.RELEASE, button=MouseButton.LEFT)
MOVE = Mouse(action=MouseAction.MOVE)
WHEEL = Mouse(action=MouseAction.PRESS, button=MouseButton.WHEEL_UP)
SHIFT = Mouse(action=MouseAction.PRESS, button=MouseButton.LEFT, modifiers=Modifiers.SHIFT)

NONE = InputModes()
PAGER = InputModes(alternate_screen=True)
CLICKS = InputModes(mouse=MouseTracking.NORMAL)
DRAGS = InputModes(mouse=MouseTracking.BUTTON)
MOTION = InputModes(mouse=MouseTracking.ANY)


@pytest.mark.parametrize(
    ("mouse", "modes", "owner"),
    [
        (PRESS, NONE, Owner.OURS),
        (WHEEL, NONE, Owner.OURS),
        (WHEEL, PAGER, Owner.CHILD),
        (PRESS, PAGER, Owner.OURS),
        (WHEEL, InputModes(alternate_screen=True, alternate_scroll=False), Owner.OURS),
        (PRESS, CLICKS, Owner.CHILD),
        (RELEASE, CLICKS, Owner.CHILD),
        (WHEEL, CLICKS, Owner.CHILD),
        (MOVE, CLICKS, Owner.NOBODY),
        (MOVE, DRAGS, Owner.NOBODY),
        (MOVE, MOTION, Owner.CHILD),
        (SHIFT, MOTION, Owner.OURS),
    ],
)
def test_a_child_gets_what_it_asked_for(mouse: Mouse, modes: InputModes, owner: Owner) -> None:
    assert owner_of(mouse, modes, scrolled=False, drag=None) is owner


def test_in_the_scrollback_the_mouse_is_ours() -> None:
    assert owner_of(PRESS, MOTION, scrolled=True, drag=None) is Owner.OURS
    assert owner_of(WHEEL, MOTION, scrolled=True, drag=None) is Owner.OURS


@pytest.mark.parametrize("modes", [NONE, CLICKS, DRAGS, MOTION])
def test_a_drag_that_we_began_stays_ours(modes: InputModes) -> None:
    assert owner_of(MOVE, modes, scrolled=False, drag=Owner.OURS) is Owner.OURS
    assert owner_of(RELEASE, modes, scrolled=False, drag=Owner.OURS) is Owner.OURS


def test_a_drag_that_the_child_began_stays_the_childs_as_far_as_it_wants_it() -> None:
    assert owner_of(MOVE, DRAGS, scrolled=False, drag=Owner.CHILD) is Owner.CHILD
    assert owner_of(MOVE, CLICKS, scrolled=False, drag=Owner.CHILD) is Owner.NOBODY
    assert owner_of(RELEASE, NONE, scrolled=False, drag=Owner.CHILD) is Owner.NOBODY
