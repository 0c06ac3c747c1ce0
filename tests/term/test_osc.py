"""The side scanner finds the same sequences however the output is cut, and the same as the engine."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orca_tui.term.engine import Progress, TitleChanged
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.osc import (
    OSC_LIMITS,
    PENDING_LIMIT,
    CapabilitiesAsked,
    ChecksumAsked,
    ColumnSwitchAllowed,
    CursorPositionAsked,
    FullResetSeen,
    OscSeen,
    ScanEvent,
    SideScanner,
    SizeAsked,
    SoftResetSeen,
)

SEQUENCES: list[tuple[bytes, ScanEvent]] = [
    (b"\x1b]133;A\x07", OscSeen(end=8, number=133, payload="A")),
    (b"\x1b]133;D;0\x1b\\", OscSeen(end=10, number=133, payload="D;0")),
    (b"\x1b]7501;state=idle\x07", OscSeen(end=18, number=7501, payload="state=idle")),
    (b"\x1b]99;i=1;hello\x1b\\", OscSeen(end=15, number=99, payload="i=1;hello")),
    (b"\x1b]26;Status=idle\x1b\\", OscSeen(end=17, number=26, payload="Status=idle")),
    (b'\x1b]9999;{"a":"\xc3\xa9"}\x07', OscSeen(end=18, number=9999, payload='{"a":"é"}')),
    (b"\x1bc", FullResetSeen(end=2)),
    (b"\x1b[!p", SoftResetSeen(end=4)),
    (b"\x1b[?6n", CursorPositionAsked(end=5)),
    (b"\x1b[?40h", ColumnSwitchAllowed(end=6, other_modes=b"")),
    (b"\x1b[?40;3;25h", ColumnSwitchAllowed(end=11, other_modes=b"3;25")),
    (b"\x1bP+q544e;;524742\x1b\\", CapabilitiesAsked(end=17, names=(b"544e", b"524742"))),
]

WITH_PERMISSION: list[tuple[bytes, ScanEvent]] = [
    (b"\x1b[7;1;2;3;4;5*y", ChecksumAsked(end=15, numbers=(7, 1, 2, 3, 4, 5))),
    (b"\x1b[7*y", ChecksumAsked(end=5, numbers=(7,))),
    (b"\x1b[*y", ChecksumAsked(end=4, numbers=(0,))),
    (b"\x1b[8;30;100t", SizeAsked(end=11, numbers=(30, 100))),
    (b"\x1b[8;;100t", SizeAsked(end=9, numbers=(0, 100))),
]


def moved(event: ScanEvent, by: int) -> ScanEvent:
    """The event as it is seen `by` bytes later."""
    return type(event)(
        **{name: getattr(event, name) for name in event.__slots__ if name != "end"}, end=event.end + by
    )


def scanned_in_pieces(pieces: list[bytes], *, permitted: bool = False) -> list[ScanEvent]:
    """The events of all pieces, with ends counted from the start of the first."""
    scanner = SideScanner(permitted=permitted)
    events, before = [], 0
    for piece in pieces:
        events += [moved(event, before) for event in scanner.scan(piece)]
        before += len(piece)
    return events


@pytest.mark.parametrize(("sequence", "event"), SEQUENCES)
def test_a_sequence_is_found_with_its_end(sequence: bytes, event: ScanEvent) -> None:
    assert SideScanner().scan(b"text" + sequence + b"more") == [moved(event, 4)]


@pytest.mark.parametrize(("sequence", "event"), SEQUENCES)
def test_a_sequence_cut_at_any_byte_is_found_once(sequence: bytes, event: ScanEvent) -> None:
    for cut in range(len(sequence) + 1):
        assert scanned_in_pieces([b"text" + sequence[:cut], sequence[cut:] + b"more"]) == [moved(event, 4)]


@pytest.mark.parametrize(("sequence", "event"), WITH_PERMISSION)
def test_what_needs_permission_is_found_with_it_however_it_is_cut_and_never_without(
    sequence: bytes, event: ScanEvent
) -> None:
    for cut in range(len(sequence) + 1):
        pieces = [b"text" + sequence[:cut], sequence[cut:] + b"more"]

        assert scanned_in_pieces(pieces, permitted=True) == [moved(event, 4)]
        assert scanned_in_pieces(pieces) == []


@given(
    st.lists(
        st.sampled_from(
            [sequence for sequence, _ in SEQUENCES] + [b"text", b"\x1b", b"\x18", b"\x1b]2;t\x07"]
        )
    )
)
@settings(max_examples=200, deadline=None)
def test_one_byte_at_a_time_finds_what_the_whole_finds(parts: list[bytes]) -> None:
    data = b"".join(parts)

    assert scanned_in_pieces([bytes([byte]) for byte in data]) == scanned_in_pieces([data])


def test_a_cancelled_osc_is_no_event() -> None:
    assert SideScanner().scan(b"\x1b]133;A\x18\x07\x1b]133;B\x1a\x1b\\") == []


def test_control_characters_inside_an_osc_do_not_count() -> None:
    assert SideScanner().scan(b"\x1b]133;\x00A\n\x07") == [OscSeen(end=10, number=133, payload="A")]


def test_text_that_looks_like_the_end_of_an_osc_is_text() -> None:
    assert SideScanner().scan(b"]133;A\x07 [!p ?6n c") == []


def test_other_osc_numbers_are_passed_over() -> None:
    assert SideScanner().scan(b"\x1b]1337;SetMark\x07\x1b]13;A\x07\x1b]1333;A\x07\x1b]7501\x07") == []


@pytest.mark.parametrize("number", OSC_LIMITS)
def test_an_osc_over_its_limit_is_no_event(number: bytes) -> None:
    longest = b"\x1b]%s;%s\x07" % (number, b"a" * OSC_LIMITS[number])
    too_long = b"\x1b]%s;%s\x07" % (number, b"a" * (OSC_LIMITS[number] + 1))

    assert len(SideScanner().scan(longest)) == 1
    assert SideScanner().scan(too_long) == []
    assert len(scanned_in_pieces([too_long[:100], too_long[100:] + longest])) == 1


def test_what_is_pending_stays_bounded() -> None:
    scanner = SideScanner()
    scanner.scan(b"\x1b]9999;")
    for _ in range(100):
        scanner.scan(b"x" * 4096)
        assert len(scanner.pending) <= PENDING_LIMIT

    assert scanner.scan(b"\x07\x1b]133;A\x07") == [OscSeen(end=9, number=133, payload="A")]


def test_a_scanner_starts_inside_the_sequence_that_a_snapshot_left_open() -> None:
    assert SideScanner(b"\x1b]133;").scan(b"A\x07") == [OscSeen(end=2, number=133, payload="A")]


DETACHED_ESCAPE = re.compile(rb"\x1b+[\x00-\x17\x19\x1c-\x1f\x80-\xff]+")
"""The engine finds a sequence behind these too; nobody writes them, and the scanner does not look for them."""


def soup(random_: random.Random) -> bytes:
    """Pieces of sequences in any order: openers without ends, ends without openers, cancels, text."""
    openers = [
        b"\x1b]",
        b"\x1b]2;",
        b"]2;x",
        b"\x1bP",
        b"\x1bPq",
        b"\x1b_G",
        b"\x1bX",
        b"\x1b^",
        b"\x1b[",
        b"\x1b[1;",
        b"\x1b(",
    ]
    enders = [b"\x07", b"\x1b\\", b"\x18", b"\x1a", b"m", b"c", b"B"]
    others = [b"\x1b", b"\x1bc", b"\n", b"title", b"\xe7\xab\xaf", b"\xe7"]
    pieces = openers + enders + others
    return b"".join(random_.choice(pieces) for _ in range(40))


def once_in_a_row(told: list[str]) -> list[str]:
    """Resets between which nothing else was told are told once."""
    return [text for before, text in pairwise(["", *told]) if (before, text) != ("RIS", "RIS")]


def test_sequences_begin_and_end_where_the_engine_has_them_begin_and_end(factory: GhosttyFactory) -> None:
    """Titles stand for the numbers that only the scanner knows; at RIS the engine ends the progress report."""
    random_ = random.Random(7)
    for _ in range(300):
        data = DETACHED_ESCAPE.sub(b"", soup(random_))
        engine = factory.new(80, 24, scrollback_lines=0)
        facts = engine.feed(data).facts
        engine.close()
        told = [
            fact.title if isinstance(fact, TitleChanged) else "RIS"
            for fact in facts
            if isinstance(fact, TitleChanged | Progress)
        ]

        events = SideScanner().scan(data.replace(b"]2;", b"]133;"))
        found = [
            event.payload.replace("]133;", "]2;") if isinstance(event, OscSeen) else "RIS" for event in events
        ]

        heard = [text for text in found if "\ufffd" not in text]
        """The engine drops titles that are not UTF-8."""

        assert once_in_a_row(told) == once_in_a_row(heard)
