"""The look of cells as rich styles."""

from __future__ import annotations

from struct import calcsize

from orca_tui.term.cell_style import RAW_STYLE
from orca_tui.ui.cell_styles import rich_style


def raw(*, fg: tuple[int, int] = (0, 0), flags: int = 0, underline: int = 0) -> bytes:
    """An engine's style: foreground as tag and value, the flags as bits in their order, the underline's kind."""
    bits = [bool(flags >> bit & 1) for bit in range(8)]
    return RAW_STYLE.pack(fg[0], 0, fg[1], 0, 0, 0, 0, 0, 0, *bits, underline)


def test_the_default_style_is_no_style() -> None:
    assert not rich_style(b"")
    assert calcsize(RAW_STYLE.format) == len(raw())


def test_the_first_sixteen_colours_stay_the_outer_terminals_own() -> None:
    style = rich_style(raw(fg=(1, 9)))

    assert style.color is not None
    assert style.color.number == 9


def test_every_attribute_has_its_counterpart() -> None:
    style = rich_style(raw(flags=0b11111111))

    assert style.bold
    assert style.italic
    assert style.dim
    assert style.blink
    assert style.reverse
    assert style.conceal
    assert style.strike
    assert style.overline


def test_a_curly_underline_is_an_underline_and_a_double_one_stays_double() -> None:
    assert rich_style(raw(underline=3)).underline
    assert rich_style(raw(underline=2)).underline2
