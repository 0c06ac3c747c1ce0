"""The engine as a whole: cuts, work-arounds, sizes, scrolling, text, and output that nobody should write."""

from __future__ import annotations

import random

import pytest

from orca_tui.term.cell_style import CellStyle, cell_style
from orca_tui.term.engine import EngineFactory, FedOutput, TerminalEngine
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.ghostty_engine import GhosttyEngine
from orca_tui.term.ghostty_numbers import MAX_SIDE
from orca_tui.term.workarounds import FORBID_COLUMN_SWITCH
from tests.term.terminals import PROBES, Recording, recordings, screen, state, texts
from tests.term.widths import WIDTHS


@pytest.fixture
def engine(factory: GhosttyFactory) -> GhosttyEngine:
    return factory.new(80, 24, scrollback_lines=1000)


def test_factory_and_engine_are_what_the_program_expects(
    factory: GhosttyFactory, engine: GhosttyEngine
) -> None:
    made: EngineFactory = factory
    found: TerminalEngine = engine

    assert len(made.build) == 32
    assert (found.cols, found.rows) == (80, 24)


# Cuts


@pytest.mark.parametrize("recording", recordings(), ids=lambda recording: recording.name)
def test_output_in_small_pieces_gives_the_same_screen_as_in_one(
    factory: GhosttyFactory, recording: Recording
) -> None:
    data = recording.data[:20_000]
    whole, bytewise = (factory.new(recording.cols, recording.rows, scrollback_lines=1000) for _ in range(2))
    expected = whole.feed(data)
    pieces = [bytewise.feed(data[at : at + 1]) for at in range(len(data))]

    assert state(bytewise) == state(whole)
    assert b"".join(piece.applied for piece in pieces) == expected.applied
    assert b"".join(piece.replies for piece in pieces) == expected.replies
    assert [fact for piece in pieces for fact in piece.facts] == list(expected.facts)


def test_a_viewer_that_applies_what_was_applied_is_equal(factory: GhosttyFactory) -> None:
    random_ = random.Random(5)
    reset = b"\x1b[5;9H\x1b[?6h\x1b[!pafter\x1b[?40;25h\x1b[?3hwide\x1b[?40h\x1b[?3lx\x1b[?6n\x1b[5b"
    for recording in recordings():
        server, viewer = (
            factory.new(recording.cols, recording.rows, scrollback_lines=1000) for _ in range(2)
        )
        data = recording.data[:50_000] + reset
        applied = b""
        while data:
            size = random_.randrange(1, 9000)
            applied += server.feed(data[:size]).applied
            data = data[size:]
        while applied:
            size = random_.randrange(1, 9000)
            viewer.apply(applied[:size])
            applied = applied[size:]

        assert state(viewer) == state(server)


def test_unchanged_output_is_applied_as_the_very_same_bytes(engine: GhosttyEngine) -> None:
    for data in (b"plain", b"\x1b[31mred\x1b[?2026h\x1b]133;A\x07\x1b]7501;?\x07\x1b[?6n\x1bc"):
        assert engine.feed(data).applied is data


def test_a_viewer_answers_nothing_and_tells_nothing_later(engine: GhosttyEngine) -> None:
    engine.apply(b"\x1b[c\x1b]2;title\x07\x1b]133;A\x07\x07")

    assert engine.feed(b"x") == FedOutput(b"x", b"", ())


def test_no_output_changes_nothing(engine: GhosttyEngine) -> None:
    assert engine.feed(b"") == FedOutput(b"", b"", ())


# Work-arounds


def test_a_soft_reset_leaves_the_cursor_and_ends_what_it_should(factory: GhosttyFactory) -> None:
    engine = factory.new(20, 10, scrollback_lines=0)
    engine.feed(
        b'text\x1b[3;6r\x1b[?69h\x1b[2;9s\x1b[?6h\x1b[?1h\x1b[?25l\x1b[4h\x1b(0\x1b[1;31m\x1b[1"q\x1b[2;3H\x1b7'
    )
    at = engine.cursor()
    engine.feed(b"\x1b[!p")

    after = engine.cursor()
    assert (after.x, after.y, after.visible) == (at.x, at.y, True)
    assert not engine.modes().cursor_keys
    engine.feed(b"\x1b[10;1Hq\x1b[1;1Ht\n\n\x1b8s")
    assert [cell_style(raw) for row in engine.all_rows() for _, raw in row.runs] == [CellStyle()] * 10
    assert texts(engine)[0] == "sext"
    assert texts(engine)[9] == "q"


def test_text_after_a_soft_reset_wraps_and_is_erasable(factory: GhosttyFactory) -> None:
    engine = factory.new(5, 3, scrollback_lines=0)
    engine.feed(b'\x1b[?7l\x1b[1"q\x1b[!pabcdefg')
    assert texts(engine) == ["abcde", "fg", ""]

    engine.feed(b"\x1b[?2J")
    assert texts(engine) == ["", "", ""]


def test_a_soft_reset_takes_the_side_margins_away(factory: GhosttyFactory) -> None:
    engine = factory.new(10, 3, scrollback_lines=0)
    engine.feed(b"\x1b[?69h\x1b[3;5s\x1b[!pabcdefgh")

    assert texts(engine)[0] == "abcdefgh"


def test_a_soft_reset_cut_anywhere_does_the_same(factory: GhosttyFactory) -> None:
    sequence = b"\x1b[4;8r\x1b[?6h\x1b[2;2Hx\x1b[!py"
    whole = factory.new(20, 10, scrollback_lines=0)
    applied = whole.feed(sequence).applied
    for cut in range(len(sequence)):
        engine = factory.new(20, 10, scrollback_lines=0)

        assert engine.feed(sequence[:cut]).applied + engine.feed(sequence[cut:]).applied == applied
        assert state(engine) == state(whole)


@pytest.mark.parametrize(
    "sequence",
    [
        b"\x1b[?40h\x1b[?3h",
        b"\x1b[?40;3h",
        b"\x1b[?40h\x1b[?3l",
        b"\x1b[?3;40h\x1b[?3h",
        b"\x1b[?40;40;3h\x1b[?3l",
        b"\x1b[?40s\x1b[?40r\x1b[?3h",
    ],
)
def test_no_sequence_changes_the_number_of_columns(factory: GhosttyFactory, sequence: bytes) -> None:
    for cut in range(len(sequence) + 1):
        engine = factory.new(100, 10, scrollback_lines=0)
        engine.feed(b"text" + sequence[:cut])
        engine.feed(sequence[cut:] + b"more")

        assert len(engine.all_rows()[0].text) == engine.cols == 100
        assert engine.feed(b"\x1b[?3h").applied == b"\x1b[?3h"
        assert len(engine.all_rows()[0].text) == 100


def test_the_other_modes_of_a_column_switch_are_set(engine: GhosttyEngine) -> None:
    applied = engine.feed(b"\x1b[?40;2004;1004h").applied

    assert (engine.modes().bracketed_paste, engine.modes().focus_events) == (True, True)
    assert b"h" not in applied[: applied.index(b"\x18")]


def test_a_column_switch_that_was_not_seen_coming_is_taken_back(factory: GhosttyFactory) -> None:
    server, viewer = (factory.new(100, 10, scrollback_lines=0) for _ in range(2))
    applied = server.feed(b"\x1b[?3;40h").applied + server.feed(b"\x1b[?3h").applied
    viewer.apply(applied)

    assert applied.endswith(FORBID_COLUMN_SWITCH)
    assert len(viewer.all_rows()[0].text) == 100
    assert state(viewer) == state(server)


@pytest.mark.parametrize(("text", "width"), WIDTHS.values(), ids=WIDTHS)
def test_what_is_written_is_read_as_it_was(engine: GhosttyEngine, text: str, width: int) -> None:
    engine.feed(f"{text}|{text}".encode())

    assert engine.screen_text(unwrap=False) == engine.history_text(unwrap=True) == f"{text}|{text}"
    assert engine.all_rows()[0].text.rstrip() == f"{text}|{text}"


@pytest.mark.parametrize(("text", "width"), WIDTHS.values(), ids=WIDTHS)
def test_the_cursor_moves_by_the_width_of_what_is_written(
    engine: GhosttyEngine, text: str, width: int
) -> None:
    engine.feed(text.encode())

    assert engine.cursor().x == width


def test_a_full_reset_keeps_the_width_of_emoji(engine: GhosttyEngine) -> None:
    engine.feed(b"\x1b[?2027l\x1bc" + "👩\u200d👩\u200d👧".encode())

    assert engine.cursor().x == 2


@pytest.mark.parametrize(
    "line",
    [b"x" * 119, b"".join(b"\x1b[38;2;%d;9;9mx" % color for color in range(119))],
    ids=["plain", "colored"],
)
def test_as_many_lines_are_kept_as_were_asked_for(factory: GhosttyFactory, line: bytes) -> None:
    engine = factory.new(120, 40, scrollback_lines=2000)
    for _ in range(100):
        engine.feed((line + b"\r\n") * 50)

    assert 2000 <= engine.scrollback_rows() < 5000


def test_a_terminal_without_scrollback_keeps_none(factory: GhosttyFactory) -> None:
    engine = factory.new(80, 24, scrollback_lines=0)
    engine.feed(b"line\r\n" * 10_000)

    assert engine.scrollback_rows() < 1000  # The page that the screen is in, and no more.


# Sizes


def test_a_resize_reflows_and_reports_when_asked_for(factory: GhosttyFactory) -> None:
    engine = factory.new(10, 4, scrollback_lines=100)
    engine.feed(b"abcdefghijklmno\x1b[?2048h")

    assert engine.resize(5, 6) == b"\x1b[48;6;5;96;40t"
    assert texts(engine)[:3] == ["abcde", "fghij", "klmno"]
    assert (engine.cols, engine.rows) == (5, 6)


def test_a_resize_to_the_same_size_does_nothing(engine: GhosttyEngine) -> None:
    engine.feed(b"\x1b[?2048h")

    assert engine.resize(80, 24) == b""


def test_sizes_are_kept_within_what_the_engine_can_have(factory: GhosttyFactory) -> None:
    engine = factory.new(0, -3, scrollback_lines=10)
    assert (engine.cols, engine.rows) == (1, 1)

    engine.resize(-1, 0)
    assert (engine.cols, engine.rows) == (1, 1)
    engine.resize(1_000_000, 2)
    assert (engine.cols, engine.rows) == (MAX_SIDE, 2)
    assert len(engine.all_rows()[0].text) == MAX_SIDE


def test_a_wider_terminal_keeps_its_lines(factory: GhosttyFactory) -> None:
    engine = factory.new(20, 10, scrollback_lines=3000)
    engine.feed(b"".join(b"line %d\r\n" % number for number in range(3000)))
    for cols in (200, 20, 400, 15):
        engine.resize(cols, 10)

        assert engine.history_text(unwrap=True).splitlines()[:2] == ["line 0", "line 1"]


def test_storms_of_resizes_lose_nothing_and_break_nothing(factory: GhosttyFactory) -> None:
    random_ = random.Random(11)
    engine = factory.new(80, 24, scrollback_lines=10_000)
    engine.feed("word 端 👩\u200d👧 ".encode() * 200 + b"\r\n\n")
    for _ in range(60):
        engine.resize(random_.choice([1, 2, 3, 79, 80, 500, 1000]), random_.choice([1, 2, 24, 200, 500]))
        engine.feed(b"\x1b[31m>\x1b[m\r")
        rows = engine.all_rows()
        assert len(rows) == engine.rows
        assert (engine.cursor().x < engine.cols, engine.cursor().y < engine.rows) == (True, True)
    engine.resize(80, 24)

    assert engine.history_text(unwrap=True).count("word") == 200


# Scrolling and text


def test_the_viewport_scrolls_and_stays_put_while_output_comes(factory: GhosttyFactory) -> None:
    engine = factory.new(20, 5, scrollback_lines=1000)
    engine.feed(b"\r\n".join(b"line %d" % number for number in range(100)))
    assert engine.scroll_offset() == 0

    assert engine.scroll(10) == 10
    assert texts(engine)[0] == "line 85"
    engine.feed(b"\r\nmore" * 3)
    assert texts(engine)[0] == "line 85"
    assert engine.scroll_offset() == 13
    assert engine.scroll(10_000) == engine.scrollback_rows()
    assert texts(engine)[0] == "line 0"
    assert engine.scroll(0) == engine.scroll(-5) == 0
    assert texts(engine)[-1] == "more"


def test_the_cursor_is_hidden_while_scrolled_out_of_sight(factory: GhosttyFactory) -> None:
    engine = factory.new(20, 5, scrollback_lines=1000)
    engine.feed(b"line\r\n" * 50 + b"\x1b[2;3H")

    engine.scroll(2)
    assert (engine.cursor().x, engine.cursor().y, engine.cursor().visible) == (2, 3, True)
    engine.scroll(20)
    assert not engine.cursor().visible


def test_scrolled_rows_are_dirty(factory: GhosttyFactory) -> None:
    engine = factory.new(20, 3, scrollback_lines=100)
    engine.feed(b"\r\n".join(b"line %d" % number for number in range(50)))
    list(engine.dirty_rows())
    engine.scroll(5)

    assert [row.text.rstrip() for _, row in engine.dirty_rows()] == ["line 42", "line 43", "line 44"]


def test_text_comes_wrapped_as_shown_or_as_it_was_written(factory: GhosttyFactory) -> None:
    engine = factory.new(10, 3, scrollback_lines=100)
    engine.feed("first line\r\nlong line 端末 that wraps\r\nlast  ".encode())

    assert engine.history_text(unwrap=False) == "first line\nlong line\n端末 that\nwraps\nlast"
    assert engine.history_text(unwrap=True) == "first line\nlong line 端末 that wraps\nlast"
    assert engine.screen_text(unwrap=False) == "端末 that\nwraps\nlast"
    assert engine.screen_text(unwrap=True) == "端末 that wraps\nlast"


def test_the_text_of_a_blank_screen_is_empty(engine: GhosttyEngine) -> None:
    assert engine.history_text(unwrap=True) == engine.screen_text(unwrap=False) == ""


def test_a_link_is_found_under_its_cells(factory: GhosttyFactory) -> None:
    engine = factory.new(20, 3, scrollback_lines=100)
    engine.feed(b"\n\x1b[2;2H\x1b]8;id=1;https://example.org/a?b=\xc3\xa9\x1b\\link\x1b]8;;\x1b\\ no")

    assert [engine.link_at(x, 1) for x in (0, 1, 4, 5)] == [
        "",
        "https://example.org/a?b=é",
        "https://example.org/a?b=é",
        "",
    ]
    assert [engine.link_at(x, y) for x, y in ((-1, 0), (0, -1), (20, 0), (0, 3), (70_000, 0))] == [""] * 5


def test_a_screen_is_held_while_the_child_synchronizes_output(engine: GhosttyEngine) -> None:
    engine.feed(b"\x1b[?2026h")
    assert engine.held()

    engine.feed(b"\x1b[?2026l")
    assert not engine.held()


def test_a_flood_leaves_the_lines_that_are_promised_and_not_many_more(factory: GhosttyFactory) -> None:
    engine = factory.new(80, 24, scrollback_lines=2000)
    kept = []
    for _ in range(3):
        engine.feed(b"".join(b"%079d\r\n" % number for number in range(10_000)))
        kept.append(engine.scrollback_rows())

    assert all(2000 <= rows <= 4000 for rows in kept), kept


def test_compressed_scrollback_is_the_same(factory: GhosttyFactory) -> None:
    engine = factory.new(80, 24, scrollback_lines=2000)
    engine.feed(b"".join(b"\x1b[3%dmline %d\x1b[m\r\n" % (number % 8, number) for number in range(2000)))
    before = engine.history_text(unwrap=True)
    calls = 0
    while engine.compress():
        calls += 1
        assert calls < 1000

    assert engine.history_text(unwrap=True) == before


def test_a_closed_engine_is_blank_and_harmless(engine: GhosttyEngine) -> None:
    engine.feed(b"text\x1b[?1004h")
    engine.close()
    engine.close()

    assert engine.feed(b"\x1b[c\x1b[!p\x1b[?6n").replies == b""
    engine.apply(b"more")
    assert engine.all_rows() == list(engine.dirty_rows()) == []
    assert engine.snapshot(with_history=True) is engine.snapshot(with_history=False) is None
    assert engine.history_text(unwrap=True) == engine.screen_text(unwrap=True) == engine.link_at(0, 0) == ""
    assert engine.vt_text() == engine.resize(100, 30) == b""
    assert isinstance(engine.reset_modes_bytes(), bytes)
    assert (engine.scroll(3), engine.scroll_offset(), engine.scrollback_rows(), engine.compress()) == (
        0,
        0,
        0,
        False,
    )
    assert not engine.modes().focus_events
    assert not engine.cursor().visible


# Output that nobody should write


def test_an_endless_osc_costs_no_memory_and_loses_nothing_after_it(engine: GhosttyEngine) -> None:
    engine.feed(b"\x1b]9999;")
    for _ in range(320):
        engine.feed(b"x" * 65536)
    output = engine.feed(b"\x07after\x1b[5n")

    assert output.facts == ()
    assert output.replies == b"\x1b[0n"
    assert texts(engine)[0] == "after"


def test_random_bytes_never_raise(factory: GhosttyFactory) -> None:
    random_ = random.Random(13)
    for _ in range(30):
        engine = factory.new(random_.choice([1, 7, 80]), random_.choice([1, 5, 24]), scrollback_lines=50)
        for _ in range(20):
            engine.feed(random_.randbytes(random_.randrange(1, 3000)))
        assert len(engine.all_rows()) == engine.rows
        engine.feed(b"\x18\x1b\\" + PROBES)
        state(engine)
        engine.close()


def test_mutated_recordings_never_raise(factory: GhosttyFactory) -> None:
    random_ = random.Random(17)
    for recording in recordings():
        engine = factory.new(recording.cols, recording.rows, scrollback_lines=200)
        data = bytearray(recording.data[:60_000])
        for _ in range(len(data) // 50):
            data[random_.randrange(len(data))] = random_.choice(b"\x1b[]?;0149hlmHJKcp!\x07\x18\xff\xe7")
        twin = factory.new(recording.cols, recording.rows, scrollback_lines=200)
        for at in range(0, len(data), 4096):
            twin.apply(engine.feed(bytes(data[at : at + 4096])).applied)
        assert screen(twin) == screen(engine)
