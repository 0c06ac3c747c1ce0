"""What a group of panes shows."""

from __future__ import annotations

import pytest

from orca_tui.status.record import Status, StatusRecord, roll_up


def pane(status: Status, *, agent: str | None = "opencode", unread: bool = False) -> StatusRecord:
    return StatusRecord(pane="p1", agent=agent, status=status, unread=unread)


@pytest.mark.parametrize(
    ("statuses", "shown"),
    [
        ([Status.WORKING, Status.WAITING, Status.ERROR], Status.WAITING),
        ([Status.WORKING, Status.ERROR, Status.IDLE], Status.ERROR),
        ([Status.WORKING, Status.UNKNOWN, Status.EXITED], Status.WORKING),
        ([Status.UNKNOWN, Status.IDLE], Status.UNKNOWN),
        ([Status.EXITED, Status.IDLE], Status.IDLE),
        ([Status.EXITED], Status.EXITED),
    ],
)
def test_a_group_shows_what_needs_the_user_most(statuses: list[Status], shown: Status) -> None:
    assert roll_up([pane(status) for status in statuses]) is shown


def test_an_unread_end_comes_before_idle_and_after_working() -> None:
    done = pane(Status.DONE, unread=True)

    assert roll_up([done, pane(Status.IDLE)]) is Status.DONE
    assert roll_up([done, pane(Status.WORKING)]) is Status.WORKING


def test_an_end_that_was_seen_counts_as_idle() -> None:
    assert roll_up([pane(Status.DONE), pane(Status.EXITED)]) is Status.IDLE


def test_a_shell_of_which_nothing_is_known_has_no_say() -> None:
    assert roll_up([pane(Status.UNKNOWN, agent=None), pane(Status.IDLE)]) is Status.IDLE
    assert roll_up([pane(Status.UNKNOWN, agent=None)]) is None
    assert roll_up([]) is None
