"""Text made by the library's formatter."""

from __future__ import annotations

import pytest

from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.ghostty_engine import GhosttyEngine
from orca_tui.term.ghostty_format import keyboard_sequences, plain_text, screen_selection
from tests.term.terminals import recordings, texts


@pytest.fixture
def engine(factory: GhosttyFactory) -> GhosttyEngine:
    return factory.new(20, 5, scrollback_lines=100)


def test_the_sequences_show_the_same_screen_in_another_terminal(factory: GhosttyFactory) -> None:
    for recording in recordings():
        engine, other = (factory.new(recording.cols, recording.rows, scrollback_lines=1000) for _ in range(2))
        engine.feed(recording.data)
        other.feed(engine.vt_text())

        assert other.history_text(unwrap=True) == engine.history_text(unwrap=True)
        assert other.modes() == engine.modes()


def test_a_selection_is_what_lies_between_two_cells(engine: GhosttyEngine) -> None:
    engine.feed(b"abcdef\r\nghijkl\r\nmnopqr")
    library, terminal = engine._library, engine._terminal

    assert (
        plain_text(library, terminal, unwrap=False, selection=screen_selection(library, terminal, 3, 2))
        == "abcdef\nghi"
    )
    assert screen_selection(library, terminal, 21, 1) is None
    assert screen_selection(library, terminal, 1, 6) is None


def test_the_screen_is_the_live_one_while_the_viewport_is_scrolled(engine: GhosttyEngine) -> None:
    engine.feed(b"\r\n".join(b"line %d" % number for number in range(50)))
    engine.scroll(20)

    assert engine.screen_text(unwrap=False).splitlines() == [
        "line 45",
        "line 46",
        "line 47",
        "line 48",
        "line 49",
    ]
    assert texts(engine)[0] == "line 25"


def test_asking_for_the_keyboard_changes_nothing(engine: GhosttyEngine) -> None:
    engine.feed(b"\x1b[>4;2m\x1b[?1049h\x1b[3")

    assert b"\x1b[>4;2m" in keyboard_sequences(engine._library, engine._terminal)
    engine.feed(b"1mred")
    assert texts(engine)[0] == "red"
