"""Raw styles as values and as sequences."""

from __future__ import annotations

import pytest

from orca_tui.term.cell_style import (
    COLOR_PALETTE,
    COLOR_RGB,
    DEFAULT_STYLE,
    RAW_STYLE,
    CellStyle,
    StyleSequences,
    background_style,
    cell_style,
    sgr,
)
from orca_tui.term.ghostty import GhosttyFactory

LOOKS = [
    (b"1", CellStyle(bold=True), "\x1b[1m"),
    (b"2", CellStyle(faint=True), "\x1b[2m"),
    (b"3", CellStyle(italic=True), "\x1b[3m"),
    (b"4", CellStyle(underline=1), "\x1b[4m"),
    (b"4:2", CellStyle(underline=2), "\x1b[4:2m"),
    (b"4:3", CellStyle(underline=3), "\x1b[4:3m"),
    (b"4:4", CellStyle(underline=4), "\x1b[4:4m"),
    (b"4:5", CellStyle(underline=5), "\x1b[4:5m"),
    (b"5", CellStyle(blink=True), "\x1b[5m"),
    (b"7", CellStyle(inverse=True), "\x1b[7m"),
    (b"8", CellStyle(invisible=True), "\x1b[8m"),
    (b"9", CellStyle(strikethrough=True), "\x1b[9m"),
    (b"53", CellStyle(overline=True), "\x1b[53m"),
    (b"31", CellStyle(foreground=1), "\x1b[31m"),
    (b"97", CellStyle(foreground=15), "\x1b[97m"),
    (b"44", CellStyle(background=4), "\x1b[44m"),
    (b"100", CellStyle(background=8), "\x1b[100m"),
    (b"38;5;3", CellStyle(foreground=3), "\x1b[33m"),
    (b"38;5;200", CellStyle(foreground=200), "\x1b[38;5;200m"),
    (b"48;5;16", CellStyle(background=16), "\x1b[48;5;16m"),
    (b"38;2;1;2;3", CellStyle(foreground=(1, 2, 3)), "\x1b[38;2;1;2;3m"),
    (b"48:2::255:0:9", CellStyle(background=(255, 0, 9)), "\x1b[48;2;255;0;9m"),
    (b"4;58:5:9", CellStyle(underline=1, underline_color=9), "\x1b[4;58:5:9m"),
    (b"4;58:2::7:8:9", CellStyle(underline=1, underline_color=(7, 8, 9)), "\x1b[4;58:2::7:8:9m"),
    (b"1;3;31;42", CellStyle(bold=True, italic=True, foreground=1, background=2), "\x1b[1;3;31;42m"),
]


@pytest.mark.parametrize(("set_by", "value", "sequence"), LOOKS)
def test_a_style_of_the_engine_is_read_and_written(
    factory: GhosttyFactory, set_by: bytes, value: CellStyle, sequence: str
) -> None:
    engine = factory.new(10, 1, scrollback_lines=0)
    engine.feed(b"\x1b[" + set_by + b"mx")
    text, raw = engine.all_rows()[0].runs[0]

    assert text == "x"
    assert cell_style(raw) == value
    assert sgr(raw) == sequence


@pytest.mark.parametrize(("set_by", "value", "sequence"), LOOKS)
def test_the_sequence_gives_the_same_style_again(
    factory: GhosttyFactory, set_by: bytes, value: CellStyle, sequence: str
) -> None:
    engine = factory.new(10, 1, scrollback_lines=0)
    engine.feed(sequence.encode() + b"x")

    assert cell_style(engine.all_rows()[0].runs[0][1]) == value


def test_no_bytes_are_the_default_style() -> None:
    assert cell_style(b"") is DEFAULT_STYLE


def test_a_style_without_attributes_has_no_sequence() -> None:
    assert sgr(bytes(RAW_STYLE.size)) == ""


def test_a_background_alone_is_a_style() -> None:
    assert cell_style(background_style(COLOR_PALETTE, 4)) == CellStyle(background=4)
    assert cell_style(background_style(COLOR_RGB, 0x030201)) == CellStyle(background=(1, 2, 3))


def test_sequences_are_kept_up_to_a_bound() -> None:
    sequences = StyleSequences()
    for color in range(StyleSequences.KEPT + 10):
        assert sequences[background_style(COLOR_RGB, color)].startswith("\x1b[48;2;")

    assert 0 < len(sequences) <= StyleSequences.KEPT
