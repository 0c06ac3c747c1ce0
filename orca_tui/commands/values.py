"""Text of the command line as values: sizes, environment variables, statuses."""

from __future__ import annotations

from orca_tui.base.errors import Invalid
from orca_tui.status.record import Status

LARGEST_SIDE = 1000  # Cells; beyond it is a typing error, and engines are tested up to it.


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


def statuses(text: str) -> tuple[Status, ...]:
    """`done,waiting` as statuses."""
    found = []
    for word in text.split(","):
        try:
            found.append(Status(word.strip()))
        except ValueError:
            words = ", ".join(Status)
            raise Invalid(f"{word.strip()!r} is no status; there are {words}") from None
    return tuple(found)
