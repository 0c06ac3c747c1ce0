"""What a prompt box holds, rule by rule."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from orca_tui.server.prompt_box import ANSWERED_WITHIN_S, FIRST_TURN_WITHIN_S, TYPING_S, PromptBox
from orca_tui.status.record import Status
from orca_tui.term.input_events import Focus, InputEvent, Key, KeyAction, Mouse, MouseAction, Paste, Text
from orca_tui.term.key_names import parse_key
from tests.fakes import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def box(clock: FakeClock) -> PromptBox:
    box = PromptBox(clock)
    box.status_changed(Status.IDLE)
    return box


def press(box: PromptBox, *names: str) -> None:
    for name in names:
        box.typed(parse_key(name))


@pytest.mark.parametrize(
    "event",
    [
        parse_key("a"),
        Key(key="", text="é"),
        Paste(text="two words"),
        Text(data=b"x"),
        parse_key("shift+enter"),
    ],
)
def test_text_puts_a_draft_into_the_box(box: PromptBox, event: InputEvent) -> None:
    box.typed(event)

    assert box.draft


@pytest.mark.parametrize(
    "event",
    [
        parse_key("left"),
        parse_key("shift+tab"),
        parse_key("f5"),
        parse_key("ctrl+a"),
        Key(key="a", text="a", action=KeyAction.RELEASE),
        Mouse(action=MouseAction.PRESS),
        Focus(gained=True),
        Text(data=b"\x1b[A"),
    ],
)
def test_what_types_nothing_is_no_draft(box: PromptBox, event: InputEvent) -> None:
    box.typed(event)

    assert not box.draft


def test_enter_submits_it(box: PromptBox) -> None:
    press(box, "a", "enter")

    assert (box.draft, box.submitted) == (False, True)


def test_typed_bytes_count_as_their_keys(box: PromptBox) -> None:
    box.typed(Text(data=b"ab\x7f\x7f"))
    assert not box.draft

    box.typed(Text(data=b"go\r"))
    assert (box.draft, box.submitted) == (False, True)

    box.typed(Text(data=b"more\x03"))
    assert not box.draft


def test_backspace_takes_one_character_back(box: PromptBox) -> None:
    press(box, "a", "b", "backspace")
    assert box.draft

    press(box, "backspace", "backspace")
    assert not box.draft


def test_ctrl_c_takes_all_away(box: PromptBox) -> None:
    box.typed(Paste(text="long text"))
    press(box, "ctrl+c")

    assert not box.draft


def test_a_recalled_prompt_is_a_draft_until_it_is_submitted(box: PromptBox) -> None:
    press(box, "up", *["backspace"] * 50)
    assert box.draft

    press(box, "enter")
    assert not box.draft


@pytest.mark.parametrize(
    "event",
    [
        parse_key("tab"),
        parse_key("right"),
        parse_key("ctrl+v"),
        parse_key("ctrl+g"),
        parse_key("ctrl+x"),
        Paste(text=""),
        Text(data=b"\x16"),
        Text(data=b"\t"),
        Text(data=b"\x07"),
    ],
)
def test_a_suggestion_an_image_and_an_editor_leave_a_draft_of_unknown_length(
    box: PromptBox, event: InputEvent
) -> None:
    box.typed(event)
    press(box, *["backspace"] * 50)

    assert box.draft


@pytest.mark.parametrize(
    "before",
    [
        [Paste(text="fix @ma")],  # Enter takes the file's name.
        [Paste(text="first line\\")],  # Enter breaks the line.
        [parse_key("a"), parse_key("ctrl+g"), Text(data=b":wq")],  # Enter is the editor's.
        [parse_key("up")],
        [Paste(text="/review @ma")],
    ],
)
def test_a_draft_whose_enter_starts_no_turn_stands_there_still(
    box: PromptBox, clock: FakeClock, before: list[InputEvent]
) -> None:
    for event in before:
        box.typed(event)
    press(box, "enter")
    clock.jump(ANSWERED_WITHIN_S + 0.01)
    assert (box.draft, box.submitted) == (True, False)

    press(box, *["backspace"] * 50)
    assert box.draft

    press(box, "enter")
    box.status_changed(Status.WORKING)
    box.status_changed(Status.DONE)
    clock.jump(ANSWERED_WITHIN_S + 0.01)
    assert not box.draft


def test_a_second_enter_submits_what_the_first_completed(box: PromptBox, clock: FakeClock) -> None:
    box.typed(Paste(text="fix @ma"))
    press(box, "enter", "enter")
    clock.jump(ANSWERED_WITHIN_S + 0.01)
    assert box.draft

    box.status_changed(Status.WORKING)

    assert not box.draft


@pytest.mark.parametrize("keys", [["/", "h", "enter"], ["/", "h", "tab", "enter"], ["enter"]])
def test_a_command_and_an_empty_box_leave_no_draft(box: PromptBox, clock: FakeClock, keys: list[str]) -> None:
    press(box, *keys)
    clock.jump(ANSWERED_WITHIN_S + 0.01)

    assert (box.draft, box.submitted) == (False, False)


def test_what_was_a_command_is_none_when_it_was_taken_back(box: PromptBox, clock: FakeClock) -> None:
    press(box, "/", "backspace", "a", "enter")
    clock.jump(ANSWERED_WITHIN_S + 0.01)

    assert box.draft


@pytest.mark.parametrize(
    "ends", [lambda box: press(box, "ctrl+c"), PromptBox.emptied, PromptBox.session_changed]
)
def test_what_empties_the_box_takes_an_unanswered_draft_along(
    box: PromptBox, clock: FakeClock, ends: Callable[[PromptBox], None]
) -> None:
    press(box, "a", "enter")
    ends(box)
    clock.jump(FIRST_TURN_WITHIN_S + 0.01)

    assert not box.draft


def test_a_turn_that_is_over_before_it_is_told_of_answers_a_submit_too(
    box: PromptBox, clock: FakeClock
) -> None:
    box.status_changed(Status.DONE, turns=1)
    press(box, "a", "enter")

    box.status_changed(Status.DONE, turns=2)

    assert not box.submitted
    clock.jump(ANSWERED_WITHIN_S + 0.01)
    assert not box.draft


@pytest.mark.parametrize(("text", "draft"), [("and the tests", False), ("and @te", True)])
def test_what_was_submitted_while_a_turn_ran_may_have_come_in_with_it(
    box: PromptBox, clock: FakeClock, text: str, draft: bool
) -> None:
    box.status_changed(Status.WORKING)
    box.typed(Paste(text=text))
    press(box, "enter")
    box.status_changed(Status.DONE, turns=1)
    clock.jump(ANSWERED_WITHIN_S + 0.01)

    assert box.draft is draft


def test_keys_that_answer_the_agent_are_no_draft(box: PromptBox) -> None:
    box.status_changed(Status.WAITING)
    press(box, "1", "y")
    box.status_changed(Status.WORKING)

    assert not box.draft


def test_a_draft_outlives_a_question(box: PromptBox) -> None:
    press(box, "a")
    box.status_changed(Status.WAITING)
    press(box, "enter")
    box.status_changed(Status.WORKING)

    assert box.draft


def test_the_start_of_a_turn_answers_a_submit(box: PromptBox) -> None:
    press(box, "a", "enter")

    box.status_changed(Status.WORKING)

    assert not box.submitted


def test_a_submit_that_starts_no_turn_is_forgotten(box: PromptBox, clock: FakeClock) -> None:
    press(box, "a", "enter")
    clock.jump(ANSWERED_WITHIN_S + 0.01)

    assert not box.submitted


def test_what_was_submitted_while_a_turn_ran_is_awaited_from_its_end(
    box: PromptBox, clock: FakeClock
) -> None:
    box.status_changed(Status.WORKING)
    press(box, "a", "enter")
    clock.jump(60)
    assert not box.submitted

    box.status_changed(Status.DONE)
    assert box.submitted
    clock.jump(ANSWERED_WITHIN_S + 0.01)
    assert not box.submitted


def test_somebody_types_for_a_moment_after_each_key(box: PromptBox, clock: FakeClock) -> None:
    press(box, "left")
    assert box.typing
    assert box.settles_in() == pytest.approx(TYPING_S)

    clock.jump(TYPING_S + 0.01)
    assert not box.typing
    assert box.settles_in() == 0


def test_interrupting_keys_are_remembered(box: PromptBox, clock: FakeClock) -> None:
    assert box.interrupted_at is None

    press(box, "escape")
    assert box.interrupted_at == clock.now()

    clock.jump(5)
    box.typed(Text(data=b"\x03"))
    assert box.interrupted_at == clock.now()


def test_what_we_could_not_submit_is_a_draft(box: PromptBox) -> None:
    box.filled()
    assert box.draft

    box.emptied()
    assert not box.draft


def test_a_session_that_appears_after_a_submit_is_there_to_answer_it(
    box: PromptBox, clock: FakeClock
) -> None:
    press(box, "a", "enter")
    clock.jump(ANSWERED_WITHIN_S - 0.1)

    box.session_changed()

    clock.jump(FIRST_TURN_WITHIN_S - 0.1)
    assert box.submitted
    box.status_changed(Status.WORKING)
    assert not box.submitted


def test_a_session_that_was_only_shown_answers_nothing(box: PromptBox, clock: FakeClock) -> None:
    press(box, "a", "enter", "b")
    clock.jump(ANSWERED_WITHIN_S)

    box.session_changed()

    assert (box.draft, box.submitted, box.settles_in()) == (False, False, 0)
