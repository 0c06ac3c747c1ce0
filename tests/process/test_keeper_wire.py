"""Frames between keeper and server."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_tui.process.keeper_wire import HEADER, MAX_RAW_BYTES, BadFrame, FrameCutter, frame

HEADS = st.dictionaries(st.text(), st.one_of(st.integers(), st.text(), st.none()))


@given(st.lists(st.tuples(HEADS, st.binary())), st.integers(min_value=1, max_value=50))
def test_frames_come_out_as_they_went_in_however_they_are_cut(
    frames: list[tuple[dict[str, object], bytes]], size: int
) -> None:
    stream = b"".join(frame(head, raw) for head, raw in frames)
    cutter = FrameCutter()

    got = [one for at in range(0, len(stream), size) for one in cutter.feed(stream[at : at + size])]

    assert got == frames


@pytest.mark.parametrize(
    "data",
    [
        HEADER.pack(2, MAX_RAW_BYTES + 1),
        HEADER.pack(1 << 30, 0),
        HEADER.pack(2, 0) + b"[]",
        HEADER.pack(2, 0) + b"{x",
        HEADER.pack(2, 0) + b"\xff\xff",
    ],
)
def test_what_is_no_frame_is_refused(data: bytes) -> None:
    with pytest.raises(BadFrame):
        list(FrameCutter().feed(data))
