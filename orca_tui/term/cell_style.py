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


def sgr(raw: bytes) -> str:
    """The SGR sequence of a raw style, `""` for one without any attribute.

    The first 16 palette entries are written as 30-37 and 90-97, so that the outer terminal's theme applies.
    """
    style = cell_style(raw)
    codes = [code for code, on in _flag_codes(style) if on]
    if style.underline:
        codes.append("4" if style.underline == 1 else f"4:{style.underline}")
    for color, base in ((style.foreground, SGR_FOREGROUND), (style.background, SGR_BACKGROUND)):
        if color is not None:
            codes.append(_color_code(color, base))
    if style.underline_color is not None:
        codes.append(_underline_color_code(style.underline_color))
    return f"\x1b[{';'.join(codes)}m" if codes else ""


def _flag_codes(style: CellStyle) -> tuple[tuple[str, bool], ...]:
    return (
        ("1", style.bold),
        ("2", style.faint),
        ("3", style.italic),
        ("5", style.blink),
        ("7", style.inverse),
        ("8", style.invisible),
        ("9", style.strikethrough),
        ("53", style.overline),
    )


def _color(tag: int, value: int) -> CellColor:
    if tag == COLOR_PALETTE:
        return value & 0xFF
    if tag == COLOR_RGB:
        return value & 0xFF, value >> 8 & 0xFF, value >> 16 & 0xFF
    return None


def _color_code(color: int | tuple[int, int, int], base: int) -> str:
    if isinstance(color, tuple):
        red, green, blue = color
        return f"{base + 8};2;{red};{green};{blue}"
    if color < 8:
        return str(base + color)
    if color < 16:
        return str(base + SGR_BRIGHT + color - 8)
    return f"{base + 8};5;{color}"


def _underline_color_code(color: int | tuple[int, int, int]) -> str:
    """With colons: terminals without colored underlines skip the whole parameter, not parts of it."""
    if isinstance(color, tuple):
        red, green, blue = color
        return f"58:2::{red}:{green}:{blue}"
    return f"58:5:{color}"
