"""Which turn hooks speak of, and what may come in at each."""

from __future__ import annotations

from orca_tui.agents.notice_hooks import Boundary, HookCall
from orca_tui.server.hook_turns import HookTurn, asked, end_told, kept

NEW = HookTurn()
MOST = 8


def call(boundary: Boundary, turn: str | None = "t1") -> HookCall:
    return HookCall(event="any", boundary=boundary, session="s1", turn=turn, transcript=None)


def test_a_prompt_of_a_new_turn_may_take_something_along_and_one_that_waits_for_it_may_not() -> None:
    turn, first = asked(NEW, call(Boundary.PROMPT), MOST)
    turn, queued = asked(turn, call(Boundary.PROMPT), MOST)
    turn, later = asked(turn, call(Boundary.PROMPT, "t2"), MOST)

    assert (first, queued, later) == (True, False, True)
    assert turn.id == "t2"


def test_a_bell_that_joins_a_running_turn_wakes_nobody() -> None:
    turn, _ = asked(NEW, call(Boundary.PROMPT), MOST)

    assert asked(turn, call(Boundary.BELL), MOST) == (turn, False)
    assert asked(turn, call(Boundary.BELL, "t2"), MOST)[1]


def test_a_turn_without_a_prompts_hook_is_known_by_its_first_hook() -> None:
    turn, _ = asked(NEW, call(Boundary.PROMPT), MOST)
    turn, tool = asked(turn, call(Boundary.TOOL, "t2"), MOST)

    assert (turn.id, tool) == ("t2", True)


def test_a_turn_is_kept_from_its_end_eight_times_whoever_does_it() -> None:
    turn, answers = NEW, []
    for _ in range(10):
        turn, may_take = asked(turn, call(Boundary.END), MOST)
        answers.append(may_take)

    assert answers == [True] * MOST + [False] * 2


def test_agents_that_name_no_turns_may_take_something_along_with_every_prompt() -> None:
    turn, first = asked(NEW, call(Boundary.PROMPT, None), MOST)
    _, second = asked(turn, call(Boundary.PROMPT, None), MOST)

    assert first
    assert second


def test_an_end_that_was_answered_is_none_and_the_last_one_is() -> None:
    turn, _ = asked(NEW, call(Boundary.END), MOST)
    turn = kept(turn)
    turn, goes_on = end_told(turn, "t1")
    turn, _ = asked(turn, call(Boundary.END), MOST)
    turn, still = end_told(turn, "t1")

    assert (goes_on, still) == (True, False)


def test_the_end_of_another_turn_is_one() -> None:
    turn = kept(asked(NEW, call(Boundary.END), MOST)[0])

    assert end_told(turn, "t0") == (turn, False)
    assert end_told(turn, None) == (turn, False)
