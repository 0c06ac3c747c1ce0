"""The look of cells: the engine's raw style bytes as a plain value, and as the SGR sequence that shows it.

A raw style is the engine's style struct without its leading size; `b""` stands for the default style.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import Struct
from typing import TypeAlias

CellColor: TypeAlias = int | tuple[int, int, int] | None
"""A palette index (0 to 255), red, green and blue, or None: the terminal's default."""

# Three colors as tag, padding and value; bold, italic, faint, blink, inverse, invisible, struck, overlined; underline.
RAW_STYLE = Struct("<iIQiIQiIQ8?i4x")

COLOR_NONE = 0
COLOR_PALETTE = 1
COLOR_RGB = 2

SGR_FLAGS = ("1", "3", "2", "5", "7", "8", "9", "53")
"""By the flags of a raw style, in their order."""

SGR_FOREGROUND = 30
SGR_BACKGROUND = 40
SGR_BRIGHT = 60  # Added to the two above for palette entries 8 to 15.


@dataclass(frozen=True, slots=True, kw_only=True)
class CellStyle:
    """A style as a value. `underline` is 0 none, 1 single, 2 double, 3 curly, 4 dotted or 5 dashed."""

    foreground: CellColor = None
    background: CellColor = None
    underline_color: CellColor = None
    bold: bool = False
    italic: bool = False
    faint: bool = False
    blink: bool = False
    inverse: bool = False
    invisible: bool = False
    strikethrough: bool = False
    overline: bool = False
    underline: int = 0


DEFAULT_STYLE = CellStyle()


def cell_style(raw: bytes) -> CellStyle:
    """The value of a raw style as found in `Row.runs`."""
    if not raw:
        return DEFAULT_STYLE
    fg, _, fg_value, bg, _, bg_value, line, _, line_value, *flags = RAW_STYLE.unpack(raw)
    bold, italic, faint, blink, inverse, invisible, strikethrough, overline, underline = flags
    return CellStyle(
        foreground=_color(fg, fg_value),
        background=_color(bg, bg_value),
        underline_color=_color(line, line_value),
        bold=bold,
        italic=italic,
        faint=faint,
        blink=blink,
        inverse=inverse,
        invisible=invisible,
        strikethrough=strikethrough,
        overline=overline,
        underline=underline,
    )


def background_style(tag: int, value: int) -> bytes:
    """The raw style with only a background, `tag` and `value` as the engine writes colors."""
    return RAW_STYLE.pack(COLOR_NONE, 0, 0, tag, 0, value, COLOR_NONE, 0, 0, *([False] * 8), 0)


def number_style(number: int) -> bytes:
    """The raw style whose text color stands for the lower 24 bits of a number."""
    value = number >> 16 & 0xFF | number & 0xFF00 | (number & 0xFF) << 16
    return RAW_STYLE.pack(COLOR_RGB, 0, value, COLOR_NONE, 0, 0, COLOR_NONE, 0, 0, *([False] * 8), 0)


def sgr(raw: bytes) -> str:
    """The SGR sequence of a raw style, `""` for one without any attribute.

    The first 16 palette entries are written as 30-37 and 90-97, so that the outer terminal's theme applies.
    """
    fg, _, fg_value, bg, _, bg_value, line, _, line_value, *flags, underline = RAW_STYLE.unpack(raw)
    codes = [code for code, on in zip(SGR_FLAGS, flags, strict=True) if on]
    if underline:
        codes.append("4" if underline == 1 else f"4:{underline}")
    if fg:
        codes.append(_color_code(fg, fg_value, SGR_FOREGROUND))
    if bg:
        codes.append(_color_code(bg, bg_value, SGR_BACKGROUND))
    if line:
        codes.append(_underline_color_code(line, line_value))
    return f"\x1b[{';'.join(codes)}m" if codes else ""


class StyleSequences(dict[bytes, str]):
    """SGR sequences by raw style, made when first asked for; one for all terminals, bounded."""

    KEPT = 16_384
    """4 MB when full, which only a screen full of different truecolor cells comes near to."""

    def __missing__(self, raw: bytes) -> str:
        if len(self) >= self.KEPT:
            self.clear()
        sequence = self[raw] = sgr(raw)
        return sequence


def _color(tag: int, value: int) -> CellColor:
    if tag == COLOR_PALETTE:
        return value & 0xFF
    if tag == COLOR_RGB:
        return value & 0xFF, value >> 8 & 0xFF, value >> 16 & 0xFF
    return None


def _color_code(tag: int, value: int, base: int) -> str:
    if tag == COLOR_RGB:
        return f"{base + 8};2;{value & 0xFF};{value >> 8 & 0xFF};{value >> 16 & 0xFF}"
    index = value & 0xFF
    if index < 8:
        return str(base + index)
    if index < 16:
        return str(base + SGR_BRIGHT + index - 8)
    return f"{base + 8};5;{index}"


def _underline_color_code(tag: int, value: int) -> str:
    """With colons: terminals without colored underlines skip the whole parameter, not parts of it."""
    if tag == COLOR_RGB:
        return f"58:2::{value & 0xFF}:{value >> 8 & 0xFF}:{value >> 16 & 0xFF}"
    return f"58:5:{value & 0xFF}"
