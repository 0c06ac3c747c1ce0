"""The notation of TRUTH.toml."""

from __future__ import annotations

import pytest

from orca_tui.status.record import Kind, Status
from tests.accuracy.truth import Moment, parse


def test_a_line_says_when_what_and_how() -> None:
    assert parse(["10 waiting kind=permission ring", "20 exited code -9"]).moments == (
        Moment(at=10, status=Status.WAITING, kind=Kind.PERMISSION, rings=True),
        Moment(at=20, status=Status.EXITED, code=-9),
    )


def test_another_ask_is_a_waiting() -> None:
    (moment,) = parse(["10 asks 2 ring"]).moments

    assert (moment.status, moment.another_ask, moment.rings) == (Status.WAITING, True, True)


@pytest.mark.parametrize(
    "lines",
    [
        ["10 sleeping"],
        ["10 done loudly"],
        ["soon done"],
        ["20 working", "10 done"],
    ],
)
def test_what_cannot_be_read_is_told(lines: list[str]) -> None:
    with pytest.raises(ValueError, match=r"sleeping|loudly|soon|out of order"):
        parse(lines)


def test_a_reason_for_a_moment_that_is_not_there_is_told() -> None:
    with pytest.raises(ValueError, match="no such moments"):
        parse(["10 idle"], {"20": "nobody could know"})
