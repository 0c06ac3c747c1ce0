"""The keyboard and the clipboard on their way to the focused pane, or to us. Owns the order, not the meaning.

What a key means is decided in `prefix.py`. While something runs that may move the focus (a split, a jump, a
dialog that opens), input waits for it, so that what is typed after a key goes where that key leads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol, TypeAlias, assert_never

from orca_tui.base.clock import Clock
from orca_tui.base.timers import Timer
from orca_tui.term.input_events import Key, KeyAction, Paste
from orca_tui.term.key_codes import MODIFIER_KEYS
from orca_tui.ui import prefix
from orca_tui.ui.frame_clock import Scheduler
from orca_tui.ui.keymap import Keymap

HOLD_LIMIT_S = 2.0
"""A server that takes longer does not keep the keyboard."""

Typed: TypeAlias = Key | Paste


def is_typing(event: Typed) -> bool:
    """Not the release of a key, and not a modifier on its way to another key."""
    if isinstance(event, Paste):
        return True
    return event.action is not KeyAction.RELEASE and event.key not in MODIFIER_KEYS


class Typist(Protocol):
    """Who does what the keyboard says."""

    def send(self, event: Typed) -> None:
        """The focused pane's child gets it."""
        ...

    def perform(self, action: str) -> None:
        """Do an action; what may move the focus holds the keyboard before this returns."""
        ...

    def awaiting(self, awaiting: prefix.Awaiting) -> None:
        """Show whether a key after the prefix is awaited."""
        ...

    def unbound(self, key: str) -> None:
        """A key after the prefix does nothing."""
        ...


class Hold:
    """One reason for input to wait; given back once, by whoever comes first: its owner or the limit."""

    def __init__(self, released: Callable[[Hold], None]) -> None:
        self._released = released

    def release(self) -> None:
        self._released(self)


class Keyboard:
    """Takes what is typed, in order."""

    def __init__(self, keymap: Keymap, clock: Clock, scheduler: Scheduler, typist: Typist) -> None:
        self.keymap = keymap
        self._clock = clock
        self._scheduler = scheduler
        self._typist = typist
        self._state = prefix.State()
        self._holds: dict[Hold, Timer] = {}
        self._waiting: deque[Typed] = deque()
        self._hints: Timer | None = None

    @property
    def prefixed(self) -> bool:
        """A key after the prefix is awaited."""
        return self._state.prefixed

    def take(self, event: Typed) -> None:
        """Take a key or a paste; it waits when something holds the keyboard."""
        if self._holds:
            self._waiting.append(event)
        else:
            self._handle(event)

    def hold(self) -> Hold:
        """Let input wait until the hold is released, at most `HOLD_LIMIT_S`."""
        hold = Hold(self._release)
        self._holds[hold] = self._scheduler.call_later(HOLD_LIMIT_S, hold.release)
        return hold

    def cancel(self) -> None:
        """No key after the prefix is awaited any more: something else was chosen, with the mouse."""
        if self._state.prefixed:
            self._state = prefix.State()
            self._await(prefix.Awaiting(prefixed=False, hints=False))

    def take_waiting(self) -> list[Typed]:
        """What waits, for a dialog that has opened: it was typed for it."""
        waiting, self._waiting = list(self._waiting), deque()
        return waiting

    def close(self) -> None:
        """Stop all timers; what waits is dropped."""
        for timer in (*self._holds.values(), self._hints):
            if timer is not None:
                timer.cancel()
        self._holds.clear()
        self._waiting.clear()

    def _release(self, hold: Hold) -> None:
        timer = self._holds.pop(hold, None)
        if timer is not None:
            timer.cancel()
        while self._waiting and not self._holds:
            self._handle(self._waiting.popleft())

    def _handle(self, event: Typed) -> None:
        match event:
            case Paste():
                self._typist.send(event)
            case Key():
                self._advance(prefix.Pressed(key=event, at=self._clock.monotonic()))
            case _:
                assert_never(event)

    def _hints_due(self) -> None:
        self._hints = None
        self._advance(prefix.HintsDue())

    def _advance(self, event: prefix.Event) -> None:
        self._state, effects = prefix.advance(self._state, event, self.keymap)
        for effect in effects:
            self._perform(effect)

    def _perform(self, effect: prefix.Effect) -> None:
        match effect:
            case prefix.Send(key=key):
                self._typist.send(key)
            case prefix.Run(action=action):
                self._typist.perform(action)
            case prefix.Unbound(name=name):
                self._typist.unbound(name)
            case prefix.Awaiting():
                self._await(effect)
            case _:
                assert_never(effect)

    def _await(self, awaiting: prefix.Awaiting) -> None:
        if self._hints is not None:
            self._hints.cancel()
            self._hints = None
        if awaiting.prefixed and not awaiting.hints:
            self._hints = self._scheduler.call_later(prefix.HINTS_AFTER_S, self._hints_due)
        self._typist.awaiting(awaiting)
