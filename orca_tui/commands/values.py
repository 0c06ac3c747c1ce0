"""Values that requests share, and how text becomes them: sizes, counts, durations, statuses."""

from __future__ import annotations

import math
from typing import Annotated, TypeAlias

import msgspec

from orca_tui.base.errors import Invalid
from orca_tui.status.record import Status

LARGEST_SIDE = 1000  # Cells; beyond it is a typing error, and engines are tested up to it.

STATUS_WORDS: tuple[str, ...] = tuple(Status)

Side: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=LARGEST_SIDE)]
"""Columns or rows of a pane."""

LONGEST_NAME = 256
"""Characters, as of a title: a name stands where the title would."""

Name: TypeAlias = Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)]
"""Of a pane, a tab or a workspace."""

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]

Percent: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=100)]

Share: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=1)]

ColorPart: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=255)]
"""Red, green or blue."""

Seconds: TypeAlias = Annotated[float, msgspec.Meta(ge=0)]
"""A duration. The bound also keeps NaN out, which no timer can use."""


def size(text: str) -> tuple[int, int]:
    """`120x40` as (columns, rows)."""
    cols, _, rows = text.lower().partition("x")
    if not (cols.isascii() and cols.isdigit() and rows.isascii() and rows.isdigit()):
        raise Invalid(f"{text!r} is no size; write COLSxROWS, such as 120x40")
    if not (1 <= int(cols) <= LARGEST_SIDE and 1 <= int(rows) <= LARGEST_SIDE):
        raise Invalid(f"{text!r} is out of range; both sides go from 1 to {LARGEST_SIDE}")
    return int(cols), int(rows)


def assignment(text: str) -> tuple[str, str]:
    """`NAME=VALUE` as a pair."""
    name, equals, value = text.partition("=")
    if not equals or not name or "\0" in text:
        raise Invalid(f"{text!r} is no assignment; write NAME=VALUE")
    return name, value


def count(text: str) -> int:
    """A whole number from 1."""
    if not (text.isascii() and text.isdigit() and int(text) >= 1):
        raise Invalid(f"{text!r} is no count; write a whole number from 1")
    return int(text)


def percent(text: str) -> int:
    """A whole number from 1 to 100."""
    value = count(text.removesuffix("%"))
    if value > 100:
        raise Invalid(f"{text!r} is out of range; percents go from 1 to 100")
    return value


def seconds(text: str) -> float:
    """`2.5` as a duration; not negative, not endless."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise Invalid(f"{text!r} is no duration; write seconds, such as 30 or 0.5")
    return value


def statuses(text: str) -> tuple[Status, ...]:
    """`done,waiting` as statuses."""
    found = []
    for word in text.split(","):
        try:
            found.append(Status(word.strip()))
        except ValueError:
            words = ", ".join(STATUS_WORDS)
            raise Invalid(f"{word.strip()!r} is no status; there are {words}") from None
    return tuple(found)
