"""Which pane an inbox is in, whatever panes say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_tui.base.ids import PaneId
from orca_tui.server.homes import Homes

A, B, C = PaneId("p1"), PaneId("p2"), PaneId("p3")


class Panes:
    """Three panes, and which of them have an agent."""

    def __init__(self) -> None:
        self.alive = {A, B, C}
        self.homes = Homes(lambda pane: pane in self.alive)
        for pane in (A, B, C):
            self.homes.opened(pane, f"own {pane}")


@pytest.fixture
def panes() -> Panes:
    return Panes()


def test_a_pane_shows_its_own_inbox_until_it_names_a_session(panes: Panes) -> None:
    before = panes.homes.shown(A), panes.homes.home("own p1")

    came = panes.homes.names(A, "ses_1")

    assert before == ("own p1", A)
    assert (came, panes.homes.shown(A), panes.homes.home("ses_1")) == ([A], "ses_1", A)
    assert panes.homes.home("own p1") is None


def test_who_names_a_session_of_a_living_pane_keeps_its_own_inbox(panes: Panes) -> None:
    panes.homes.names(A, "ses_1")

    assert panes.homes.names(B, "ses_1") == []

    assert (panes.homes.home("ses_1"), panes.homes.shown(B)) == (A, "own p2")
    assert panes.homes.home("own p2") == B


def test_only_who_names_a_session_of_another_pane_is_a_guest(panes: Panes) -> None:
    for pane in (A, B):
        panes.homes.names(pane, "ses_1")
    before = [panes.homes.is_guest(pane) for pane in (A, B, C)]

    panes.homes.closed(A)

    assert before == [False, True, False]
    assert not panes.homes.is_guest(B)


def test_the_longest_waiting_pane_takes_a_session_that_is_left(panes: Panes) -> None:
    for pane in (A, C, B):
        panes.homes.names(pane, "ses_1")

    assert panes.homes.names(A, "ses_2") == [C, A]
    assert panes.homes.closed(C) == [B]
    assert panes.homes.home("ses_1") == B
    assert panes.homes.names(A, "ses_1") == []


def test_a_session_of_an_agent_that_has_ended_is_taken_and_stays_taken(panes: Panes) -> None:
    panes.homes.names(A, "ses_1")
    panes.alive.remove(A)
    alone = panes.homes.names(A, "ses_1"), panes.homes.home("ses_1")
    taken = panes.homes.names(B, "ses_1")
    panes.alive.add(A)

    assert (alone, taken) == (([], A), [B])
    assert panes.homes.names(A, "ses_1") == []
    assert panes.homes.home("ses_1") == B


def test_no_pane_gets_the_own_inbox_of_another_one(panes: Panes) -> None:
    panes.homes.names(A, "ses_1")

    panes.homes.names(B, "own p1")
    panes.homes.names(A, None)

    assert (panes.homes.shown(A), panes.homes.home("own p1")) == ("own p1", A)
    assert panes.homes.shown(B) == "own p2"


def test_of_a_closed_pane_nothing_is_known(panes: Panes) -> None:
    panes.homes.names(A, "ses_1")
    panes.homes.closed(A)

    assert (panes.homes.shown(A), panes.homes.home("ses_1"), panes.homes.home("own p1")) == (None, None, None)


NAMES = st.sampled_from([None, "ses_1", "ses_2", "own p1", "own p2"])


@given(st.lists(st.tuples(st.sampled_from([A, B, C]), NAMES, st.booleans()), max_size=20))
def test_what_a_pane_shows_is_in_that_pane_after_whatever_was_named(
    steps: list[tuple[PaneId, str | None, bool]],
) -> None:
    panes = Panes()
    for pane, name, alive in steps:
        (panes.alive.add if alive else panes.alive.discard)(pane)
        panes.homes.names(pane, name)
        for one in (A, B, C):
            shown = panes.homes.shown(one)
            assert shown is not None
            assert panes.homes.home(shown) == one
