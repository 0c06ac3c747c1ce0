"""A pane held still."""

from __future__ import annotations

from weakref import ref

import pytest
from textual.strip import Strip

from orca_tui.term.engine import Row, RowMarks
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.ui.copying.paper import Paper
from orca_tui.ui.frozen_pane import FrozenPane, url_at
from orca_tui.ui.selection import Spot
from tests.term.terminals import UNSOUND
from tests.ui.test_pane_model import Pair


@pytest.fixture
def pair(engines: GhosttyFactory) -> Pair:
    pair = Pair(engines, cols=40)
    pair.output(b"".join(b"line %d\r\n" % number for number in range(30)))
    pair.output(b"\x1b]8;;https://example.org/own\x07own\x1b]8;;\x07 and https://example.org/x.")
    pair.snapshot(with_history=True)
    pair.shown()
    return pair


@pytest.fixture
def frozen(pair: Pair) -> FrozenPane:
    found = pair.model.freeze()
    assert found is not None
    return found


class Drawn(Strip):
    """Can be referred to weakly."""


def test_all_rows_are_there_and_the_cursor_where_it_was(frozen: FrozenPane) -> None:
    assert frozen.paper.text_of(0) == "line 0"
    assert frozen.cursor.line == 30
    assert frozen.text.startswith("line 0\nline 1\n")


def test_what_is_shown_afterwards_changes_nothing(pair: Pair, frozen: FrozenPane) -> None:
    before = [strip.text for strip in frozen.strips(10, 3)]

    pair.output(b"\x1b[2J\x1b[3J\x1b[Hgone")
    pair.shown()

    assert [strip.text.rstrip() for strip in frozen.strips(10, 3)] == ["line 10", "line 11", "line 12"]
    assert [strip.text for strip in frozen.strips(10, 3)] == before


def test_a_pane_that_the_library_makes_no_snapshot_of_is_held_still_too(engines: GhosttyFactory) -> None:
    pair = Pair(engines, cols=80)
    pair.snapshot(with_history=True)
    pair.output(UNSOUND)
    pair.resize(41, 24)
    pair.output(b"\x1b[5;1Hheld")
    pair.feed()
    frozen = pair.model.freeze()

    assert frozen is not None
    assert "held" in frozen.text


def test_rows_are_drawn_from_any_place(frozen: FrozenPane) -> None:
    for top in (0, 5, frozen.paper.last_row - 1):
        texts = [strip.text.rstrip() for strip in frozen.strips(top, 2)]
        assert texts == [frozen.paper.text_of(top), frozen.paper.text_of(top + 1)]


def test_what_was_drawn_last_is_held_for_the_pictures_that_it_waits_for(engines: GhosttyFactory) -> None:
    made: list[ref[Strip]] = []

    def strip_of(_: Row, width: int) -> Strip:
        strip = Drawn([], width)
        made.append(ref(strip))
        return strip

    frozen = FrozenPane(engines.new(10, 4, scrollback_lines=0), strip_of)
    frozen.strips(0, 2)
    frozen.strips(0, 1)

    assert [strip() is not None for strip in made] == [False, False, True]
    frozen.close()


def test_links_are_those_of_the_program_and_those_in_the_text(frozen: FrozenPane) -> None:
    assert frozen.link_at(Spot(30, 1)) == "https://example.org/own"
    assert frozen.link_at(Spot(30, 12)) == "https://example.org/x"
    assert frozen.link_at(Spot(30, 4)) == ""
    assert frozen.link_at(Spot(3, 1)) == ""


@pytest.mark.parametrize(
    ("text", "col", "url"),
    [
        ("see https://a.b/c?d=1&e#f, then", 8, "https://a.b/c?d=1&e#f"),
        ("(https://a.b)", 5, "https://a.b"),
        ("https://en.org/Orca_(whale)", 3, "https://en.org/Orca_(whale)"),
        ("<mailto:me@a.b>", 3, "mailto:me@a.b"),
        ("nothttp://", 2, ""),
        ("https://a.b x", 12, ""),
        ("端末 https://a.b", 6, "https://a.b"),
    ],
)
def test_a_link_ends_where_the_sentence_goes_on(text: str, col: int, url: str) -> None:
    assert url_at(Paper([text], 80), Spot(0, col)) == url


def test_a_link_goes_on_in_the_next_row() -> None:
    paper = Paper(["https://a.b", "/c d"], 11, RowMarks(wrapped=(0,)))

    assert url_at(paper, Spot(1, 1)) == "https://a.b/c"
    assert url_at(paper, Spot(1, 3)) == ""
