"""What the UI knows of a pane's screen: equal to the server's engine, whatever way the frames come."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orca_tui.base.errors import EngineMismatch, Invalid
from orca_tui.term.engine import TerminalEngine
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.ui.pacing import FRAME_S, HOLD_S
from orca_tui.ui.pane_model import PaneModel
from orca_tui.ui.term_strip import TermStrip
from orca_tui.wire import SIZE, Exited, FrameKind
from tests.fakes import FakeClock

NEVER = float("inf")
ALL = 1 << 30


class Pair:
    """A server's engine and the model of a UI that shows it."""

    def __init__(self, engines: GhosttyFactory, cols: int = 20, rows: int = 5) -> None:
        self.clock = FakeClock()
        self.engine: TerminalEngine = engines.new(cols, rows, scrollback_lines=1000)
        self.model = PaneModel("p1", engines, TermStrip, self.clock)
        self.sent = 0
        self.model.open(1)

    def send(self, kind: FrameKind, payload: bytes) -> None:
        if kind in (FrameKind.SNAPSHOT, FrameKind.OUTPUT):
            self.sent += len(payload)
        self.model.received(kind, payload)

    def snapshot(self, *, with_history: bool = False) -> None:
        data = self.engine.snapshot(with_history=with_history)
        assert data is not None
        self.send(FrameKind.SNAPSHOT, bytes([with_history]) + data)

    def output(self, data: bytes, chunk: int = ALL) -> None:
        applied = self.engine.feed(data).applied
        for at in range(0, len(applied), chunk):
            self.send(FrameKind.OUTPUT, applied[at : at + chunk])

    def resize(self, cols: int, rows: int) -> None:
        self.engine.resize(cols, rows)
        self.send(FrameKind.RESIZED, SIZE.pack(cols, rows))

    def feed(self) -> None:
        while self.model.waiting:
            self.model.feed(ALL, NEVER)

    def shown(self) -> list[str]:
        """What is drawn after everything was fed."""
        self.feed()
        self.model.take(self.clock.monotonic())
        return [strip._render_cache or "" for strip in self.model.strips]

    def truth(self) -> list[str]:
        """What is drawn of the server's own rows."""
        strips = [TermStrip(row, self.engine.cols) for row in self.engine.all_rows()]
        return [strip._render_cache or "" for strip in strips]


@pytest.fixture
def pair(engines: GhosttyFactory) -> Pair:
    return Pair(engines)


OUTPUT = st.lists(
    st.sampled_from(
        [
            b"text ",
            b"\r\n",
            b"\x1b[31mred\x1b[m",
            b"\x1b[2J\x1b[H",
            b"\x1b[?1049h",
            b"\x1b[?1049l",
            "端末".encode(),
            "👩‍👩‍👧".encode(),
            b"\x1b[3;4H",
            b"\x1b[?2026h",
            b"\x1b[?2026l",
            b"\x1b[48;5;3m\x1b[K\x1b[m",
            b"\x1b[2S",
        ]
    ),
    max_size=40,
).map(b"".join)

STEPS = st.lists(
    st.one_of(
        OUTPUT, st.tuples(st.integers(1, 40), st.integers(1, 12)), st.sampled_from(["snapshot", "feed"])
    ),
    max_size=8,
)


@given(steps=STEPS, chunk=st.integers(1, 40))
@settings(max_examples=60, deadline=None)
def test_the_model_shows_what_the_servers_engine_has_and_acknowledges_every_byte(
    engines: GhosttyFactory, steps: list[bytes | tuple[int, int] | str], chunk: int
) -> None:
    pair = Pair(engines)
    pair.snapshot()
    for step in steps:
        match step:
            case bytes():
                pair.output(step, chunk)
            case (cols, rows):
                pair.resize(cols, rows)
            case "snapshot":
                if pair.engine.snapshot(with_history=False) is not None:
                    pair.snapshot()
            case _:
                pair.model.feed(1, NEVER)
    pair.feed()
    pair.clock.jump(2 * HOLD_S)
    pair.model.take(pair.clock.monotonic())
    pair.clock.jump(2 * HOLD_S)

    assert pair.shown() == pair.truth()
    assert pair.model.due == pair.sent
    assert pair.model.cursor == pair.engine.cursor()
    assert (pair.model.cols, pair.model.rows) == (pair.engine.cols, pair.engine.rows)


def test_only_rows_that_changed_are_to_be_drawn(pair: Pair) -> None:
    pair.snapshot()
    pair.shown()
    assert pair.model.drawn() == {0, 1, 2, 3, 4}

    pair.output(b"\x1b[3;1Hhere")
    pair.shown()

    assert pair.model.drawn() <= {0, 2}
    assert pair.model.drawn() == set()


def test_a_moved_cursor_alone_is_something_to_draw(pair: Pair) -> None:
    pair.snapshot()
    pair.shown()
    pair.model.drawn()

    pair.output(b"\x1b[3;5H")
    pair.feed()

    assert pair.model.take(pair.clock.monotonic())
    assert (pair.model.cursor.x, pair.model.cursor.y) == (4, 2)


def test_feeding_stops_at_the_limit_and_at_the_deadline(pair: Pair) -> None:
    pair.snapshot()
    pair.feed()
    pair.output(b"x" * 100, chunk=10)

    assert pair.model.feed(25, NEVER) == 30
    assert pair.model.feed(ALL, pair.clock.monotonic()) == 10
    assert pair.model.waiting


def test_a_snapshot_stands_for_what_waited_and_that_counts_as_fed(pair: Pair) -> None:
    pair.snapshot()
    pair.output(b"never fed by itself\r\n")
    pair.resize(30, 6)
    pair.snapshot()

    assert pair.shown() == pair.truth()
    assert pair.model.due == pair.sent


def test_the_end_of_a_program_that_a_snapshot_stands_for_is_not_acknowledged(pair: Pair) -> None:
    pair.snapshot()
    pair.feed()
    pair.send(FrameKind.EXITED, msgspec.msgpack.encode(Exited(exit_code=0)))
    pair.snapshot()
    pair.feed()

    assert pair.model.due == pair.sent


@pytest.mark.parametrize(
    ("kind", "payload"), [(FrameKind.SNAPSHOT, b""), (FrameKind.RESIZED, b"\0"), (FrameKind.EXITED, b"\xc1")]
)
def test_a_frame_that_is_cut_is_invalid(pair: Pair, kind: FrameKind, payload: bytes) -> None:
    pair.snapshot()
    pair.send(kind, payload)

    with pytest.raises(Invalid):
        pair.feed()


def test_output_before_the_first_snapshot_is_skipped_but_counted(pair: Pair) -> None:
    pair.output(b"lost")
    pair.feed()

    assert pair.model.due == 4
    assert pair.model.strips == []


def test_a_held_screen_keeps_its_last_picture(pair: Pair) -> None:
    pair.snapshot()
    pair.output(b"before")
    assert pair.shown()[0].startswith("before")
    pair.model.drawn()

    pair.output(b"\x1b[?2026h\x1b[2J\x1b[Hhalf")
    assert pair.shown()[0].startswith("before")
    assert pair.model.hold_ends == pytest.approx(pair.clock.monotonic() + HOLD_S)
    assert (pair.model.cursor.x, pair.model.cursor.y) == (len("before"), 0)

    pair.output(b" done\x1b[?2026l")
    assert pair.shown()[0].startswith("half done")
    assert pair.model.cursor.x == len("half done")
    assert pair.model.hold_ends is None


def test_a_hold_that_does_not_end_is_not_waited_for(pair: Pair) -> None:
    pair.snapshot()
    pair.output(b"\x1b[?2026hhalf")
    pair.shown()

    pair.clock.jump(HOLD_S)

    assert pair.shown()[0].startswith("half")


def test_a_picture_that_is_complete_when_the_next_begins_is_shown(pair: Pair) -> None:
    pair.snapshot()
    pair.shown()
    pair.clock.jump(2 * FRAME_S)

    pair.output(b"\x1b[?2026h\x1b[Hfirst\x1b[?2026l\x1b[?2026h\x1b[2J")

    assert pair.shown()[0].startswith("first")


def test_a_hidden_pane_keeps_its_last_picture_until_the_new_stream_begins(pair: Pair) -> None:
    pair.snapshot()
    pair.output(b"remembered")
    pair.shown()

    pair.model.close()
    assert pair.model.text_of(0).startswith("remembered")
    assert not pair.model.cursor.visible

    pair.model.open(2)
    pair.output(b" and more")
    pair.snapshot()
    assert pair.shown()[0].startswith("remembered and more")


def test_older_rows_are_asked_for_and_shown_when_they_come(engines: GhosttyFactory) -> None:
    pair = Pair(engines, cols=200)
    pair.output(b"".join(b"line %d\r\n" % number for number in range(2000)))
    pair.snapshot()
    pair.shown()

    assert pair.model.scroll_to(900)
    pair.snapshot(with_history=True)
    pair.shown()

    assert pair.model.offset == 900
    assert pair.model.text_of(pair.model.first_line).startswith("line 1096")
    assert not pair.model.cursor.visible
    assert not pair.model.scroll_to(10_000)


def test_output_leaves_a_scrolled_view_where_it_is(pair: Pair) -> None:
    pair.output(b"".join(b"line %d\r\n" % number for number in range(50)))
    pair.snapshot(with_history=True)
    pair.feed()
    pair.model.scroll_to(10)
    before = pair.shown()

    pair.output(b"more\r\n" * 7)

    pair.feed()
    assert pair.model.take(pair.clock.monotonic()), "its distance from the newest row is another"
    assert pair.shown() == before
    assert pair.model.offset == 17
    pair.model.scroll_to(0)
    assert pair.shown() == pair.truth()


def test_a_compressed_scrollback_looks_the_same_and_stays_where_it_is(pair: Pair) -> None:
    pair.output(b"".join(b"line %d\r\n" % number for number in range(900)))
    pair.snapshot(with_history=True)
    pair.feed()
    pair.model.scroll_to(400)
    before = pair.shown()

    while pair.model.compress():
        pass
    pair.output(b"more\r\n")

    assert pair.shown() == before
    assert pair.model.offset == 401
    assert pair.model.text_of(3).startswith("line 3")


def test_a_pane_that_is_not_shown_has_nothing_to_compress(pair: Pair) -> None:
    assert not pair.model.compress()


def test_lines_out_of_view_can_be_read_without_moving_it(pair: Pair) -> None:
    pair.output(b"".join(b"line %d\r\n" % number for number in range(50)))
    pair.snapshot(with_history=True)
    before = pair.shown()

    assert pair.model.text_of(3).startswith("line 3")
    assert pair.model.text_of(49).startswith("line 49")
    assert pair.model.text_of(999) == ""
    assert pair.model.offset == 0
    assert pair.shown() == before


def test_a_url_longer_than_a_row_is_one_link_wherever_it_is_touched(pair: Pair) -> None:
    url = "https://example.org/" + "x" * 30
    pair.output(f"see\r\n{url} end\r\n".encode())
    pair.snapshot()
    pair.shown()

    assert [pair.model.link_at(3, row) for row in range(5)] == ["", url, url, url, ""]


def test_the_end_of_the_program_is_told(pair: Pair) -> None:
    pair.snapshot()
    pair.send(FrameKind.EXITED, msgspec.msgpack.encode(Exited(exit_code=-9)))
    pair.shown()

    assert pair.model.exited == Exited(exit_code=-9)


def test_a_snapshot_that_cannot_be_read_is_an_error(pair: Pair) -> None:
    pair.send(FrameKind.SNAPSHOT, b"\x00not a snapshot")

    with pytest.raises(EngineMismatch):
        pair.feed()


def test_a_frame_of_unknown_kind_is_an_error(pair: Pair) -> None:
    pair.snapshot()
    pair.model.received(99, b"")

    with pytest.raises(Invalid):
        pair.feed()
