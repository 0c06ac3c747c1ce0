"""Four real agents in four visible panes of one UI: driven at once, pasted into, scrolled and killed.

All tests share them, in this order.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.four_agents import (
    ANSWER,
    GUESTS,
    REPORT,
    SCRIPT,
    WHEEL_DOWN,
    WHEEL_UP,
    FourAgents,
    Guest,
    seated,
)
from tests.e2e.side_by_side import compare

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
