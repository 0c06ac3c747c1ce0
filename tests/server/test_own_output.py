"""What a program that dies on the alternate screen leaves to be read."""

from __future__ import annotations

import pytest

from orca_tui.server.own_output import carried_over, left_behind
from orca_tui.term.ghostty import GhosttyEngine, GhosttyFactory


@pytest.fixture
def engine(engines: GhosttyFactory) -> GhosttyEngine:
    return engines.new(20, 6, scrollback_lines=100)


def died(engine: GhosttyEngine, written: bytes, *, at_prompt: bool = False) -> list[str]:
    """All lines after a program has written that, and has ended."""
    engine.feed(written)
    left = left_behind(engine)
    engine.feed(engine.reset_modes_bytes(at_prompt=at_prompt))
    engine.feed(carried_over(left, engine, at_prompt=at_prompt))
    return engine.history_text(unwrap=False).rstrip("\n").split("\n")


def test_what_stood_there_follows_what_stood_on_the_primary_screen(engine: GhosttyEngine) -> None:
    lines = died(engine, b"before\r\n\x1b[?1049h\x1b[2J\x1b[2;3Hframe\r\n\r\nError: \x1b[31mboom\x1b[m")

    assert lines == ["before", "  frame", "", "Error: boom"]
    assert engine.all_rows()[3].ansi.startswith("Error: \x1b")
    assert (engine.cursor().x, engine.cursor().y) == (0, 4)


def test_a_full_primary_screen_scrolls_up_for_it(engine: GhosttyEngine) -> None:
    before = [f"line {number}" for number in range(8)]

    lines = died(engine, "\r\n".join(before).encode() + b"\x1b[?1049h\x1b[Htop\x1b[6;1Hbottom")

    assert lines == [*before, "top", "", "", "", "", "bottom"]


def test_margins_and_insert_mode_of_the_program_do_not_put_it_elsewhere(engine: GhosttyEngine) -> None:
    lines = died(engine, b"before\x1b[?1049h\x1b[2;4r\x1b[?6h\x1b[4h\x1b[Hlast words")

    assert lines == ["before", "last words"]


def test_an_empty_screen_and_one_that_was_left_in_order_leave_nothing(engine: GhosttyEngine) -> None:
    assert died(engine, b"before\x1b[?1049h\x1b[2J") == ["before"]
    assert died(engine, b"\x1b[?1049hframe\x1b[?1049l, after") == ["before, after"]


def test_at_a_prompt_the_cursor_stays_behind_it(engine: GhosttyEngine) -> None:
    died(engine, b"$ tui\r\n\x1b[?1049h\x1b[HTraceback\r\nKilled\r\n$ ", at_prompt=True)

    engine.feed(b"ls")
    assert engine.screen_text(unwrap=False).split("\n")[:4] == ["$ tui", "Traceback", "Killed", "$ ls"]


def test_it_may_stand_above_the_end_of_what_is_there(engine: GhosttyEngine) -> None:
    died(engine, b"\x1b[?1049h\x1b[Hfirst\r\nlast\x1b[1;6H", at_prompt=True)

    engine.feed(b"!")
    assert engine.screen_text(unwrap=False).split("\n")[:2] == ["first!", "last"]


def test_rows_that_were_cut_at_the_right_do_not_wrap_in_a_narrower_terminal(engine: GhosttyEngine) -> None:
    died(engine, b"\x1b[?1049h\x1b[Hwords")

    engine.resize(10, 6)
    assert engine.history_text(unwrap=False).rstrip("\n") == "words"
