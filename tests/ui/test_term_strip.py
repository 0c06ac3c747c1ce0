"""A row of a pane as a strip."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from textual.color import Color
from textual.filter import Monochrome
from textual.strip import Strip

from orca_tui.term.engine import Row
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.ui.term_strip import TermStrip, exactly, strip_maker, strip_of_segments

COLS = 20
TEXTS = (
    "plain",
    "\x1b[1;31mred\x1b[m and \x1b[44mblue\x1b[m",
    "端末 wide",
    "e\u0301 👩‍👩‍👧 family",
    "\x1b[7m\x1b[2K",
)


def row_of(engines: GhosttyFactory, text: str) -> Row:
    engine = engines.new(COLS, 2, scrollback_lines=0)
    engine.apply(text.encode())
    row = engine.all_rows()[0]
    engine.close()
    return row


@pytest.fixture(params=TEXTS)
def row(request: pytest.FixtureRequest, engines: GhosttyFactory) -> Row:
    text: str = request.param
    return row_of(engines, text)


def test_a_strip_is_drawn_as_its_rows_own_text(row: Row) -> None:
    strip = TermStrip(row, COLS)

    assert strip.render(Console()) == row.ansi
    assert strip.cell_length == COLS
    assert strip.text == row.text


def test_a_strip_that_is_not_cut_stays_what_it_is(row: Row) -> None:
    strip = TermStrip(row, COLS)

    assert strip.divide([COLS]) == [strip]
    assert strip.divide([COLS])[0] is strip
    assert strip.crop(0, COLS) is strip
    assert strip.crop(0) is strip
    assert strip.adjust_cell_length(COLS) is strip


def test_the_plain_strip_says_the_same(row: Row) -> None:
    plain = TermStrip(row, COLS).plain

    assert type(plain) is Strip
    assert plain.text.rstrip() == row.text.rstrip()
    assert plain.cell_length == COLS


@pytest.mark.parametrize(("start", "end"), [(0, 7), (3, 12), (5, 20), (19, 20), (0, 0), (20, 20)])
def test_a_part_is_as_wide_as_it_says(row: Row, start: int, end: int) -> None:
    part = TermStrip(row, COLS).crop(start, end)

    assert part.cell_length == end - start
    assert cell_len(part.text) == end - start


def test_a_divided_strip_covers_the_same_cells(row: Row) -> None:
    parts = TermStrip(row, COLS).divide([5, 11, COLS])

    assert [part.cell_length for part in parts] == [5, 6, 9]


def test_what_needs_segments_gets_them(row: Row) -> None:
    strip = TermStrip(row, COLS)

    assert list(strip) == list(strip.plain)
    assert strip.apply_style(Style(bold=True)).cell_length == COLS
    assert strip.apply_filter(Monochrome(), Color(0, 0, 0)).cell_length == COLS
    assert strip.apply_offsets(0, 0).cell_length == COLS
    assert strip.crop_extend(0, 30, None).cell_length == 30
    assert Strip.join([strip, strip]).cell_length == 2 * COLS
    assert bool(strip)


def test_styles_become_rich_styles(engines: GhosttyFactory) -> None:
    strip = strip_of_segments(row_of(engines, "\x1b[1;3;4;31mred\x1b[m \x1b[38;2;1;2;3;48;5;200mrgb"), COLS)

    red, _, rgb, *_ = [segment.style for segment in strip]

    assert red is not None
    assert (red.bold, red.italic, red.underline) == (True, True, True)
    assert red.color is not None
    assert red.color.number == 1
    assert rgb is not None
    assert rgb.color is not None
    assert rgb.color.triplet == (1, 2, 3)
    assert rgb.bgcolor is not None
    assert rgb.bgcolor.number == 200


@pytest.mark.parametrize(
    ("system", "colour", "code"),
    [
        ("truecolor", "255;0;0", "38;2;255;0;0"),
        ("256", "255;0;0", "38;5;196"),
        ("standard", "254;1;1", "31"),  # Another red, since rich keeps what it made of a style.
    ],
)
def test_colours_are_what_the_outer_terminal_can_show(
    engines: GhosttyFactory, system: str, colour: str, code: str
) -> None:
    console = Console(color_system=system, force_terminal=True)  # type: ignore[arg-type]
    row = row_of(engines, f"\x1b[38;2;{colour}mred\x1b[m")

    assert f"\x1b[{code}mred" in strip_maker(console)(row, COLS).render(console)


def test_a_strip_is_brought_to_its_width() -> None:
    assert exactly(Strip.blank(3), 5).cell_length == 5
    assert cell_len(exactly(Strip.blank(9), 5).text) == 5
