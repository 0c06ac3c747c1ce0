"""What a picture store keeps and tells, as values; and which cells a picture has."""

from __future__ import annotations

from dataclasses import dataclass, field

from orca_tui.term.engine import CELL_PX
from orca_tui.term.pictures.cells import MOST_CELLS
from orca_tui.term.pictures.command import PictureCommand
from orca_tui.term.pictures.image import Image

NUMBER_BITS = 24
"""What the color of a cell can say."""
OURS = 0xFF
"""The highest byte of the image in cells that we write; programs count their own images from below."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """Cells to write at the cursor."""

    number: int
    cols: int
    rows: int
    keep_cursor: bool


@dataclass(slots=True, kw_only=True)
class Taken:
    """What a command brought."""

    answer: bytes = b""
    showing: Showing | None = None
    changed: set[int] = field(default_factory=set)
    """Images, as cells have them, that show something else or nothing now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    image: Image
    named: int
    """The program's id; 0 for none."""
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    key: int
    """Of the kept image."""
    named: int
    placement: int
    cols: int
    rows: int
    source: tuple[int, int, int, int]
    z: int


def cell_image(number: int) -> int:
    """The image that cells of a showing have."""
    return OURS << NUMBER_BITS | number


def shown_as(command: PictureCommand, key: int, kept: Kept) -> Shown:
    image = kept.image
    left, top, width, height = command.source
    left, top = min(left, image.width - 1), min(top, image.height - 1)
    width = min(width or image.width, image.width - left)
    height = min(height or image.height, image.height - top)
    cols, rows = _cells(command.cols, command.rows, width, height)
    return Shown(
        key=key,
        named=kept.named,
        placement=command.placement,
        cols=min(cols, MOST_CELLS),
        rows=min(rows, MOST_CELLS),
        source=(left, top, width, height),
        z=command.z,
    )


def _cells(cols: int, rows: int, width: int, height: int) -> tuple[int, int]:
    """The cells that are asked for; what is left out, by the size of the image in pixels that programs are told."""
    cell_width, cell_height = CELL_PX
    if not cols and not rows:
        return _whole(width, cell_width), _whole(height, cell_height)
    if not rows:
        return cols, _whole(cols * cell_width * height, width * cell_height)
    if not cols:
        return _whole(rows * cell_height * width, height * cell_width), rows
    return cols, rows


def _whole(part: int, of: int) -> int:
    return -(-part // of)
