"""Cells of a drawn row in another style."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip


def highlighted(strip: Strip, start: int, end: int, style: Style) -> Strip:
    """The row with `style` over the columns from `start` to before `end`; its own colors stay where it has none."""
    if start >= end:
        return strip
    middle = Strip(
        [Segment(text, (own or Style.null()) + style) for text, own, _ in strip.crop(start, end)],
        end - start,
    )
    parts = [strip.crop(0, start), middle, strip.crop(end, strip.cell_length)]
    return Strip.join([part for part in parts if part.cell_length])
