"""Aligned columns, durations and harmless text for a terminal. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

GAP = "  "
ELLIPSIS = "…"
MINUTE_S, HOUR_S, DAY_S = 60, 3600, 86400


def aligned(rows: Iterable[Sequence[str]], width: int | None) -> Iterator[str]:
    """Rows as lines with aligned columns; a line beyond `width` cells is cut. Columns that are empty vanish."""
    table = [list(row) for row in rows]
    columns = [column for column in range(len(table[0]) if table else 0) if any(row[column] for row in table)]
    widths = {column: max(cells(row[column]) for row in table) for column in columns}
    for row in table:
        line = GAP.join(padded(row[column], widths[column]) for column in columns).rstrip()
        yield line if width is None else cut(line, width)


def cells(text: str) -> int:
    """Terminal cells of a text without control characters; good enough for columns of a table."""
    if text.isascii():
        return len(text)
    return sum(_cells_of(character) for character in text)


def padded(text: str, width: int) -> str:
    return text + " " * (width - cells(text))


def cut(text: str, width: int) -> str:
    """The text, shortened to `width` cells with an ellipsis where it is longer."""
    if cells(text) <= width:
        return text
    kept, used = [], cells(ELLIPSIS)
    for character in text:
        used += _cells_of(character)
        if used > width:
            break
        kept.append(character)
    return "".join(kept).rstrip() + ELLIPSIS


def plain(text: str) -> str:
    """One harmless line: control and format characters become spaces, so that no title steers the terminal."""
    if text.isprintable():
        return text
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def elapsed(seconds: float) -> str:
    """A duration in its largest unit or two: `12s`, `3m`, `2h05m`, `4d`."""
    whole = max(0, int(seconds))
    if whole < MINUTE_S:
        return f"{whole}s"
    if whole < HOUR_S:
        return f"{whole // MINUTE_S}m"
    if whole < DAY_S:
        return f"{whole // HOUR_S}h{whole % HOUR_S // MINUTE_S:02}m"
    return f"{whole // DAY_S}d"


def _cells_of(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
