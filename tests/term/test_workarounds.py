"""The bytes that stand for what the engine lacks; that they work is tested with the engine."""

from __future__ import annotations

from orca_tui.term.workarounds import (
    SOFT_RESET,
    private_position,
    soft_reset,
    unknown_capabilities,
    without_column_switch,
)


def test_a_soft_reset_brings_the_cursor_back() -> None:
    assert soft_reset(4, 9) == SOFT_RESET + b"\x1b[10;5H"


def test_a_column_switch_is_cancelled_and_its_other_modes_are_set() -> None:
    assert without_column_switch(b"text\x1b[?40;25;3h", b"25;3") == b"text\x1b[?40;25;3\x18\x1b[?25;3h"
    assert without_column_switch(b"h", b"") == b"\x18"


def test_a_position_report_becomes_a_private_one_with_a_page() -> None:
    assert private_position(b"\x1b[12;34R") == b"\x1b[?12;34;1R"


def test_capabilities_that_were_not_answered_are_unknown() -> None:
    answers = [b"\x1b[?1;2c", b"\x1bP1+r544E=78\x1b\\", b"\x1bP1+r5375\x1b\\"]

    assert unknown_capabilities((b"544e", b"7A7a", b"5375"), answers) == [b"\x1bP0+r7A7a\x1b\\"]
