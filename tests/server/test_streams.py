"""Pane streams with real engines on both sides: whatever UIs do, they end up equal to the server's engine."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orca_tui.server.channel import QUEUE_BYTES, STALL_S, Channel
from orca_tui.server.streams import PaneStreams
from orca_tui.term.engine import TerminalEngine
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.wire import OUTPUT_FRAME_BYTES, WINDOW_BYTES, FrameKind
from tests.fakes import FakeClock
from tests.server.viewers import Viewer, shown
from tests.term.terminals import UNSOUND

READ = 64 << 10


class Pane:
    """A pane without a program: what it reads is given to `reads`."""

    def __init__(self, engines: GhosttyFactory, cols: int = 80, rows: int = 24) -> None:
        self.engines = engines
        self.clock = FakeClock()
        self.engine: TerminalEngine = engines.new(cols, rows, scrollback_lines=1000)
        self.streams = PaneStreams(self, self.clock, self.clock.call_later)
        self.paused = False
        self.pauses = 0
        self.no_snapshot = False

    def reads(self, data: bytes) -> None:
        assert not self.paused
        self.streams.output(self.engine.feed(data).applied)

    def resizes(self, cols: int, rows: int) -> None:
        self.engine.resize(cols, rows)
        self.streams.resized(cols, rows)

    def attach(self) -> tuple[Viewer, Channel]:
        viewer = Viewer(self.engines)
        return viewer, self.streams.open(viewer.take)

    def catch_up(self, viewer: Viewer, channel: Channel) -> None:
        """The UI feeds and acknowledges until there is nothing more."""
        while viewer.waiting:
            self.streams.acked(channel, viewer.feed())

    # StreamSource

    def snapshot(self, *, with_history: bool) -> bytes | None:
        return None if self.no_snapshot else self.engine.snapshot(with_history=with_history)

    def pause(self) -> None:
        self.paused = True
        self.pauses += 1

    def resume(self) -> None:
        self.paused = False


@pytest.fixture
def pane(engines: GhosttyFactory) -> Pane:
    return Pane(engines)


def flood(pane: Pane, reads: int, seed: int = 0) -> None:
    """Output as fast as the pane may read, of changing colours and lines."""
    random = Random(seed)
    for _ in range(reads):
        if pane.paused:
            return
        line = b"\x1b[%dm%d\x1b[m\r\n" % (random.randrange(30, 38), random.getrandbits(64))
        pane.reads(line * (READ // len(line)))


def test_a_ui_begins_with_a_snapshot_of_what_was_there_before(pane: Pane) -> None:
    pane.reads(b"\x1b[1;31mearlier\x1b[m\r\n\x1b[?2004h\x1b[?1049h\x1b[5;5Halt")

    viewer, channel = pane.attach()
    pane.catch_up(viewer, channel)

    assert viewer.engine is not None
    assert viewer.kinds == [FrameKind.SNAPSHOT]
    assert shown(viewer.engine) == shown(pane.engine)


def test_output_comes_in_frames_of_at_most_16_kib(pane: Pane) -> None:
    viewer, channel = pane.attach()
    pane.catch_up(viewer, channel)

    pane.reads(bytes(READ))

    assert [len(payload) for _, payload in viewer.waiting] == [OUTPUT_FRAME_BYTES] * 4


def test_a_live_ui_paces_the_program(pane: Pane) -> None:
    viewer, channel = pane.attach()
    pane.catch_up(viewer, channel)

    flood(pane, reads=10)
    assert pane.paused
    for _ in range(20):
        pane.clock.jump(STALL_S / 4)
        pane.streams.acked(channel, viewer.feed(1))
    assert not channel.stale

    pane.catch_up(viewer, channel)
    assert not pane.paused
    assert viewer.engine is not None
    assert shown(viewer.engine) == shown(pane.engine)


def test_a_stalled_ui_costs_bounded_memory_and_the_program_runs_on(pane: Pane) -> None:
    viewer, channel = pane.attach()
    pane.catch_up(viewer, channel)
    flood(pane, reads=10)
    assert pane.paused

    pane.clock.jump(STALL_S)
    flood(pane, reads=200, seed=1)

    assert not pane.paused
    assert channel.stale
    assert sum(len(payload) for _, payload in viewer.waiting) <= WINDOW_BYTES
    assert channel.queued_bytes == 0
    assert pane.clock.timers == []


def test_a_ui_that_comes_back_gets_exactly_one_fresh_snapshot(pane: Pane) -> None:
    viewer, channel = pane.attach()
    pane.catch_up(viewer, channel)
    flood(pane, reads=10)
    pane.clock.jump(STALL_S)
    flood(pane, reads=20, seed=1)
    viewer.kinds.clear()

    pane.catch_up(viewer, channel)
    pane.reads(b"and on")
    pane.catch_up(viewer, channel)

    assert viewer.kinds.count(FrameKind.SNAPSHOT) == 1
    assert viewer.engine is not None
    assert shown(viewer.engine) == shown(pane.engine)


def test_one_stalled_ui_stops_neither_the_program_nor_the_other_ui(pane: Pane) -> None:
    stalled, stalled_channel = pane.attach()
    live, live_channel = pane.attach()
    pane.catch_up(stalled, stalled_channel)
    pane.catch_up(live, live_channel)

    for step in range(40):
        flood(pane, reads=1, seed=step)
        pane.clock.jump(STALL_S / 5)
        pane.catch_up(live, live_channel)

    assert stalled_channel.stale
    assert not pane.paused
    assert live.kinds.count(FrameKind.SNAPSHOT) == 1
    assert live.engine is not None
    assert shown(live.engine) == shown(pane.engine)


def test_leaving_lets_a_paused_program_go_on(pane: Pane) -> None:
    viewer, channel = pane.attach()
    pane.catch_up(viewer, channel)
    flood(pane, reads=10)
    assert pane.paused

    pane.streams.close(channel)

    assert not pane.paused


def test_an_exit_comes_after_all_output_and_again_after_every_snapshot(pane: Pane) -> None:
    viewer, channel = pane.attach()
    pane.catch_up(viewer, channel)
    flood(pane, reads=2)
    pane.streams.exited(-9)
    pane.catch_up(viewer, channel)
    assert viewer.kinds[-1] is FrameKind.EXITED
    assert viewer.exit_code == -9

    late, late_channel = pane.attach()
    pane.catch_up(late, late_channel)
    assert late.kinds == [FrameKind.SNAPSHOT, FrameKind.EXITED]


def test_history_is_sent_on_demand_and_the_stream_goes_on_from_it(pane: Pane) -> None:
    for number in range(900):
        pane.reads(b"\x1b[31mline\x1b[m %d\r\n" % number)
    viewer, channel = pane.attach()
    pane.catch_up(viewer, channel)
    assert viewer.engine is not None
    assert viewer.engine.scrollback_rows() < pane.engine.scrollback_rows()

    pane.streams.send_history(channel)
    pane.reads(b"later")
    pane.catch_up(viewer, channel)

    assert viewer.has_history
    assert viewer.engine.history_text(unwrap=False) == pane.engine.history_text(unwrap=False)


def test_a_pane_that_cannot_be_snapshot_now_is_tried_again_with_the_next_output(pane: Pane) -> None:
    pane.no_snapshot = True
    viewer, channel = pane.attach()
    pane.reads(b"one ")
    assert not viewer.waiting

    pane.no_snapshot = False
    pane.reads(b"two")
    pane.catch_up(viewer, channel)

    assert viewer.engine is not None
    assert shown(viewer.engine) == shown(pane.engine)


def test_a_pane_that_the_library_makes_no_snapshot_of_is_shown_and_goes_on(pane: Pane) -> None:
    pane.reads(UNSOUND)
    pane.resizes(41, 24)
    viewer, channel = pane.attach()
    pane.reads(b"\x1b[5;1Htyped")
    pane.catch_up(viewer, channel)

    assert viewer.engine is not None
    assert viewer.engine.all_rows()[4].text.rstrip() == "typed"


def test_a_ui_shows_a_pane_that_was_narrowed_in_the_middle_of_a_sequence(pane: Pane) -> None:
    pane.reads(b"\x1b[?1049h" + "漢".encode() * 40 + b"\x1b[3")
    there, its_channel = pane.attach()
    pane.resizes(41, 24)
    late, late_channel = pane.attach()
    pane.reads(b"1mtyped")
    pane.catch_up(there, its_channel)
    pane.catch_up(late, late_channel)

    for viewer in (there, late):
        assert viewer.engine is not None
        assert shown(viewer.engine) == shown(pane.engine)


def test_an_idle_stream_has_no_timer(pane: Pane) -> None:
    viewer, channel = pane.attach()
    flood(pane, reads=3)
    pane.catch_up(viewer, channel)
    pane.clock.jump(10 * STALL_S)

    assert pane.clock.timers == []


PIECES = st.one_of(
    st.binary(max_size=200),
    st.text("abc é漢👩🏽\u0301", max_size=60).map(str.encode),
    st.sampled_from(
        [
            b"\x1b[2J\x1b[H",
            b"\x1b[?1049h",
            b"\x1b[?1049l",
            b"\x1b[38;5;17mx\x1b[m",
            b"\x1b]2;title\x07",
            b"\x1b[3;10r",
            b"\x1b[!p",
            b"\x1b[?3h",
            b"\x1bc",
            b"\xf0\x9f",
            b"\x1b]8;;http://x",
            b"\x1b[?2026h",
            b"\x1b[?2026l",
            b"line\r\n" * 4000,
            b"\x1b[31m" * 20000,
        ]
    ),
)
STEPS = st.one_of(
    st.tuples(st.just("output"), PIECES),
    st.tuples(st.just("feed"), st.integers(1, 6)),
    st.tuples(st.just("wait"), st.sampled_from([0.01, STALL_S / 2, STALL_S, 1.0])),
    st.tuples(st.just("resize"), st.tuples(st.integers(1, 100), st.integers(1, 40))),
    st.tuples(st.just("history"), st.just(0)),
    st.tuples(st.just("reopen"), st.just(0)),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(STEPS, max_size=60))
def test_whatever_is_acknowledged_when_the_ui_ends_up_equal_to_the_server(
    engines: GhosttyFactory, steps: list[tuple[str, object]]
) -> None:
    pane = Pane(engines, cols=40, rows=10)
    viewer, channel = pane.attach()
    for step, argument in steps:
        match step, argument:
            case "output", bytes() as data:
                if not pane.paused:
                    pane.reads(data)
            case "feed", int() as frames:
                pane.streams.acked(channel, viewer.feed(frames))
            case "wait", float() as seconds:
                pane.clock.jump(seconds)
            case "resize", (int() as cols, int() as rows):
                pane.resizes(cols, rows)
            case "history", _:
                pane.streams.send_history(channel)
            case "reopen", _:
                pane.streams.close(channel)
                viewer, channel = pane.attach()
        assert channel.queued_bytes <= QUEUE_BYTES + READ * 2
    pane.clock.jump(1.0)
    assert not pane.paused
    pane.reads(b"\x18")
    pane.catch_up(viewer, channel)

    assert viewer.engine is not None
    assert shown(viewer.engine) == shown(pane.engine)
    assert channel.unacked_bytes == 0
    assert pane.clock.timers == []
