"""Input events and replies as Textual messages, and mouse events back from Textual. No terminal here.

Widgets of our own read `source` and `mouse_of`; Textual's widgets see its own keys and mouse events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from textual import events
from textual.message import Message
from textual.messages import TerminalSupportsSynchronizedOutput

from orca_tui.term.input_decoder import Decoded
from orca_tui.term.input_events import (
    Focus,
    Key,
    KeyAction,
    Modifiers,
    Mouse,
    MouseAction,
    MouseButton,
    Paste,
)
from orca_tui.term.key_codes import MODIFIER_KEYS
from orca_tui.term.key_names import key_name
from orca_tui.term.paste_buffer import MAX_PASTE_BYTES, OversizedPaste
from orca_tui.term.replies import ModeReport, Reply

SYNCHRONIZED_OUTPUT = 2026
KNOWN_SETTINGS = (1, 2, 3)
"""DECRQM's answers of a terminal that can set the mode."""

BUTTON_NUMBERS: dict[MouseButton, int] = {
    MouseButton.NONE: 0,
    MouseButton.LEFT: 1,
    MouseButton.MIDDLE: 2,
    MouseButton.RIGHT: 3,
    MouseButton.BACK: 8,
    MouseButton.FORWARD: 9,
    MouseButton.BUTTON_10: 10,
    MouseButton.BUTTON_11: 11,
}
"""Textual's button numbers; from 8 on they are X11's, which Textual has none for."""

_BUTTONS = {number: button for button, number in BUTTON_NUMBERS.items()}

_SCROLLS: dict[MouseButton, type[events.MouseEvent]] = {
    MouseButton.WHEEL_UP: events.MouseScrollUp,
    MouseButton.WHEEL_DOWN: events.MouseScrollDown,
    MouseButton.WHEEL_LEFT: events.MouseScrollLeft,
    MouseButton.WHEEL_RIGHT: events.MouseScrollRight,
}
_ACTIONS: dict[MouseAction, type[events.MouseEvent]] = {
    MouseAction.PRESS: events.MouseDown,
    MouseAction.RELEASE: events.MouseUp,
    MouseAction.MOVE: events.MouseMove,
}
_CHARACTERS = {"enter": "\r", "tab": "\t", "backspace": "\x7f", "escape": "\x1b"}
"""What Textual gives as the character of keys that type none."""


class OrcaKey(events.Key):
    """A key press or repeat as Textual knows it, with what was really pressed in `source`."""

    def __init__(self, source: Key) -> None:
        character = source.text or (None if source.modifiers else _CHARACTERS.get(source.key))
        super().__init__(key_name(source, merge_keypad=True), character)
        self.source = source
        if not source.text:
            self.character = character  # Textual would let alt+x in another alphabet type its letter.

    @property
    def is_printable(self) -> bool:
        """Whether it types text; Textual has no text of several code points, such as joined emoji."""
        return bool(self.source.text)

    def copy(self) -> OrcaKey:
        return OrcaKey(self.source)


OrcaKey.handler_name = events.Key.handler_name


class UnboundKey(events.InputEvent, bubble=False):
    """A release, or a modifier key by itself: a child may want it, no binding ever sees it.

    It goes to the focused widget alone, in the order of the key presses.
    """

    def __init__(self, source: Key) -> None:
        super().__init__()
        self.source = source


class TerminalReply(Message, bubble=False):
    """The outer terminal answered or told something: its background colour, its colour scheme, its name ..."""

    def __init__(self, reply: Reply) -> None:
        super().__init__()
        self.reply = reply


class PasteRefused(Message, bubble=False):
    """A paste was larger than `limit_bytes` and nothing of it was kept; people must be told."""

    def __init__(self, size_bytes: int, limit_bytes: int) -> None:
        super().__init__()
        self.size_bytes = size_bytes
        self.limit_bytes = limit_bytes


class InputMessages:
    """Turns what was decoded into Textual's messages; holds where the mouse was."""

    def __init__(self) -> None:
        self._mouse_x, self._mouse_y = 0, 0

    def translate(self, decoded: Iterable[Decoded]) -> Iterator[Message]:
        """The messages for what one read brought, movements in a row merged into the last."""
        for event in merge_motion(decoded):
            match event:
                case Key():
                    yield key_message(event)
                case Mouse():
                    yield mouse_message(event, event.x - self._mouse_x, event.y - self._mouse_y)
                    self._mouse_x, self._mouse_y = event.x, event.y
                case Paste(text=text):
                    yield events.Paste(text)
                case Focus(gained=gained):
                    yield events.AppFocus() if gained else events.AppBlur()
                case OversizedPaste(size_bytes=size_bytes):
                    yield PasteRefused(size_bytes, MAX_PASTE_BYTES)
                case Reply():
                    if _tells_synchronized_output(event):
                        yield TerminalSupportsSynchronizedOutput()
                    yield TerminalReply(event)
                case _:
                    assert_never(event)


def _tells_synchronized_output(reply: Reply) -> bool:
    return (
        isinstance(reply, ModeReport)
        and reply.mode == SYNCHRONIZED_OUTPUT
        and reply.setting in KNOWN_SETTINGS
    )


def key_message(key: Key) -> OrcaKey | UnboundKey:
    """The message of a key: only presses and repeats of keys that do something may trigger bindings."""
    if key.action is KeyAction.RELEASE or key.key in MODIFIER_KEYS:
        return UnboundKey(key)
    return OrcaKey(key)


def typed_message(typed: Key | Paste) -> events.Paste | OrcaKey | UnboundKey:
    """The message of what was typed."""
    return events.Paste(typed.text) if isinstance(typed, Paste) else key_message(typed)


def mouse_message(mouse: Mouse, delta_x: int, delta_y: int) -> events.MouseEvent:
    """Textual's event for a mouse event of the whole screen, so many cells from the one before."""
    kind = _SCROLLS.get(mouse.button, _ACTIONS[mouse.action])
    return kind(
        None,
        mouse.x,
        mouse.y,
        delta_x,
        delta_y,
        BUTTON_NUMBERS.get(mouse.button, 0),
        bool(mouse.modifiers & Modifiers.SHIFT),
        bool(mouse.modifiers & Modifiers.ALT),
        bool(mouse.modifiers & Modifiers.CTRL),
        screen_x=mouse.x,
        screen_y=mouse.y,
    )


def mouse_of(event: events.MouseEvent) -> Mouse:
    """The mouse event in Textual's, with the coordinates that Textual gave the widget.

    Textual copies mouse events on their way to a widget, so they cannot carry one along.
    """
    held = (event.shift, Modifiers.SHIFT), (event.meta, Modifiers.ALT), (event.ctrl, Modifiers.CTRL)
    modifiers = Modifiers(sum(modifier for is_held, modifier in held if is_held))
    wheel = next((button for button, kind in _SCROLLS.items() if isinstance(event, kind)), None)
    action = next((action for action, kind in _ACTIONS.items() if isinstance(event, kind)), MouseAction.PRESS)
    button = wheel or _BUTTONS.get(event.button, MouseButton.NONE)
    return Mouse(action=action, button=button, x=event.x, y=event.y, modifiers=modifiers)


def merge_motion(decoded: Iterable[Decoded]) -> Iterator[Decoded]:
    """Of movements in a row only the last: nobody can act on where the mouse was."""
    held: Mouse | None = None
    for event in decoded:
        moved = isinstance(event, Mouse) and event.action is MouseAction.MOVE
        if held is not None and not (moved and _same_buttons(held, event)):
            yield held
        held = event if isinstance(event, Mouse) and moved else None
        if held is None:
            yield event
    if held is not None:
        yield held


def _same_buttons(one: Mouse, other: Decoded) -> bool:
    return isinstance(other, Mouse) and (one.button, one.modifiers) == (other.button, other.modifiers)
