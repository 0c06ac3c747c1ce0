"""The bulk row reader: equal to reading cell by cell, and aware of what changed."""

from __future__ import annotations

import random

import pytest

from orca_tui.term.cell_style import CellStyle, cell_style
from orca_tui.term.engine import Row
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.ghostty_engine import GhosttyEngine
from tests.term.slow_rows import slow_rows
from tests.term.terminals import Recording, recordings


def merged(row: Row) -> Row:
    """The row with neighboring runs of one style as one: the reader may cut where the engine has two ids.

    U+10FFFF, which is no character, may be shown as U+FFFD.
    """
    runs: list[tuple[str, bytes]] = []
    for text, raw in ((text.replace("\U0010ffff", "\ufffd"), raw) for text, raw in row.runs):
        if runs and runs[-1][1] == raw:
            runs[-1] = (runs[-1][0] + text, raw)
        elif text:
            runs.append((text, raw))
    return Row(tuple(runs), "", "".join(text for text, _ in runs))


def looks(engine: GhosttyEngine, y: int = 0) -> list[tuple[str, CellStyle]]:
    return [(text, cell_style(raw)) for text, raw in engine.all_rows()[y].runs]


def assert_rows_are_right(engine: GhosttyEngine) -> None:
    assert [merged(row) for row in engine.all_rows()] == [merged(row) for row in slow_rows(engine)]


@pytest.mark.parametrize("recording", recordings(), ids=lambda recording: recording.name)
def test_recordings_are_read_as_cell_by_cell(factory: GhosttyFactory, recording: Recording) -> None:
    engine = factory.new(recording.cols, recording.rows, scrollback_lines=100)
    step = max(len(recording.data) // 8, 1)
    for start in range(0, len(recording.data), step):
        engine.feed(recording.data[start : start + step])
        assert_rows_are_right(engine)


def test_random_screens_are_read_as_cell_by_cell(factory: GhosttyFactory) -> None:
    random_ = random.Random(3)
    pieces = [
        "a",
        "Z ",
        "端",
        "👩\u200d👩\u200d👧",
        "e\u0301",
        "❤\ufe0f",
        "\U0010ffff",
        "🇳🇴",
        "\r\n",
        "\x1b[K",
        "\x1b[J",
        "\x1b[2X",
    ]
    for cols in (1, 2, 3, 17, 80):
        engine = factory.new(cols, 6, scrollback_lines=50)
        for _ in range(60):
            sgr = random_.choice(
                [
                    f"38;2;{random_.randrange(4)};0;0",
                    f"48;5;{random_.randrange(20)}",
                    "1",
                    "0",
                    "7",
                    "48;2;1;2;3",
                ]
            )
            text = "".join(random_.choice(pieces) for _ in range(4))
            engine.feed(f"\x1b[{sgr}m{text}\x1b[{random_.randrange(7)};{random_.randrange(20)}H".encode())
            assert_rows_are_right(engine)


@pytest.mark.parametrize(
    "text",
    [
        "abc",
        "端末",
        "e\u0301tude",
        "👩\u200d👩\u200d👧 family",
        "❤\ufe0f",
        "🇳🇴🇸🇪",
        "a\U0010ffff端b",
        "👍🏽",
        "\u0e01\u0e33",
    ],
)
def test_wide_and_combined_characters_come_once_and_without_filler(
    factory: GhosttyFactory, text: str
) -> None:
    engine = factory.new(20, 1, scrollback_lines=0)
    engine.feed(text.encode())
    row = engine.all_rows()[0]

    expected = text.replace("\U0010ffff", "\ufffd") if "端" in text else text
    assert row.text.rstrip() == expected
    assert row.ansi == row.text
    assert row.runs == ((row.text, b""),)


def test_a_row_with_only_a_background_keeps_it(factory: GhosttyFactory) -> None:
    engine = factory.new(6, 2, scrollback_lines=0)
    engine.feed(b"\x1b[42m\x1b[2J\x1b[48;2;9;8;7m\x1b[2;1H\x1b[K\x1b[1;3H\x1b[mx")

    assert looks(engine, 0) == [
        ("  ", CellStyle(background=2)),
        ("x", CellStyle()),
        ("   ", CellStyle(background=2)),
    ]
    assert looks(engine, 1) == [("      ", CellStyle(background=(9, 8, 7)))]
    assert engine.all_rows()[1].ansi == "\x1b[48;2;9;8;7m      \x1b[m"


def test_styled_runs_are_closed_and_plain_ones_are_plain(factory: GhosttyFactory) -> None:
    engine = factory.new(9, 1, scrollback_lines=0)
    engine.feed(b"a\x1b[1;31mbc\x1b[md\x1b[44me\x1b[m")

    assert engine.all_rows()[0].ansi == "a\x1b[1;31mbc\x1b[md\x1b[44me\x1b[m    "


def test_a_style_used_again_for_another_look_is_not_stale(factory: GhosttyFactory) -> None:
    """The engine gives a freed style's id to the next new style, so equal cells may look different."""
    engine = factory.new(10, 2, scrollback_lines=0)
    for color in range(1, 200):
        engine.feed(b"\r\x1b[38;5;%dmspin\x1b[m" % color)

        assert looks(engine)[0] == ("spin", CellStyle(foreground=color))


def test_all_rows_have_exactly_the_width_of_the_screen(factory: GhosttyFactory) -> None:
    engine = factory.new(5, 2, scrollback_lines=0)
    engine.feed("abcd端x".encode())
    first, second = engine.all_rows()

    assert first.text == "abcd "  # The wide character did not fit into the last cell.
    assert second.text == "端x  "


def test_only_changed_rows_are_dirty_and_only_once(factory: GhosttyFactory) -> None:
    engine = factory.new(20, 5, scrollback_lines=0)
    assert [y for y, _ in engine.dirty_rows()] == [0, 1, 2, 3, 4]
    assert list(engine.dirty_rows()) == []

    engine.feed(b"\x1b[2;1Hsecond\x1b[4;1Hfourth")

    assert [(y, row.text.rstrip()) for y, row in engine.dirty_rows() if row.text.strip()] == [
        (1, "second"),
        (3, "fourth"),
    ]
    assert list(engine.dirty_rows()) == []


def test_reading_all_rows_leaves_the_dirty_ones_dirty(factory: GhosttyFactory) -> None:
    engine = factory.new(20, 3, scrollback_lines=0)
    list(engine.dirty_rows())
    engine.feed(b"\x1b[3;1Hx")
    engine.all_rows()

    assert 2 in [y for y, _ in engine.dirty_rows()]


def test_dirty_rows_that_were_not_all_taken_come_again(factory: GhosttyFactory) -> None:
    engine = factory.new(20, 3, scrollback_lines=0)
    rows = engine.dirty_rows()
    next(rows)
    rows.close()

    assert [y for y, _ in engine.dirty_rows()] == [0, 1, 2]


def test_dirty_rows_bring_an_old_picture_up_to_date(factory: GhosttyFactory) -> None:
    for recording in recordings():
        engine = factory.new(recording.cols, recording.rows, scrollback_lines=100)
        picture: dict[int, Row] = {}
        for start in range(0, len(recording.data), 5000):
            engine.feed(recording.data[start : start + 5000])
            picture.update(engine.dirty_rows())
        assert [picture[y] for y in range(recording.rows)] == engine.all_rows()


def test_a_resized_screen_is_read_at_its_new_width(factory: GhosttyFactory) -> None:
    engine = factory.new(20, 2, scrollback_lines=0)
    engine.feed(b"wide enough")
    list(engine.dirty_rows())
    engine.resize(7, 3)

    assert [row.text for row in engine.all_rows()] == ["wide en", "ough   ", "       "]
    assert [y for y, _ in engine.dirty_rows()] == [0, 1, 2]


@pytest.mark.parametrize(
    ("sequence", "shape", "blinking"),
    [
        (b"0", "block", False),
        (b"1", "block", True),
        (b"2", "block", False),
        (b"3", "underline", True),
        (b"4", "underline", False),
        (b"5", "bar", True),
        (b"6", "bar", False),
    ],
)
def test_the_cursor_has_the_shape_that_was_asked_for(
    factory: GhosttyFactory, sequence: bytes, shape: str, blinking: bool
) -> None:
    engine = factory.new(20, 5, scrollback_lines=0)
    engine.feed(b"\x1b[%s q\x1b[3;7H" % sequence)
    cursor = engine.cursor()

    assert (cursor.x, cursor.y, cursor.visible, cursor.shape, cursor.blinking) == (
        6,
        2,
        True,
        shape,
        blinking,
    )


def test_a_hidden_cursor_is_not_visible(factory: GhosttyFactory) -> None:
    engine = factory.new(20, 5, scrollback_lines=0)
    engine.feed(b"\x1b[?25l")

    assert not engine.cursor().visible
