"""Commands of pictures are found however the output is cut, and only where the engine would see them."""

from __future__ import annotations

import pytest

from orca_tui.term.pictures.scan import PictureScanner, PictureSeen

OUTPUT = (
    b"ab\x1b_Gi=1;AAAA\x1b\\cd"  # Whole,
    b"\x1b_Gi=2;BB\x1b[m"  # broken off by another sequence,
    b"\x1b_Gi=3;CC\x18"  # cancelled,
    b"\x1b]0;title\x1b_Ga=d\x1b\\"  # begun inside of an OSC,
    b"\x1b_Xi=4;DD\x1b\\"  # of somebody else,
    b"\x1b\x1b_Gi=5\x1b\\\x1b"  # and between two ESCs.
)
COMMANDS = [(b"i=1", b"AAAA"), (b"a=d", b""), (b"i=5", b"")]


def found_in(pieces: list[bytes]) -> list[tuple[int, bytes, bytes]]:
    """The commands with the offset in all pieces together."""
    scanner, found, before = PictureScanner(), [], 0
    for piece in pieces:
        found += [(before + seen.end, seen.control, seen.payload) for seen in scanner.scan(piece)]
        before += len(piece)
    return found


def test_commands_are_found_with_their_ends() -> None:
    found = found_in([OUTPUT])

    assert [seen[1:] for seen in found] == COMMANDS
    assert all(OUTPUT[:end].endswith(b"\x1b\\") for end, _, _ in found)


@pytest.mark.parametrize("cut", range(len(OUTPUT) + 1))
def test_a_cut_changes_nothing(cut: int) -> None:
    assert found_in([OUTPUT[:cut], OUTPUT[cut:]]) == found_in([OUTPUT])


def test_a_byte_at_a_time_changes_nothing() -> None:
    assert found_in([bytes([byte]) for byte in OUTPUT]) == found_in([OUTPUT])


def test_a_command_that_is_too_long_comes_cut_and_the_next_one_whole() -> None:
    scanner = PictureScanner(limit=10)
    for _ in range(100):
        assert scanner.scan(b"\x1b_Gi=1;AAAA") == []
        assert scanner.scan(b"A" * 1000) == []

    assert scanner.scan(b"\x1b\\\x1b_Gi=2\x1b\\") == [
        PictureSeen(end=2, control=b"i=1", payload=b"AAAAAA", cut=True),
        PictureSeen(end=10, control=b"i=2", payload=b""),
    ]
