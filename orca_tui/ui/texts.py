"""Text as our chrome may show it: on one line, without control characters, as wide as its place. Pure."""

from __future__ import annotations

import re

from rich.cells import cell_len, set_cell_size

ZERO_WIDTH_JOINER = "\u200d"
"""Makes one picture of several, as emoji families are."""

READ_PER_S = 15
"""Characters that somebody reads who has to notice them first."""
SHORTEST_READING_S = 5.0

MINUTE_S = 60
HOUR_S = 60 * MINUTE_S
DAY_S = 24 * HOUR_S
INPUT_DROPPED = "a part of what you typed while there was no server reached nobody"


def one_line(text: str) -> str:
    """The text on one line: every run of blanks is one space, and nothing in it moves a cursor or turns it around.

    Control, bidi, private and unassigned characters go: no two terminals agree on them.
    """
    spaced = re.sub(r"\s+", " ", text)
    return "".join(char for char in spaced if char.isprintable() or char == ZERO_WIDTH_JOINER).strip()


def fitted(text: str, cells: int, ellipsis: str = "…") -> str:
    """The text cut to at most so many cells; what was cut is shown by the ellipsis."""
    if cell_len(text) <= cells:
        return text
    if cells <= len(ellipsis):
        return ellipsis[: max(cells, 0)]
    return set_cell_size(text, cells - len(ellipsis)).rstrip() + ellipsis


def reading_s(text: str) -> float:
    """How long a text that nobody expects has to be shown, in seconds."""
    return max(SHORTEST_READING_S, len(text) / READ_PER_S)


def elapsed(seconds: float) -> str:
    """A time span in the largest unit that fits: `now`, `3m`, `2h`, `4d`. Changes once a minute at most."""
    if seconds < MINUTE_S:
        return "now"
    if seconds < HOUR_S:
        return f"{int(seconds // MINUTE_S)}m"
    if seconds < DAY_S:
        return f"{int(seconds // HOUR_S)}h"
    return f"{int(seconds // DAY_S)}d"


def ago(seconds: float) -> str:
    """When something was, so long before now: `3m ago`."""
    return "just now" if seconds < MINUTE_S else f"{elapsed(seconds)} ago"


def size_of(count: int | None) -> str:
    """Bytes for people: `48M`, `1.2G`; a dash when they are unknown."""
    if count is None:
        return "-"
    if count < 1 << 30:
        return f"{count / (1 << 20):.0f}M"
    return f"{count / (1 << 30):.1f}G"
