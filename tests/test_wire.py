"""Frames: what is cut into pieces anywhere comes out whole and in order, and nonsense is refused."""

from __future__ import annotations

import struct
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_tui.base.errors import Invalid, TooLarge
from orca_tui.commands.events import EventItem, StatusEvent
from orca_tui.layout import Layout, open_in_workspace
from orca_tui.status.record import Status
from orca_tui.wire import (
    HEADER,
    MAX_FRAME_BYTES,
    FrameKind,
    FrameReader,
    Hello,
    PaneInfo,
    Request,
    Synced,
    UiItem,
    Welcome,
    decode,
    frame,
    message,
)

FRAMES = st.lists(
    st.tuples(st.sampled_from(list(FrameKind)), st.integers(0, 2**32 - 1), st.binary(max_size=300)),
    max_size=8,
)


def read_in_pieces(data: bytes, cuts: list[int]) -> list[tuple[int, int, bytes]]:
    reader = FrameReader()
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    pieces = [data[start:end] for start, end in pairwise(places)]
    return [one for piece in pieces for one in reader.feed(piece)]


@given(frames=FRAMES, cuts=st.lists(st.integers(0, 10_000)))
def test_frames_cut_anywhere_come_out_whole_and_in_order(
    frames: list[tuple[FrameKind, int, bytes]], cuts: list[int]
) -> None:
    data = b"".join(frame(*one) for one in frames)

    assert read_in_pieces(data, cuts) == frames


@given(frames=FRAMES)
def test_frames_arriving_byte_by_byte_come_out_whole(frames: list[tuple[FrameKind, int, bytes]]) -> None:
    reader = FrameReader()
    data = b"".join(frame(*one) for one in frames)

    assert [one for at in range(len(data)) for one in reader.feed(data[at : at + 1])] == frames


def test_an_unfinished_frame_is_kept_back() -> None:
    reader = FrameReader()
    data = frame(FrameKind.OUTPUT, 3, b"hello")

    assert list(reader.feed(data[:-1])) == []
    assert list(reader.feed(data[-1:])) == [(FrameKind.OUTPUT, 3, b"hello")]


def test_a_reader_that_stops_early_loses_no_frame() -> None:
    reader = FrameReader()
    frames = reader.feed(frame(FrameKind.OUTPUT, 1, b"a") + frame(FrameKind.OUTPUT, 1, b"b"))

    first = next(frames)
    frames.close()

    assert first == (FrameKind.OUTPUT, 1, b"a")
    assert list(reader.feed(b"")) == [(FrameKind.OUTPUT, 1, b"b")]


def test_a_frame_of_the_largest_size_is_taken_and_a_larger_one_is_not() -> None:
    reader = FrameReader(max_frame_bytes=100)
    largest = frame(FrameKind.OUTPUT, 1, b"x" * 95)

    assert len(list(reader.feed(largest))) == 1
    with pytest.raises(TooLarge):
        list(reader.feed(frame(FrameKind.OUTPUT, 1, b"x" * 96)))


def test_a_length_beyond_the_limit_is_refused_before_its_payload_arrives() -> None:
    with pytest.raises(TooLarge):
        list(FrameReader().feed(struct.pack("<IBI", MAX_FRAME_BYTES + 1, FrameKind.OUTPUT, 1)))


def test_a_length_shorter_than_the_header_is_refused() -> None:
    with pytest.raises(Invalid):
        list(FrameReader().feed(HEADER.pack(3, FrameKind.OUTPUT, 1)))


def test_frames_before_a_bad_one_still_arrive() -> None:
    reader = FrameReader()
    frames = reader.feed(frame(FrameKind.OUTPUT, 1, b"a") + HEADER.pack(0, 1, 1))

    assert next(frames) == (FrameKind.OUTPUT, 1, b"a")
    with pytest.raises(Invalid):
        next(frames)


@given(data=st.binary(max_size=400))
def test_random_bytes_are_frames_or_are_refused(data: bytes) -> None:
    try:
        frames = list(FrameReader(max_frame_bytes=200).feed(data))
    except (Invalid, TooLarge):
        return
    assert sum(len(payload) + HEADER.size for _, _, payload in frames) <= len(data)


# Messages


def test_messages_survive_the_wire() -> None:
    layout = open_in_workspace(Layout(), "p1")  # type: ignore[arg-type]
    sent: UiItem = Synced(layout=layout, panes=(PaneInfo(pane="p1", status=Status.WAITING),))
    data = message(FrameKind.ITEM, 7, sent)

    [(kind, channel, payload)] = FrameReader().feed(data)

    assert (kind, channel) == (FrameKind.ITEM, 7)
    assert decode(payload, UiItem) == sent  # type: ignore[arg-type]


def test_an_event_says_from_on_the_wire() -> None:
    event = StatusEvent(pane="p1", from_=Status.IDLE, to=Status.WORKING, at=1.0)

    plain = msgspec.to_builtins(EventItem(event=event))

    assert plain["event"]["type"] == "status"
    assert (plain["event"]["from"], plain["event"]["to"]) == ("idle", "working")


def test_fields_that_we_do_not_know_are_ignored_in_what_a_peer_says_of_itself() -> None:
    newer = {"protocol": 1, "version": "9", "role": "ui", "engine_build": None, "colour": "blue"}

    assert decode(msgspec.msgpack.encode(newer), Hello).version == "9"


def test_a_request_carries_its_body_undecoded() -> None:
    body = msgspec.Raw(msgspec.msgpack.encode({"pane": "p1"}))

    request = decode(msgspec.msgpack.encode(Request(command="get", body=body)), Request)

    assert msgspec.msgpack.decode(request.body) == {"pane": "p1"}


NESTED = b"\x81\xa4more" + b"\x91" * 200_000 + b"\xc0"
"""A field that nobody asked for, deeper than the decoder goes."""


@pytest.mark.parametrize("payload", [b"", b"\xc1", b"\x80", b"\xa3\xff\xff\xff", NESTED])
def test_a_malformed_message_is_refused_without_quoting_it(payload: bytes) -> None:
    with pytest.raises(Invalid) as raised:
        decode(payload, Welcome)
    assert "Welcome" in raised.value.message
