"""The keyboard and the clipboard on their way."""

from __future__ import annotations

import pytest

from orca_tui.config import Keys
from orca_tui.term.input_events import Paste
from orca_tui.term.key_names import key_name, parse_key
from orca_tui.ui.keyboard import HOLD_LIMIT_S, Hold, Keyboard, Typed
from orca_tui.ui.keymap import keymap
from orca_tui.ui.prefix import HINTS_AFTER_S, Awaiting
from tests.ui.frame_table import Time


class Typist:
    """Writes down what it is told; `holds` makes every action hold the keyboard."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.awaited: list[Awaiting] = []
        self.keyboard: Keyboard
        self.holds = False
        self.held: list[Hold] = []

    def send(self, event: Typed) -> None:
        self.done.append(f"paste {event.text}" if isinstance(event, Paste) else key_name(event))

    def perform(self, action: str) -> None:
        self.done.append(f"run {action}")
        if self.holds:
            self.held.append(self.keyboard.hold())

    def awaiting(self, awaiting: Awaiting) -> None:
        self.awaited.append(awaiting)

    def unbound(self, key: str) -> None:
        self.done.append(f"unbound {key}")


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def typist(time: Time) -> Typist:
    typist = Typist()
    typist.keyboard = Keyboard(keymap(Keys()), time, time, typist)
    return typist


def press(typist: Typist, *keys: str) -> None:
    for key in keys:
        typist.keyboard.take(parse_key(key))


def test_what_is_typed_keeps_its_order(typist: Typist) -> None:
    press(typist, "a")
    typist.keyboard.take(Paste(text="pasted"))
    press(typist, "ctrl+b", "z", "b")

    assert typist.done == ["a", "paste pasted", "run zoom", "b"]


def test_what_is_typed_after_a_split_waits_for_the_new_pane(typist: Typist) -> None:
    typist.holds = True
    press(typist, "ctrl+b", "%", "l", "s")
    typist.keyboard.take(Paste(text="pasted"))
    assert typist.done == ["run split_right"]

    typist.held.pop().release()

    assert typist.done == ["run split_right", "l", "s", "paste pasted"]


def test_a_second_action_waits_for_the_first(typist: Typist) -> None:
    typist.holds = True
    press(typist, "ctrl+b", "%", "ctrl+b", '"', "x")
    assert typist.done == ["run split_right"]

    typist.held.pop().release()
    assert typist.done == ["run split_right", "run split_down"]

    typist.held.pop().release()
    assert typist.done[-1] == "x"


def test_two_holds_are_both_waited_for(typist: Typist) -> None:
    one, two = typist.keyboard.hold(), typist.keyboard.hold()
    press(typist, "a")

    one.release()
    one.release()
    assert typist.done == []

    two.release()
    assert typist.done == ["a"]


def test_a_server_that_does_not_answer_does_not_keep_the_keyboard(typist: Typist, time: Time) -> None:
    typist.keyboard.hold()
    press(typist, "a")

    time.run(HOLD_LIMIT_S)

    assert typist.done == ["a"]


def test_a_dialog_takes_what_was_typed_for_it(typist: Typist) -> None:
    hold = typist.keyboard.hold()
    press(typist, "n", "a")

    waiting = typist.keyboard.take_waiting()
    hold.release()

    assert waiting == [parse_key("n"), parse_key("a")]
    assert typist.done == []


def test_the_keys_are_shown_after_a_moment_and_hidden_by_the_next(typist: Typist, time: Time) -> None:
    press(typist, "ctrl+b")
    assert typist.keyboard.prefixed
    time.run(HINTS_AFTER_S)
    press(typist, "z")

    assert typist.awaited == [
        Awaiting(prefixed=True, hints=False),
        Awaiting(prefixed=True, hints=True),
        Awaiting(prefixed=False, hints=False),
    ]
    assert time.scheduled == 0


def test_somebody_who_knows_the_key_never_sees_the_list(typist: Typist, time: Time) -> None:
    press(typist, "ctrl+b", "z")
    time.run(2 * HINTS_AFTER_S)

    assert not any(awaiting.hints for awaiting in typist.awaited)


def test_a_choice_with_the_mouse_ends_the_wait_for_a_key(typist: Typist, time: Time) -> None:
    press(typist, "ctrl+b")

    typist.keyboard.cancel()
    typist.keyboard.cancel()
    press(typist, "z")

    assert typist.done == ["z"]
    assert typist.awaited[-1] == Awaiting(prefixed=False, hints=False)
    assert len(typist.awaited) == 2
    assert time.scheduled == 0


def test_after_the_end_nothing_is_scheduled(typist: Typist, time: Time) -> None:
    typist.keyboard.hold()
    press(typist, "ctrl+b")

    typist.keyboard.close()

    assert time.scheduled == 0
