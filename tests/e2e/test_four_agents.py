"""Four real agents in four visible panes of one UI: driven at once, pasted into, scrolled and killed.

All tests share them, in this order.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.four_agents import (
    ANSWER,
    COLS,
    GUESTS,
    REPORT,
    ROWS,
    SCRIPT,
    WHEEL_DOWN,
    WHEEL_UP,
    FourAgents,
    Guest,
    seated,
)
from tests.e2e.side_by_side import compare

SIZES = ((120, 30), (200, 50), (110, 28), (COLS, ROWS))
"""Narrower and wider, but not so narrow that OpenCode itself crashes, as it does in a terminal of 24 by 10."""
LEAVE_COPIES = {"gemini"}
"""Erases as many lines as it drew at its old width, so some of what was reflowed stays, in Ghostty itself too."""
ROW = ANSWER.strip("-\n ")

each_guest = pytest.mark.parametrize("guest", GUESTS, ids=lambda guest: guest.name)


@pytest.fixture(scope="module")
def four() -> Iterator[FourAgents]:
    with seated() as seats:
        yield seats


def test_the_sidebar_is_right_at_every_step_of_four_agents_side_by_side(four: FourAgents) -> None:
    said: list[str] = []

    assert compare(four, said.append) == [], "\n".join(said)


@each_guest
def test_a_paste_of_many_lines_is_one_paste_and_reaches_the_model_whole(
    four: FourAgents, guest: Guest
) -> None:
    four.focus(guest)
    four.paste(REPORT)
    four.shows(guest, guest.pasted)

    four.prompt(guest)

    four.sees(guest, ROW)
    assert four.asked_with(guest, REPORT)


@each_guest
def test_the_wheel_shows_the_prompt_above_a_long_answer_and_comes_back(
    four: FourAgents, guest: Guest
) -> None:
    assert SCRIPT not in four.seen(guest)

    four.turn_wheel(guest, WHEEL_UP, until=lambda seen: SCRIPT in seen)
    four.turn_wheel(guest, WHEEL_DOWN, until=lambda seen: SCRIPT not in seen and ROW in seen)


def test_what_is_being_typed_stands_once_in_each_agent_after_every_resize(four: FourAgents) -> None:
    typed = "being typed"
    for guest in GUESTS:
        four.focus(guest)
        four.terminal.write(typed)  # Whose view was scrolled back is at its prompt again.
        four.shows(guest, typed)
    for number, size in enumerate(SIZES):
        four.resize(*size)

        typed += f"-{number}"
        for guest in GUESTS:
            four.hand.type(four.panes[guest.name], f"-{number}")
        for guest in GUESTS:
            four.shows(guest, typed)  # So it has drawn itself at its new size.
            four.sees(guest, typed)
        counts = {
            guest.name: four.hand.everything(four.panes[guest.name]).count("being typed")
            for guest in GUESTS
            if guest.name not in LEAVE_COPIES
        }
        assert counts == dict.fromkeys(counts, 1)
