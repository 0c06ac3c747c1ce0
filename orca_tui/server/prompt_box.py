"""What stands in the prompt box of a pane's agent, as far as the keys tell that go to it through us.

Rule 1: text puts a draft there; Enter submits it, and Ctrl-C takes it away.
Rule 2: Backspace takes back one character; when all are gone, so is the draft.
Rule 3: a key that brings back older text, takes a suggestion, pastes an image or opens an editor leaves a draft of
        unknown length.
Rule 4: while the agent asks something, keys answer it and are no draft.
Rule 5: what was submitted is answered by the start of a turn; a submit that starts none is forgotten after a
        while in which the agent rests.
Rule 6: a session that appears after something was submitted is there to answer it: its first turn is awaited
        for longer.
Rule 7: Enter also takes a completion, breaks a line, or is typed in an editor. Where no turn answers it, the draft
        stands there still; but a command of the agent's (`/help`) starts none.
Rule 8: what is submitted while a turn runs may come in with that turn; only text after which Enter may mean
        something else is awaited to start one of its own.

The doubt goes to the user: a box that is thought to be full only keeps notices waiting.
"""

from __future__ import annotations

from collections.abc import Callable

from orca_tui.base.clock import Clock
from orca_tui.status.record import RUNNING, Status
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
SUGGESTING_KEYS = frozenset({"tab", "right", "ctrl+f"})
IMAGE_KEYS = frozenset({"ctrl+v", "alt+v"})
EDITOR_KEYS = frozenset({"ctrl+g", "ctrl+x"})
FILLING_KEYS = RECALLING_KEYS | SUGGESTING_KEYS | IMAGE_KEYS | EDITOR_KEYS
"""Rule 3, for all agents at once."""
TYPED_FILLING = "\t\x06\x07\x10\x12\x16\x18\x19"
"""The same keys as a program reads them, as far as they are one character."""
COMMAND_BEGINS = "/"
ENTER_DIFFERS = frozenset("@\\")
"""In a text with these, Enter may take the completion of a file, or break the line."""
INTERRUPTING_KEYS = frozenset({"escape", "ctrl+c"})
NEW_LINE_KEYS = frozenset({"shift+enter", "alt+enter", "ctrl+j"})
COMMAND_MODIFIERS = Modifiers.CTRL | Modifiers.ALT | Modifiers.SUPER | Modifiers.HYPER | Modifiers.META


class PromptBox:
    """Times are monotonic seconds of the clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._length = 0
        self._command = False
        """The draft begins as a command does."""
        self._odd = False
        """The draft has something after which Enter may not submit it."""
        self._unsure = False
        """Rule 7: a draft got an Enter that no turn has answered."""
        self._turns = 0
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
        return self._length > 0 or (self._unsure and not self.submitted)

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
                self._add(text) if text else self._fill()  # A terminal tells of an image by an empty paste.
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
        self._command, self._odd = False, True

    def emptied(self) -> None:
        """Another program runs, or a turn answers what stood there."""
        self._length = 0
        self._answered()

    def session_changed(self) -> None:
        """Rule 6. Nobody's words stand in the box of a session that was just shown."""
        self._clear()
        if self.submitted:
            self._await_turn(FIRST_TURN_WITHIN_S)

    def status_changed(self, status: Status, turns: int = 0) -> None:
        """Rules 4, 5 and 7. `turns` have ended so far: a short one may be over before it is told of."""
        before, self._status = self._status, status
        ended, self._turns = turns > self._turns, turns
        if before not in RUNNING and (status in RUNNING or ended):
            self._answered()
        elif status not in RUNNING and self._answered_by is not None and before is not status:
            self._await_turn(ANSWERED_WITHIN_S)  # What was submitted meanwhile may start a turn now.

    def _key(self, key: Key) -> None:
        name = key_name(key)
        if name in INTERRUPTING_KEYS:
            self.interrupted()
        if name == "enter":
            self._submit()
        elif name == "ctrl+c":
            self._clear()
        elif name == "backspace":
            self._take_back()
        elif name in FILLING_KEYS:
            self._fill()
        elif name in NEW_LINE_KEYS:
            self._add("\n")
        elif key.text and not key.modifiers & COMMAND_MODIFIERS:
            self._add(key.text)

    def _text(self, text: str) -> None:
        if text in TYPED_INTERRUPTS:
            self.interrupted()
        if text.startswith("\x1b"):
            return  # A key's sequence.
        for character in text:
            if character == ENTER:
                self._submit()
            elif character == TYPED_CLEAR:
                self._clear()
            elif character in TYPED_BACKSPACE:
                self._take_back()
            elif character in TYPED_FILLING:
                self._fill()
            elif character.isprintable() or character == "\n":
                self._add(character)

    def _submit(self) -> None:
        """Rules 5, 7 and 8."""
        if self._status is Status.WAITING:
            return
        if self._length > 0 and (self._odd or not (self._command or self._status is Status.WORKING)):
            self._unsure = True
        self._length = 0
        self._await_turn(ANSWERED_WITHIN_S)

    def _add(self, text: str) -> None:
        if self._status is Status.WAITING:
            return
        self._begin(command=text.startswith(COMMAND_BEGINS))
        self._odd = self._odd or not ENTER_DIFFERS.isdisjoint(text)
        self._length = min(self._length + len(text), UNKNOWN_LENGTH)

    def _fill(self) -> None:
        """Rule 3. A command that was completed is one still."""
        if self._status is Status.WAITING:
            return
        self._begin(command=False)
        self._odd = self._odd or not self._command
        self._length = UNKNOWN_LENGTH

    def _begin(self, *, command: bool) -> None:
        """Something comes; what stood there before tells what it is."""
        if self._length == 0:
            self._command, self._odd = command, False

    def _take_back(self) -> None:
        if self._status is not Status.WAITING and 0 < self._length < UNKNOWN_LENGTH:
            self._length -= 1

    def _clear(self) -> None:
        self._length = 0
        self._unsure = False

    def _answered(self) -> None:
        self._answered_by = None
        self._unsure = False

    def _await_turn(self, seconds: float) -> None:
        self._answered_by = max(self._answered_by or 0.0, self._clock.monotonic() + seconds)

    def _unanswered_for(self) -> float:
        return 0.0 if self._answered_by is None else self._answered_by - self._clock.monotonic()

    def _since(self, at: float | None) -> float:
        return float("inf") if at is None else self._clock.monotonic() - at
