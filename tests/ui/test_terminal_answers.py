"""What the terminal told, and what it still owes."""

from __future__ import annotations

import pytest

from orca_tui.term.replies import DeviceAttributes, KittyFlags, TerminalVersion
from orca_tui.ui.terminal_answers import TerminalAnswers

FENCE = DeviceAttributes(level=1, parameters=(62,))


def test_a_terminal_that_answers_the_fence_alone_has_no_kitty_protocol() -> None:
    answers = TerminalAnswers()
    answers.asked()
    assert (answers.kitty_flags, answers.fences_due) == (None, 1)

    assert answers.take([FENCE])

    assert (answers.kitty_flags, answers.fences_due) == (0, 0)


def test_what_a_terminal_told_is_kept() -> None:
    answers = TerminalAnswers()
    answers.asked()

    assert not answers.take([KittyFlags(flags=31), TerminalVersion(name="ghostty 1.3")])
    answers.take([FENCE])

    assert (answers.kitty_flags, answers.name) == (31, "ghostty 1.3")


def test_an_answer_that_nobody_waits_for_changes_no_count() -> None:
    answers = TerminalAnswers()

    answers.take([FENCE, FENCE])

    assert answers.fences_due == 0


@pytest.mark.parametrize(
    ("name", "flags", "wanted"),
    [
        ("XTerm(390)", None, True),
        ("tmux 3.5", None, True),
        ("tmux 3.7", 31, False),
        ("foot 1.2", None, False),
    ],
)
def test_modify_other_keys_is_wanted_where_it_is_known_and_nothing_better_is(
    name: str, flags: int | None, wanted: bool
) -> None:
    answers = TerminalAnswers()
    answers.take([TerminalVersion(name=name), *([] if flags is None else [KittyFlags(flags=flags)]), FENCE])

    assert answers.wants_other_keys is wanted
