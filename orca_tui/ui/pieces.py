"""A line of our chrome as data: pieces of text with a style and what a click on them means. Pure but for `content`."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from rich.cells import cell_len
from textual.content import Content

from orca_tui.status.record import Status
from orca_tui.ui.texts import fitted

STATUS_STYLES: dict[Status, str] = {
    Status.WAITING: "bold $text-warning",
    Status.ERROR: "bold $text-error",
    Status.WORKING: "$text-primary",
    Status.DONE: "$text-success",
    Status.IDLE: "$foreground-muted",
    Status.UNKNOWN: "$foreground-muted",
    Status.EXITED: "$foreground 35%",
}
"""Beside the glyph and the word, never instead of them."""

MUTED = "$foreground-muted"
STRONG = "bold"
LINE = "$foreground 35%"
FOCUSED_LINE = "bold $primary"
UNREAD = "bold $text-accent"


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """`style` is a Textual style of theme variables; `target` is what a click on the piece means."""

    text: str
    style: str = ""
    target: str = ""


Line = tuple[Piece, ...]


def width_of(line: Iterable[Piece]) -> int:
    """The cells that a line takes."""
    return sum(cell_len(piece.text) for piece in line)


def cut(line: Line, cells: int, ellipsis: str) -> Line:
    """The line cut to at most so many cells; the piece that is cut ends with the ellipsis."""
    kept: list[Piece] = []
    left = cells
    for piece in line:
        wide = cell_len(piece.text)
        if wide > left:
            kept.append(msgspec.structs.replace(piece, text=fitted(piece.text, left, ellipsis)))
            break
        kept.append(piece)
        left -= wide
    return tuple(kept)


def spread(left: Line, right: Line, cells: int, *, ellipsis: str, fill: Piece | None = None) -> Line:
    """Two lines at both ends of so many cells, the left one cut when both do not fit."""
    fill = fill or Piece(text=" ")
    if width_of(right) >= cells:
        right = ()
    left = cut(left, cells - width_of(right), ellipsis)
    gap = cells - width_of(left) - width_of(right)
    return (*left, msgspec.structs.replace(fill, text=fill.text * gap), *right)


def target_at(line: Iterable[Piece], x: int) -> str:
    """What a click at a cell means; empty for nothing."""
    at = 0
    for piece in line:
        at += cell_len(piece.text)
        if x < at:
            return piece.target
    return ""


def content(lines: Iterable[Line]) -> Content:
    """Lines as Textual draws them."""
    return Content("\n").join(
        Content.assemble(*((piece.text, piece.style) for piece in line)) for line in lines
    )
