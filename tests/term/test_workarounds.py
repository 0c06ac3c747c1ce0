"""The bytes that stand for what the engine lacks; that they work is tested with the engine."""

from __future__ import annotations

from orca_tui.term.workarounds import SOFT_RESET, private_position, soft_reset, without_column_switch


def test_a_soft_reset_brings_the_cursor_back() -> None:
    assert soft_reset(4, 9) == SOFT_RESET + b"\x1b[10;5H"


def test_a_column_switch_is_cancelled_and_its_other_modes_are_set() -> None:
    assert without_column_switch(b"text\x1b[?40;25;3h", b"25;3") == b"text\x1b[?40;25;3\x18\x1b[?25;3h"
    assert without_column_switch(b"h", b"") == b"\x18"


def test_a_position_report_becomes_a_private_one_with_a_page() -> None:
    assert private_position(b"\x1b[12;34R") == b"\x1b[?12;34;1R"
