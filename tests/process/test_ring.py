"""The newest bytes of a stream."""

from __future__ import annotations

from orca_tui.process.ring import Ring


def test_up_to_the_limit_nothing_is_lost() -> None:
    ring = Ring(6)
    ring.add(b"abc")
    ring.add(b"def")

    assert (bytes(ring.data), ring.lost) == (b"abcdef", 0)


def test_beyond_the_limit_the_oldest_go_and_are_counted() -> None:
    ring = Ring(4)
    ring.add(b"abc")
    ring.add(b"defghijk")

    assert (bytes(ring.data), ring.lost) == (b"hijk", 7)


def test_a_cleared_ring_begins_anew() -> None:
    ring = Ring(2)
    ring.add(b"abc")
    ring.clear()
    ring.add(b"d")

    assert (bytes(ring.data), ring.lost) == (b"d", 0)
