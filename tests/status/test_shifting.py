"""A clock that is set back, and what is known when it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import msgspec
import pytest

from orca_tui.status.board import Board
from orca_tui.status.events import TimePassed
from orca_tui.status.pane import Pane
from orca_tui.status.record import Status
from orca_tui.status.shifting import SKEW_S, by_clock, shifted
from orca_tui.status.times import MAX_LATE_S
from tests.status.told import PROFILES, asked, end, esc, file, output, post, program, said, start

MakePane = Callable[..., Any]
DAY_S = 86400.0


def lived(timeline: MakePane) -> Pane:
    """A pane of which everything is known that has a time."""
    pane = timeline("claude", board=Board(PROFILES))
    pane.observe(
        said(1000, "working"),
        program(1001, "working", "claude"),
        start(1002, "t1"),
        asked(1003, "a", turn="t1"),
        file(1004, "working"),
        esc(1005),
        output(1006),
        post(1007, agent="claude"),
    )
    stored = msgspec.msgpack.decode(pane.board.save("p1"))
    return msgspec.convert(stored["pane"], Pane)


def times(value: Any) -> list[float]:
    """Every number in it that is one of our times."""
    if is_dataclass(value) and not isinstance(value, type):
        return [time for field in fields(value) for time in times(getattr(value, field.name))]
    if isinstance(value, msgspec.Struct):
        return [time for name in value.__struct_fields__ for time in times(getattr(value, name))]
    if isinstance(value, dict):
        return [time for one in value.values() for time in times(one)]
    if isinstance(value, tuple):
        return [time for one in value for time in times(one)]
    return [value] if isinstance(value, float) and 900 < value < 2000 else []


def test_every_time_of_a_pane_moves(timeline: MakePane) -> None:
    pane = lived(timeline)

    moved = shifted(pane, -500.0)

    assert len(times(pane)) > 20
    assert not [time for time in times(moved) if time > 900]
    assert shifted(moved, 500.0) == shifted(pane, 0.0)


@pytest.mark.parametrize(
    ("late_s", "back_s", "moves"),
    [(0.0, SKEW_S, False), (0.0, SKEW_S + 1, True), (MAX_LATE_S, MAX_LATE_S + 1, False)],
)
def test_only_what_cannot_be_late_tells_that_the_clock_was_set_back(
    late_s: float, back_s: float, moves: bool, timeline: MakePane
) -> None:
    pane = lived(timeline)

    assert (by_clock(pane, pane.now - back_s, late_s=late_s) is not pane) is moves


def test_an_ask_rings_in_time_after_the_clock_was_set_back(timeline: MakePane) -> None:
    pane = timeline("claude", board=Board(PROFILES))
    pane.observe(start(DAY_S, "t1"), asked(DAY_S + 1, "a", turn="t1"))

    for at in (1.0, 1.4):
        pane.board.observe("p1", TimePassed(at=at))

    assert pane.board.record("p1").unread
    assert pane.board.record("p1").since <= 1.4


def test_a_turn_without_an_id_is_not_late_after_the_clock_was_set_back(timeline: MakePane) -> None:
    pane = timeline("claude", board=Board(PROFILES))
    pane.observe(start(DAY_S), end(DAY_S + 5))

    pane.board.observe("p1", start(10))

    assert pane.board.record("p1").status is Status.WORKING


def test_a_flash_of_a_title_is_no_end_after_the_clock_was_set_back(timeline: MakePane) -> None:
    pane = timeline("gemini", board=Board(PROFILES))
    pane.observe(said(DAY_S, "working"))

    for at, says in ((10.0, "working"), (20.0, "idle"), (20.1, "working")):
        pane.board.observe("p1", said(at, says))

    assert (pane.board.record("p1").status, pane.board.record("p1").turns) == (Status.WORKING, 0)


def test_a_pane_that_was_stored_by_a_clock_ahead_goes_on(timeline: MakePane) -> None:
    before = timeline("claude", board=Board(PROFILES))
    before.observe(start(DAY_S, "t1"))

    after = timeline("claude", board=Board(PROFILES), saved=before.board.save("p1"))
    after.observe(asked(1, "a", turn="t1"))
    after.run_until(3)

    assert (after.record.status, after.rings) == (Status.WAITING, [Status.WAITING])


def test_a_clock_that_is_set_forward_makes_nothing_done(timeline: MakePane) -> None:
    pane = timeline("claude", board=Board(PROFILES))

    pane.observe(start(1, "t1"), output(1), TimePassed(at=DAY_S))
    assert pane.record.status is Status.UNKNOWN
    pane.observe(output(DAY_S + 1))

    assert (pane.record.status, pane.rings) == (Status.WORKING, [])
