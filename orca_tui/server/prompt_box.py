"""What stands in the prompt box of a pane's agent, as far as the keys tell that go to it through us.

Rule 1: text puts a draft there; Enter submits it, and Ctrl-C takes it away.
Rule 2: Backspace takes back one character; when all are gone, so is the draft.
Rule 3: a key that brings back older text leaves a draft of unknown length.
Rule 4: while the agent asks something, keys answer it and are no draft.
Rule 5: what was submitted is answered by the start of a turn; a submit that starts none is forgotten after a
        while in which the agent rests.
Rule 6: a session that appears after something was submitted is there to answer it: its first turn is awaited
        for longer.

The doubt goes to the user: a box that is thought to be full only keeps notices waiting.
"""

from __future__ import annotations

from collections.abc import Callable

from orca_tui.base.clock import Clock
from orca_tui.status.record import Status
from orca_tui.term.input_events import InputEvent, Key, KeyAction, Modifiers, Paste, Text
from orca_tui.term.key_names import key_name

TYPING_S = 0.3  # Longer than the pause between two keys of somebody who types.
ANSWERED_WITHIN_S = 3.0
"""Rule 5: an agent's first turn was seen to start up to 2 s after Enter; commands such as `/help` start none."""
FIRST_TURN_WITHIN_S = 10.0
"""Rule 6: on a busy machine 2 s pass between the two."""
UNKNOWN_LENGTH = 1 << 30

ENTER = "\r"
TYPED_BACKSPACE = "\x7f\x08"
TYPED_INTERRUPTS = ("\x1b", "\x03")
TYPED_CLEAR = "\x03"
RECALLING_KEYS = frozenset({"up", "ctrl+p", "ctrl+r", "ctrl+y"})
INTERRUPTING_KEYS = frozenset({"escape", "ctrl+c"})
NEW_LINE_KEYS = frozenset({"shift+enter", "alt+enter", "ctrl+j"})
COMMAND_MODIFIERS = Modifiers.CTRL | Modifiers.ALT | Modifiers.SUPER | Modifiers.HYPER | Modifiers.META


class PromptBox:
    """Times are monotonic seconds of the clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._length = 0
        self._typed_at: float | None = None
        self._answered_by: float | None = None
        """Until then a turn may start from what was submitted."""
        self._interrupted_at: float | None = None
        self._status = Status.UNKNOWN
        self.changed: Callable[[], None] = lambda: None
        """Called after every key that counts."""

    @property
    def draft(self) -> bool:
        """Something was typed and not submitted."""
        return self._length > 0

    @property
    def typing(self) -> bool:
        """Somebody has typed a moment ago."""
        return self._since(self._typed_at) < TYPING_S

    @property
    def submitted(self) -> bool:
        """Something was submitted, and no turn has started since."""
        return self._unanswered_for() > 0

    @property
    def status(self) -> Status:
        """Of the pane, as it was told last."""
        return self._status

    @property
    def interrupted_at(self) -> float | None:
        """Unix seconds: when a key, or a command, last meant to interrupt the agent."""
        return self._interrupted_at

    @property
    def typed_at(self) -> float | None:
        """When the last key came."""
        return self._typed_at

    def settles_in(self) -> float:
        """Seconds until `typing` and `submitted` have passed by themselves."""
        typing = TYPING_S - self._since(self._typed_at)
        return max(0.0, typing, self._unanswered_for())

    def typed(self, event: InputEvent) -> None:
        """Input that the program was given."""
        match event:
            case Key(action=action) if action is not KeyAction.RELEASE:
                self._key(event)
            case Paste(text=text):
                self._add(len(text))
            case Text(data=data):
                self._text(data.decode(errors="replace"))
            case _:
                return  # A mouse or a focus report types nothing.
        self._typed_at = self._clock.monotonic()
        self.changed()

    def interrupted(self) -> None:
        """The agent is interrupted now."""
        self._interrupted_at = self._clock.now()

    def filled(self) -> None:
        """Something of ours stands there and was not submitted, or something of the user's that nobody saw."""
        self._length = UNKNOWN_LENGTH

    def emptied(self) -> None:
        """Another program runs, or a turn answers what stood there."""
        self._length = 0
        self._answered_by = None

    def session_changed(self) -> None:
        """Rule 6. Nobody's words stand in the box of a session that was just shown."""
        self._length = 0
        if self.submitted:
            self._await_turn(FIRST_TURN_WITHIN_S)

    def status_changed(self, status: Status) -> None:
        """Rules 4 and 5."""
        before, self._status = self._status, status
        if status in (Status.WORKING, Status.WAITING):
            if before not in (Status.WORKING, Status.WAITING):
                self._answered_by = None
        elif self._answered_by is not None and before is not status:
            self._await_turn(ANSWERED_WITHIN_S)  # What was submitted meanwhile may start a turn now.

    def _key(self, key: Key) -> None:
        name = key_name(key)
        if name in INTERRUPTING_KEYS:
            self.interrupted()
        if name == "enter":
            self._submit()
        elif name == "ctrl+c":
            self._length = 0
        elif name == "backspace":
            self._add(-1)
        elif name in RECALLING_KEYS:
            self._add(UNKNOWN_LENGTH)
        elif name in NEW_LINE_KEYS:
            self._add(1)
        elif key.text and not key.modifiers & COMMAND_MODIFIERS:
            self._add(len(key.text))

    def _text(self, text: str) -> None:
        if text in TYPED_INTERRUPTS:
            self.interrupted()
        if text.startswith("\x1b"):
            return  # A key's sequence.
        for character in text:
            if character == ENTER:
                self._submit()
            elif character == TYPED_CLEAR:
                self._length = 0
            elif character in TYPED_BACKSPACE:
                self._add(-1)
            elif character.isprintable() or character == "\n":
                self._add(1)

    def _submit(self) -> None:
        if self._status is not Status.WAITING:
            self._length = 0
            self._await_turn(ANSWERED_WITHIN_S)

    def _add(self, count: int) -> None:
        if self._status is not Status.WAITING:
            self._length = max(0, min(self._length + count, UNKNOWN_LENGTH))

    def _await_turn(self, seconds: float) -> None:
        self._answered_by = max(self._answered_by or 0.0, self._clock.monotonic() + seconds)

    def _unanswered_for(self) -> float:
        return 0.0 if self._answered_by is None else self._answered_by - self._clock.monotonic()

    def _since(self, at: float | None) -> float:
        return float("inf") if at is None else self._clock.monotonic() - at
