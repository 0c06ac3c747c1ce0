"""When panes are compressed."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from orca_tui.ui.resting import QUIET_S, Resting
from tests.ui.frame_table import Time


@dataclass(eq=False)
class Pane:
    parts: int = 1
    compressed: int = 0

    def compress(self) -> bool:
        self.compressed += 1
        return self.compressed % self.parts > 0


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def resting(time: Time) -> Resting:
    return Resting(time, time)


def test_a_quiet_pane_is_compressed_part_by_part_and_then_let_be(time: Time, resting: Resting) -> None:
    pane = Pane(parts=3)
    resting.spoke(pane)

    time.run(QUIET_S * 0.9)
    assert pane.compressed == 0

    time.run(QUIET_S)
    assert pane.compressed == 3
    assert time.scheduled == 0


def test_output_puts_it_off_and_more_begins_it_anew(time: Time, resting: Resting) -> None:
    pane = Pane()
    for _ in range(5):
        resting.spoke(pane)
        time.run(QUIET_S * 0.6)
    assert pane.compressed == 0

    time.run(QUIET_S)
    assert pane.compressed == 1

    resting.spoke(pane)
    time.run(2 * QUIET_S)
    assert pane.compressed == 2


def test_a_loud_pane_holds_up_no_other_one(time: Time, resting: Resting) -> None:
    loud, quiet = Pane(), Pane()
    resting.spoke(quiet)
    for _ in range(12):
        resting.spoke(loud)
        time.run(1.0)

    assert (loud.compressed, quiet.compressed) == (0, 1)


def test_a_pane_that_is_gone_is_let_be(time: Time, resting: Resting) -> None:
    pane = Pane()
    resting.spoke(pane)

    resting.forget(pane)
    time.run(2 * QUIET_S)

    assert pane.compressed == 0


def test_nothing_is_scheduled_after_the_end(time: Time, resting: Resting) -> None:
    resting.spoke(Pane())

    resting.close()

    assert time.scheduled == 0
