"""Who is read first, on timers of the test's own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from orca_tui.process.reading_order import ECHO_S, SLICE_S, TYPING_S, TYPING_SLICE_S, ReadingOrder

NOW = 1000.0


class Entry:
    def __init__(self) -> None:
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class Timers:
    """Calls that are to come, which come when they are told to."""

    def __init__(self) -> None:
        self.calls: list[tuple[float, Callable[[], None], Entry]] = []

    def call_later(self, delay: float, callback: Callable[[], None]) -> Entry:
        entry = Entry()
        self.calls.append((delay, callback, entry))
        return entry

    @property
    def due(self) -> list[float]:
        return [delay for delay, _, entry in self.calls if not entry.cancelled]

    def pass_all(self) -> None:
        calls, self.calls = self.calls, []
        for _, callback, entry in calls:
            if not entry.cancelled:
                callback()


@pytest.fixture
def timers() -> Timers:
    return Timers()


@pytest.fixture
def order(timers: Timers) -> ReadingOrder:
    return ReadingOrder(timers.call_later)


def test_without_a_key_it_is_everybodys_turn(order: ReadingOrder) -> None:
    assert order.is_turn_of("a")
    assert order.is_turn_of("b")


def test_after_a_key_only_its_program_is_read_until_it_says_something(
    order: ReadingOrder, timers: Timers
) -> None:
    went_on: list[str] = []
    order.typed("a", NOW)
    assert order.is_turn_of("a")
    assert not order.is_turn_of("b")
    order.wait(lambda: went_on.append("b"))

    order.said("b")  # What was read of it before.
    assert went_on == []
    order.said("a")

    assert went_on == ["b"]
    assert order.is_turn_of("b")
    assert timers.due == []


def test_a_program_that_says_nothing_holds_the_others_up_for_20_ms_however_many_keys_come(
    order: ReadingOrder, timers: Timers
) -> None:
    went_on: list[str] = []
    order.typed("a", NOW)
    order.wait(lambda: went_on.append("b"))
    order.typed("a", NOW)
    order.typed("c", NOW)
    assert timers.due == [ECHO_S]

    timers.pass_all()

    assert went_on == ["b"]
    assert order.is_turn_of("b")


def test_who_waited_is_called_once(order: ReadingOrder) -> None:
    went_on: list[str] = []
    order.typed("a", NOW)
    order.wait(lambda: went_on.append("b"))
    order.said("a")

    order.typed("a", NOW)
    order.said("a")

    assert went_on == ["b"]


def test_while_somebody_types_the_others_are_read_in_short_slices(order: ReadingOrder) -> None:
    assert order.slice_s("b", NOW) == SLICE_S
    order.typed("a", NOW)

    assert order.slice_s("b", NOW + TYPING_S - 0.01) == TYPING_SLICE_S
    assert order.slice_s("a", NOW + TYPING_S - 0.01) == SLICE_S
    assert order.slice_s("b", NOW + TYPING_S) == SLICE_S
