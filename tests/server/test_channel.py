"""Flow control rule by rule, without sockets: see `orca_tui/server/channel.py`."""

from __future__ import annotations

from orca_tui.server.channel import QUEUE_BYTES, RESUME_BYTES, STALL_S, Channel
from orca_tui.wire import OUTPUT_FRAME_BYTES, WINDOW_BYTES, FrameKind

FRAME = bytes(OUTPUT_FRAME_BYTES)


class Sent:
    """A live channel, fresh from an empty snapshot, and what went out since."""

    def __init__(self) -> None:
        self.frames: list[tuple[FrameKind, bytes]] = []
        self.channel = Channel(lambda kind, payload: self.frames.append((kind, payload)))
        self.channel.begin(b"s", 0.0)
        self.channel.acked(1, 0.0)
        self.frames.clear()

    def output(self, count: int, now: float = 0.0) -> None:
        for _ in range(count):
            self.channel.offer(FrameKind.OUTPUT, FRAME, now)


def test_a_new_channel_wants_a_snapshot_and_is_sent_nothing_before() -> None:
    frames: list[tuple[FrameKind, bytes]] = []
    channel = Channel(lambda kind, payload: frames.append((kind, payload)))

    channel.offer(FrameKind.OUTPUT, b"early", 0.0)

    assert channel.wants_snapshot
    assert frames == []


def test_frames_go_out_until_the_window_is_full() -> None:
    sent = Sent()

    sent.output(WINDOW_BYTES // OUTPUT_FRAME_BYTES + 3)

    assert len(sent.frames) == WINDOW_BYTES // OUTPUT_FRAME_BYTES
    assert sent.channel.unacked_bytes == WINDOW_BYTES
    assert sent.channel.queued_bytes == 3 * OUTPUT_FRAME_BYTES


def test_a_frame_larger_than_the_window_goes_out_when_nothing_is_unacknowledged() -> None:
    sent = Sent()

    sent.channel.offer(FrameKind.OUTPUT, bytes(2 * WINDOW_BYTES), 0.0)

    assert len(sent.frames) == 1


def test_acknowledged_bytes_make_room_for_as_many() -> None:
    sent = Sent()
    sent.output(8)

    sent.channel.acked(OUTPUT_FRAME_BYTES, 0.01)

    assert len(sent.frames) == WINDOW_BYTES // OUTPUT_FRAME_BYTES + 1


def test_a_size_between_outputs_keeps_its_place() -> None:
    sent = Sent()
    sent.output(5)
    sent.channel.offer(FrameKind.RESIZED, b"size", 0.0)
    sent.output(1)

    sent.channel.acked(WINDOW_BYTES, 0.01)

    assert [kind for kind, _ in sent.frames[-3:]] == [FrameKind.OUTPUT, FrameKind.RESIZED, FrameKind.OUTPUT]


def test_a_size_needs_no_room_in_the_window() -> None:
    sent = Sent()
    sent.output(WINDOW_BYTES // OUTPUT_FRAME_BYTES)

    sent.channel.offer(FrameKind.RESIZED, b"size", 0.0)

    assert sent.frames[-1] == (FrameKind.RESIZED, b"size")


def test_a_live_channel_with_a_long_queue_wants_the_program_paused() -> None:
    sent = Sent()
    sent.output((WINDOW_BYTES + QUEUE_BYTES) // OUTPUT_FRAME_BYTES)
    assert not sent.channel.wants_pause(STALL_S / 2)

    sent.output(1)

    assert sent.channel.wants_pause(STALL_S / 2)
    assert not sent.channel.may_resume(STALL_S / 2)


def test_a_paused_program_may_go_on_when_half_of_the_queue_is_gone() -> None:
    sent = Sent()
    sent.output((WINDOW_BYTES + QUEUE_BYTES) // OUTPUT_FRAME_BYTES + 1)

    while sent.channel.queued_bytes > RESUME_BYTES:
        assert not sent.channel.may_resume(0.01)
        sent.channel.acked(OUTPUT_FRAME_BYTES, 0.01)

    assert sent.channel.may_resume(0.01)


def test_a_stalled_channel_pauses_nobody_and_its_queue_is_dropped() -> None:
    sent = Sent()
    sent.output(9)
    assert not sent.channel.drop_if_stalled(STALL_S / 2)

    assert sent.channel.drop_if_stalled(STALL_S)

    assert sent.channel.stale
    assert sent.channel.queued_bytes == 0
    assert sent.channel.may_resume(STALL_S)


def test_an_acknowledgement_keeps_a_channel_live() -> None:
    sent = Sent()
    sent.output(9)

    sent.channel.acked(1, STALL_S * 0.9)

    assert not sent.channel.drop_if_stalled(STALL_S * 1.8)
    assert sent.channel.drop_if_stalled(STALL_S * 2)


def test_a_channel_that_was_idle_for_long_is_not_stalled_by_the_next_output() -> None:
    sent = Sent()

    sent.output(9, now=1000.0)

    assert not sent.channel.drop_if_stalled(1000.0)
    assert sent.channel.stalls_at() == 1000.0 + STALL_S


def test_a_stale_channel_wants_its_snapshot_only_when_everything_is_acknowledged() -> None:
    sent = Sent()
    sent.output(9)
    sent.channel.drop_if_stalled(STALL_S)
    sent.frames.clear()

    sent.channel.acked(WINDOW_BYTES - 1, 1.0)
    assert not sent.channel.wants_snapshot
    sent.output(1, now=1.0)
    assert sent.frames == []
    sent.channel.acked(1, 1.0)

    assert sent.channel.wants_snapshot


def test_a_snapshot_counts_as_unacknowledged_and_stands_for_what_was_queued() -> None:
    sent = Sent()
    sent.output(9)
    sent.frames.clear()

    sent.channel.begin(b"snapshot", 0.05)

    assert sent.frames == [(FrameKind.SNAPSHOT, b"snapshot")]
    assert sent.channel.unacked_bytes == WINDOW_BYTES + len(b"snapshot")
    assert sent.channel.queued_bytes == 0


def test_acknowledging_more_than_was_sent_gives_no_credit() -> None:
    sent = Sent()

    sent.channel.acked(10 * WINDOW_BYTES, 0.0)
    sent.output(6)

    assert len(sent.frames) == WINDOW_BYTES // OUTPUT_FRAME_BYTES


def test_nothing_is_waited_for_while_nothing_is_queued() -> None:
    sent = Sent()
    assert sent.channel.stalls_at() is None

    sent.output(1)

    assert sent.channel.stalls_at() is None
