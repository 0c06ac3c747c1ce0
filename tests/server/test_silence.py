"""What is due after silence, on a clock that stands."""

from __future__ import annotations

from orca_tui.server.silence import Silence
from tests.fakes import FakeClock


class Steps:
    """Two steps, of which the second has to be run `parts` times."""

    def __init__(self, parts: int = 1) -> None:
        self.clock = FakeClock()
        self.done: list[tuple[str, float]] = []
        self.parts = parts
        self.started = self.clock.monotonic()
        self.silence = Silence(((2.0, self.first), (10.0, self.second)), self.clock, self.clock.call_later)

    def at(self) -> float:
        return round(self.clock.monotonic() - self.started, 3)

    def first(self) -> bool:
        self.done.append(("first", self.at()))
        return False

    def second(self) -> bool:
        self.done.append(("second", self.at()))
        self.parts -= 1
        return self.parts > 0


def test_every_step_runs_once_at_its_time_and_then_no_timer_is_left() -> None:
    steps = Steps()
    steps.silence.broken()

    steps.clock.jump(100)

    assert steps.done == [("first", 2.0), ("second", 10.0)]
    assert steps.clock.timers == []


def test_what_is_said_meanwhile_begins_the_silence_anew_with_the_same_timer() -> None:
    steps = Steps()
    for _ in range(50):
        steps.silence.broken()
        assert len(steps.clock.timers) == 1
        steps.clock.jump(0.1)
    assert steps.done == []

    steps.clock.jump(2.0)
    assert steps.done == [("first", 6.9)]
    steps.silence.broken()
    steps.clock.jump(100)

    assert [name for name, _ in steps.done] == ["first", "first", "second"]


def test_a_silence_that_begins_anew_while_a_later_step_is_awaited_runs_the_first_in_time() -> None:
    steps = Steps()
    steps.silence.broken()
    steps.clock.jump(3.0)

    steps.silence.broken()
    steps.clock.jump(2.5)

    assert steps.done == [("first", 2.0), ("first", 5.0)]
    assert len(steps.clock.timers) == 1


def test_a_step_with_more_to_do_goes_on_at_once() -> None:
    steps = Steps(parts=3)
    steps.silence.broken()

    steps.clock.jump(10)

    assert [at for name, at in steps.done if name == "second"] == [10.0, 10.0, 10.0]


def test_nothing_is_due_after_a_stop() -> None:
    steps = Steps()
    steps.silence.broken()
    steps.silence.stop()
    steps.silence.stop()

    steps.clock.jump(100)

    assert steps.done == []
    assert steps.clock.timers == []
