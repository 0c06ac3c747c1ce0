"""Input events as Textual messages and back."""

from __future__ import annotations

import itertools

import pytest
from textual import events
from textual.messages import TerminalSupportsSynchronizedOutput

from orca_tui.term.input_events import Key, KeyAction, Modifiers, Mouse, MouseAction, MouseButton
from orca_tui.term.mouse_codes import WHEEL
from orca_tui.term.paste_buffer import MAX_PASTE_BYTES, OversizedPaste
from orca_tui.term.replies import ModeReport
from orca_tui.ui.input_messages import (
    InputMessages,
    OrcaKey,
    PasteRefused,
    TerminalReply,
    UnboundKey,
    key_message,
    merge_motion,
    mouse_message,
    mouse_of,
)

CTRL, ALT = Modifiers.CTRL, Modifiers.ALT


@pytest.mark.parametrize(
    ("key", "name", "character", "printable"),
    [
        (Key(key="a", text="a"), "a", "a", True),
        (Key(key="a", modifiers=Modifiers.SHIFT, text="A"), "A", "A", True),
        (Key(key="/", modifiers=Modifiers.SHIFT, text="?"), "question_mark", "?", True),
        (Key(key="c", modifiers=CTRL), "ctrl+c", None, False),
        (Key(key="с", base="c", modifiers=CTRL), "ctrl+c", None, False),
        (Key(key="f", modifiers=ALT), "alt+f", None, False),
        (Key(key="enter"), "enter", "\r", False),
        (Key(key="kp_enter"), "enter", None, False),
        (Key(key="kp_5", text="5"), "5", "5", True),
        (Key(key="space", text=" "), "space", " ", True),
        (Key(key="", text="👨\u200d👩"), "👨\u200d👩", "👨\u200d👩", True),
        (Key(key="", raw=b"\x1b[99~"), "unknown", None, False),
        (Key(key="a", text="a", action=KeyAction.REPEAT), "a", "a", True),
    ],
)
def test_a_key_press_is_textuals_key_with_its_source(
    key: Key, name: str, character: str | None, printable: bool
) -> None:
    message = key_message(key)

    assert isinstance(message, OrcaKey)
    assert (message.key, message.character, message.is_printable) == (name, character, printable)
    assert message.source == message.copy().source == key
    assert message.handler_name == "on_key"


@pytest.mark.parametrize(
    "key", [Key(key="a", action=KeyAction.RELEASE), Key(key="left_shift"), Key(key="caps_lock")]
)
def test_releases_and_bare_modifiers_are_no_textual_keys(key: Key) -> None:
    message = key_message(key)

    assert isinstance(message, UnboundKey)
    assert message.source == key


def test_every_mouse_event_survives_textual() -> None:
    modifiers = [Modifiers.NONE, Modifiers.SHIFT, ALT, CTRL, Modifiers.SHIFT | ALT | CTRL]
    for action, button, held in itertools.product(MouseAction, MouseButton, modifiers):
        if button in WHEEL and action is not MouseAction.PRESS:
            continue
        mouse = Mouse(action=action, button=button, x=3, y=4, modifiers=held)

        moved = mouse_message(mouse, 1, 2)._apply_offset(-1, -1)

        assert mouse_of(moved) == Mouse(action=action, button=button, x=2, y=3, modifiers=held)


def move(x: int, button: MouseButton = MouseButton.NONE) -> Mouse:
    return Mouse(action=MouseAction.MOVE, button=button, x=x)


def test_of_movements_in_a_row_only_the_last_is_told() -> None:
    press = Mouse(action=MouseAction.PRESS, button=MouseButton.LEFT)
    drag = [move(x, MouseButton.LEFT) for x in range(3)]
    key = Key(key="a", text="a")

    assert list(merge_motion([move(1), move(2), press, *drag, key, move(9)])) == [
        move(2),
        press,
        drag[-1],
        key,
        move(9),
    ]


def test_mouse_events_say_how_far_the_mouse_moved() -> None:
    messages = InputMessages()

    first, second = [*messages.translate([move(3)]), *messages.translate([move(10)])]

    assert isinstance(first, events.MouseMove)
    assert isinstance(second, events.MouseMove)
    assert (second.x, second.delta_x) == (10, 7)


def test_a_terminal_with_synchronized_output_is_known_to_textual() -> None:
    known = list(InputMessages().translate([ModeReport(mode=2026, setting=2)]))
    unknown = list(InputMessages().translate([ModeReport(mode=2026, setting=0)]))

    assert [type(message) for message in known] == [TerminalSupportsSynchronizedOutput, TerminalReply]
    assert [type(message) for message in unknown] == [TerminalReply]


def test_a_refused_paste_is_told_with_its_size() -> None:
    (message,) = InputMessages().translate([OversizedPaste(size_bytes=MAX_PASTE_BYTES + 1)])

    assert isinstance(message, PasteRefused)
    assert (message.size_bytes, message.limit_bytes) == (MAX_PASTE_BYTES + 1, MAX_PASTE_BYTES)
