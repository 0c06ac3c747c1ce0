"""The cells that a picture stands in: kitty's Unicode placeholders, written and read.

https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders: a cell with U+10EEEE shows a part of the image
whose number is its foreground color; diacritics say which row and column, and the number's highest byte; the color of
its underline may name a placement. What is left out goes on from the cell to the left.
"""

from __future__ import annotations

from collections.abc import Iterator

from orca_tui.term.cell_style import CellColor
from orca_tui.term.engine import PictureCell

PLACEHOLDER = "\U0010eeee"

_DIACRITICS = (
    "305 30D-30E 310 312 33D-33F 346 34A-34C 350-352 357 35B 363-36F 483-487 592-595 597-599 59C-5A1 5A8-5A9 5AB-5AC "
    "5AF 5C4 610-617 657-65B 65D-65E 6D6-6DC 6DF-6E2 6E4 6E7-6E8 6EB-6EC 730 732-733 735-736 73A 73D 73F-741 743 745 "
    "747 749-74A 7EB-7F1 7F3 816-819 81B-823 825-827 829-82D 951 953-954 F82-F83 F86-F87 135D-135F 17DD 193A 1A17 "
    "1A75-1A7C 1B6B 1B6D-1B73 1CD0-1CD2 1CDA-1CDB 1CE0 1DC0-1DC1 1DC3-1DC9 1DCB-1DCC 1DD1-1DE6 1DFE 20D0-20D1 "
    "20D4-20D7 20DB-20DC 20E1 20E7 20E9 20F0 2CEF-2CF1 2DE0-2DFF A66F A67C-A67D A6F0-A6F1 A8E0-A8F1 AAB0 AAB2-AAB3 "
    "AAB7-AAB8 AABE-AABF AAC1 FE20-FE26 10A0F 10A38 1D185-1D189 1D1AA-1D1AD 1D242-1D244"
)
"""The protocol's numbers from 0 to 296, in hexadecimal, as single characters and ranges."""


def _characters(ranges: str) -> str:
    ends = (part.partition("-") for part in ranges.split())
    return "".join(
        chr(code) for first, _, last in ends for code in range(int(first, 16), int(last or first, 16) + 1)
    )


DIACRITICS = _characters(_DIACRITICS)
_NUMBERS = {character: number for number, character in enumerate(DIACRITICS)}

MOST_CELLS = len(DIACRITICS)
"""Rows or columns that a picture can have."""


def goes_on(cell: PictureCell, before: PictureCell | None) -> bool:
    """Whether a cell goes on where the one to its left ends, so that it need not say what it shows."""
    return before == PictureCell(cell.x - 1, cell.image, cell.placement, cell.row, cell.col - 1)


def placeholder(row: int, col: int, high: int) -> str:
    """The characters of a cell; `high` is the image's highest byte."""
    return f"{PLACEHOLDER}{DIACRITICS[row]}{DIACRITICS[col]}{DIACRITICS[high]}"


def color_sgr(parameter: int, number: int) -> str:
    """The SGR sequence of a number as a color; `parameter` is 38 for the text's and 58 for the underline's."""
    separator = ";" if parameter == 38 else ":"
    middle = ";2;" if parameter == 38 else ":2::"
    parts = separator.join(str(number >> shift & 0xFF) for shift in (16, 8, 0))
    return f"\x1b[{parameter}{middle}{parts}m"


def number_of_color(color: CellColor) -> int:
    """The number that a color stands for: a palette's index, or 24 bits."""
    if isinstance(color, tuple):
        return color[0] << 16 | color[1] << 8 | color[2]
    return color or 0


class CellReader:
    """Reads the placeholders of one row from left to right."""

    def __init__(self) -> None:
        self._before: PictureCell | None = None
        self._colors: tuple[int, int] | None = None

    def read(self, x: int, text: str, foreground: CellColor, underline: CellColor) -> PictureCell:
        """The cell at column `x` with these characters, which begin with `PLACEHOLDER`, and colors."""
        low, placement = number_of_color(foreground), number_of_color(underline)
        told = list(_numbers(text))
        before = self._before
        if before is None or before.x != x - 1 or self._colors != (low, placement):
            before = None
        row = told[0] if told else (before.row if before else 0)
        if before is not None and before.row != row:
            before = None
        col = told[1] if len(told) > 1 else (before.col + 1 if before else 0)
        if before is not None and before.col + 1 != col:
            before = None
        high = told[2] if len(told) > 2 else (before.image >> 24 if before else 0)
        self._colors = low, placement
        self._before = PictureCell(x, (high & 0xFF) << 24 | low, placement, row, col)
        return self._before


def _numbers(text: str) -> Iterator[int]:
    for character in text[1:4]:
        number = _NUMBERS.get(character)
        if number is None:
            return
        yield number


def without_placeholders(text: str) -> str:
    """A text of several lines with a blank for each placeholder, and none at the ends of lines."""
    if PLACEHOLDER not in text:
        return text
    return "\n".join(
        blanks_for_placeholders(line).rstrip(" ") if PLACEHOLDER in line else line
        for line in text.split("\n")
    )


def blanks_for_placeholders(text: str) -> str:
    """A text with a blank for each placeholder."""
    first, *others = text.split(PLACEHOLDER)
    return "".join([first, *(" " + _after_diacritics(rest) for rest in others)])


def _after_diacritics(text: str) -> str:
    for index, character in enumerate(text[:3]):
        if character not in _NUMBERS:
            return text[index:]
    return text[3:]
