"""Text of the command line as values, and why some text is none."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from orca_tui.base.errors import Invalid
from orca_tui.commands import values
from orca_tui.commands.arranging import ResizeRequest, SetRatioRequest, on_or_off
from orca_tui.commands.open import OpenRequest
from orca_tui.commands.wait import WaitRequest
from orca_tui.status.record import Status


@pytest.mark.parametrize(
    ("text", "value"), [("120x40", (120, 40)), ("1X1", (1, 1)), ("1000x1000", (1000, 1000))]
)
def test_a_size_is_columns_and_rows(text: str, value: tuple[int, int]) -> None:
    assert values.size(text) == value


@pytest.mark.parametrize(
    "text",
    ["", "x", "80", "80x", "x24", "0x24", "80x0", "1001x1", "-1x5", "8 0x24", "80x24x2", "٨x٨", "1e2x5"],
)
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        values.size(text)


@pytest.mark.parametrize(("text", "value"), [("A=b", ("A", "b")), ("A=", ("A", "")), ("A=b=c", ("A", "b=c"))])
def test_an_assignment_ends_its_name_at_the_first_sign(text: str, value: tuple[str, str]) -> None:
    assert values.assignment(text) == value


@pytest.mark.parametrize("text", ["", "A", "=b", "A=\0"])
def test_what_is_no_assignment_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        values.assignment(text)


@pytest.mark.parametrize(("text", "value"), [("0", 0.0), ("0.5", 0.5), ("30", 30.0), ("1e3", 1000.0)])
def test_a_duration_is_seconds(text: str, value: float) -> None:
    assert values.seconds(text) == value


@pytest.mark.parametrize("text", ["", "soon", "-1", "nan", "inf", "1e999"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        values.seconds(text)


@pytest.mark.parametrize("text", ["", "0", "-1", "1.5", "many", "²"])
def test_what_is_no_count_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        values.count(text)


def test_a_count_is_a_number_from_one() -> None:
    assert values.count("200") == 200


def test_statuses_are_separated_by_commas() -> None:
    assert values.statuses("done, waiting") == (Status.DONE, Status.WAITING)


@pytest.mark.parametrize("text", ["", "done,", "happy", "DONE"])
def test_what_is_no_status_is_refused_with_those_there_are(text: str) -> None:
    with pytest.raises(Invalid, match="there are unknown, idle"):
        values.statuses(text)


def test_zoom_goes_on_or_off() -> None:
    assert (on_or_off("on"), on_or_off("off")) == (True, False)
    with pytest.raises(Invalid):
        on_or_off("maybe")


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (OpenRequest, {"size": [0, 40]}),
        (OpenRequest, {"size": [100_000, 40]}),
        (OpenRequest, {"split": "left"}),
        (OpenRequest, {"surprise": 1}),
        (ResizeRequest, {"pane": "p1", "percent": 0}),
        (ResizeRequest, {"pane": "p1", "size": [10, 1001]}),
        (SetRatioRequest, {"tab": "t1", "path": [], "ratio": float("nan")}),
        (SetRatioRequest, {"tab": "t1", "path": [], "ratio": 1.5}),
        (WaitRequest, {"pane": "p1", "status": []}),
        (WaitRequest, {"pane": "p1", "status": ["done"], "timeout": float("nan")}),
        (WaitRequest, {"pane": "p1", "status": ["done"], "timeout": -1}),
    ],
)
def test_requests_refuse_what_is_out_of_range_wherever_they_come_from(
    kind: type[msgspec.Struct], fields: dict[str, Any]
) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(msgspec.msgpack.encode(fields), type=kind)
