"""What the engine knows of rows beside their text."""

from __future__ import annotations

from orca_tui.term.engine import RowMarks
from orca_tui.term.ghostty import GhosttyFactory

PROMPT = b"\x1b]133;A\x07$ \x1b]133;B\x07"


def test_rows_that_go_on_and_rows_with_prompts_are_told_scrollback_included() -> None:
    engine = GhosttyFactory().new(10, 3, scrollback_lines=100)
    engine.feed(b"one\r\ntwo long line here\r\n" + PROMPT + b"ls\r\n" + b"file\r\n" * 5 + PROMPT)

    assert engine.row_marks() == RowMarks(wrapped=(1,), prompts=(3, 9))
    assert engine.history_text(unwrap=False).split("\n")[3] == "$ ls"


def test_a_reflow_moves_the_marks() -> None:
    engine = GhosttyFactory().new(10, 3, scrollback_lines=100)
    engine.feed(b"two long line here\r\n" + PROMPT)

    engine.resize(30, 3)

    assert engine.row_marks() == RowMarks(wrapped=(), prompts=(1,))


def test_a_blank_terminal_has_no_marks() -> None:
    assert GhosttyFactory().new(10, 3, scrollback_lines=0).row_marks() == RowMarks()
