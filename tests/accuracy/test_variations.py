"""The ways in which the same recording may come."""

from __future__ import annotations

from itertools import pairwise

from tests.accuracy.recording import Line, Recording, output
from tests.accuracy.variations import LATEST_HOOK_MS, cut, hooks_late

TEXT = "\x1b]0;◐ Fake title\x07日本語 " * 20
RECORDING = Recording(
    name="one",
    agent="claude",
    version="1",
    lines=(
        *(output(at, TEXT.encode()) for at in range(100)),
        *(Line(at=at, kind="hook", what={"event": "Stop", "payload": {"n": at}}) for at in range(100, 1100)),
    ),
)


def test_the_bytes_of_cut_output_are_the_same_in_more_pieces() -> None:
    pieces = [line.data() for line in cut(RECORDING).lines if line.kind == "output"]

    assert b"".join(pieces) == TEXT.encode() * 100
    assert len(pieces) > 150


def test_output_is_cut_inside_characters_and_escape_sequences() -> None:
    pieces = [line.data() for line in cut(RECORDING).lines if line.kind == "output"]

    assert any(b"\x1b]" in piece.rpartition(b"\x07")[2] for piece in pieces)
    assert any(0x80 <= piece[0] < 0xC0 for piece in pieces)


def test_hooks_come_late_twice_and_out_of_order_but_none_is_lost() -> None:
    hooks = [line for line in hooks_late(RECORDING).lines if line.kind == "hook"]
    numbers = [line.what["payload"]["n"] for line in hooks]

    assert set(numbers) == set(range(100, 1100))
    assert 1050 < len(numbers) < 1150
    assert any(first > second for first, second in pairwise(numbers))
    assert all(0 <= line.at - line.what["payload"]["n"] <= LATEST_HOOK_MS for line in hooks)
    assert all(line.what["payload"]["n"] <= line.what["started"] <= line.at for line in hooks)


def test_the_same_recording_comes_the_same_way_each_time() -> None:
    assert cut(RECORDING) == cut(RECORDING)
    assert hooks_late(RECORDING) == hooks_late(RECORDING)
