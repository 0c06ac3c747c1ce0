"""What a pressed key means."""

from __future__ import annotations

from orca_tui.config import Keys
from orca_tui.term.input_events import Key, KeyAction, Modifiers
from orca_tui.term.key_names import parse_key
from orca_tui.ui.keymap import keymap
from orca_tui.ui.prefix import (
    HINTS_AFTER_S,
    REPEAT_S,
    Awaiting,
    Effect,
    HintsDue,
    Pressed,
    Run,
    Send,
    State,
    Unbound,
    advance,
)

KEYMAP = keymap(Keys(bindings={"zoom": ["prefix z", "alt+z"]}))
AWAITED = Awaiting(prefixed=True, hints=False)
OVER = Awaiting(prefixed=False, hints=False)


def press(state: State, *keys: str, at: float = 0.0) -> tuple[State, list[Effect]]:
    done: list[Effect] = []
    for name in keys:
        state, effects = advance(state, Pressed(key=parse_key(name), at=at), KEYMAP)
        done += effects
    return state, done


def send(name: str) -> Send:
    return Send(key=parse_key(name))


def test_every_key_without_the_prefix_is_the_childs() -> None:
    keys = ("a", "ctrl+c", "ctrl+q", "ctrl+p", "escape", "tab", "shift+tab", "f1", "ctrl+\\", "%")

    assert press(State(), *keys)[1] == [send(key) for key in keys]


def test_the_prefix_waits_for_a_key_and_runs_its_action() -> None:
    assert press(State(), "ctrl+b", "%")[1] == [AWAITED, OVER, Run(action="split_right")]


def test_after_the_action_keys_are_the_childs_again() -> None:
    assert press(State(), "ctrl+b", "%", "%")[1][-1] == send("%")


def test_the_prefix_twice_goes_to_the_child_once() -> None:
    assert press(State(), "ctrl+b", "ctrl+b")[1] == [AWAITED, OVER, send("ctrl+b")]


def test_escape_takes_the_prefix_back() -> None:
    assert press(State(), "ctrl+b", "escape", "escape")[1] == [AWAITED, OVER, send("escape")]


def test_a_key_without_an_action_does_nothing_and_says_so() -> None:
    assert press(State(), "ctrl+b", "y")[1] == [AWAITED, OVER, Unbound(name="y")]


def test_a_direct_key_runs_without_the_prefix() -> None:
    assert press(State(), "alt+z")[1] == [Run(action="zoom")]


def test_an_action_that_repeats_needs_no_prefix_for_half_a_second() -> None:
    state, _ = press(State(), "ctrl+b", "ctrl+left", at=10.0)

    state, effects = press(state, "ctrl+left", at=10.0 + REPEAT_S - 0.1)
    assert effects == [Run(action="resize_left")]
    state, effects = press(state, "ctrl+up", at=10.0 + 2 * REPEAT_S - 0.2)
    assert effects == [Run(action="resize_up")]
    _, effects = press(state, "ctrl+up", at=20.0)
    assert effects == [send("ctrl+up")]


def test_another_key_ends_the_repeating_and_means_what_it_always_means() -> None:
    state, _ = press(State(), "ctrl+b", "ctrl+left", at=10.0)

    _, effects = press(state, "x", "ctrl+left", at=10.1)

    assert effects == [send("x"), send("ctrl+left")]


def test_an_action_that_does_not_repeat_is_not_repeated() -> None:
    state, _ = press(State(), "ctrl+b", "z", at=10.0)

    assert press(state, "z", at=10.1)[1] == [send("z")]


def test_the_keys_are_shown_when_none_follows_the_prefix() -> None:
    assert HINTS_AFTER_S > 0
    state, _ = press(State(), "ctrl+b")

    state, effects = advance(state, HintsDue(), KEYMAP)
    assert effects == (Awaiting(prefixed=True, hints=True),)

    assert press(state, "z")[1] == [OVER, Run(action="zoom")]


def test_the_end_of_a_wait_that_is_over_shows_nothing() -> None:
    state, _ = press(State(), "ctrl+b", "z")

    assert advance(state, HintsDue(), KEYMAP) == (state, ())


def test_the_release_of_a_key_that_was_ours_is_not_the_childs() -> None:
    state, _ = press(State(), "ctrl+b", "z")

    released = Key(key="z", action=KeyAction.RELEASE)
    state, effects = advance(state, Pressed(key=released, at=0.0), KEYMAP)
    assert effects == ()

    _, effects = advance(state, Pressed(key=released, at=0.0), KEYMAP)
    assert effects == (Send(key=released),)


def test_the_release_of_the_childs_key_is_the_childs() -> None:
    state, _ = press(State(), "a")
    released = Key(key="a", action=KeyAction.RELEASE)

    assert advance(state, Pressed(key=released, at=0.0), KEYMAP)[1] == (Send(key=released),)


def test_shift_on_the_way_to_the_key_after_the_prefix_changes_nothing() -> None:
    shift = Key(key="left_shift", modifiers=Modifiers.SHIFT)
    state, _ = press(State(), "ctrl+b")

    state, effects = advance(state, Pressed(key=shift, at=0.0), KEYMAP)

    assert effects == ()
    assert press(state, "%")[1] == [OVER, Run(action="split_right")]


def test_a_held_key_repeats_for_the_child() -> None:
    repeat = Key(key="a", text="a", action=KeyAction.REPEAT)

    assert advance(State(), Pressed(key=repeat, at=0.0), KEYMAP)[1] == (Send(key=repeat),)
