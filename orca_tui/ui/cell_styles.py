"""The look of a pane's cells as rich styles, for the few rows that cannot be drawn as ready ANSI text."""

from __future__ import annotations

from functools import lru_cache

from rich.color import Color
from rich.style import Style

from orca_tui.term.cell_style import CellColor, CellStyle, cell_style

CACHED_STYLES = 8192
"""True-colour output has thousands of styles; each costs about a kilobyte."""

DEFAULT = Style.null()


@lru_cache(maxsize=CACHED_STYLES)
def rich_style(raw: bytes) -> Style:
    """The rich style of an engine's raw style as found in `Row.runs`."""
    return _converted(cell_style(raw)) if raw else DEFAULT


def _converted(style: CellStyle) -> Style:
    return Style(
        color=_color(style.foreground),
        bgcolor=_color(style.background),
        bold=style.bold or None,
        dim=style.faint or None,
        italic=style.italic or None,
        underline=style.underline in (1, 3, 4, 5) or None,
        underline2=style.underline == 2 or None,
        blink=style.blink or None,
        reverse=style.inverse or None,
        conceal=style.invisible or None,
        strike=style.strikethrough or None,
        overline=style.overline or None,
    )


def _color(color: CellColor) -> Color | None:
    if color is None:
        return None
    return Color.from_rgb(*color) if isinstance(color, tuple) else Color.from_ansi(color)
