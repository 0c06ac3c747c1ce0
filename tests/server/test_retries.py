"""What a full disk has refused, on a clock that stands."""

from __future__ import annotations

import pytest

from orca_tui.base.errors import NotFound, StoreFailed
from orca_tui.server.retries import AGAIN_IN_S, Retries
from tests.fakes import FakeClock


class Disk:
    """Refuses so many times."""

    def __init__(self, refuses: int) -> None:
        self.refuses = refuses
        self.kept: list[str] = []

    def keep(self, what: str) -> None:
        if self.refuses:
            self.refuses -= 1
            raise StoreFailed("the disk is full")
        self.kept.append(what)


def test_what_was_refused_is_done_again_until_it_succeeds_and_then_no_more() -> None:
    clock, disk = FakeClock(), Disk(refuses=3)
    Retries(clock.call_later).surely("n1", lambda: disk.keep("n1"))
    clock.jump(2 * AGAIN_IN_S)
    before = list(disk.kept)
    clock.jump(10 * AGAIN_IN_S)

    assert (before, disk.kept, clock.timers) == ([], ["n1"], [])


def test_the_same_thing_takes_the_place_of_what_was_refused_before() -> None:
    clock, disk = FakeClock(), Disk(refuses=1)
    retries = Retries(clock.call_later)
    retries.surely("n1", lambda: disk.keep("old"))
    retries.surely("n2", lambda: disk.keep("other"))
    retries.surely("n1", lambda: disk.keep("new"))
    clock.jump(10 * AGAIN_IN_S)

    assert disk.kept == ["other", "new"]


def test_nothing_is_done_after_the_end() -> None:
    clock, disk = FakeClock(), Disk(refuses=1)
    retries = Retries(clock.call_later)
    retries.surely("n1", lambda: disk.keep("n1"))
    retries.close()
    clock.jump(10 * AGAIN_IN_S)

    assert disk.kept == []


def test_other_errors_are_their_callers() -> None:
    def fails() -> None:
        raise NotFound("no such pane")

    with pytest.raises(NotFound):
        Retries(FakeClock().call_later).surely("n1", fails)
