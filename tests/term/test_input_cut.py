"""Input that is cut: what a program gets of it can stand alone."""

from __future__ import annotations

import pytest

from orca_tui.term.input_cut import beginning_of_input
from orca_tui.term.paste_buffer import PASTE_END, PASTE_START

ROOM = 100
END = ROOM - len(PASTE_END)
"""Where input that can be cut anywhere is cut."""


def cut_within(sequence: bytes, offset: int) -> bytes:
    """What is left of the sequence when the limit is so many bytes behind its beginning."""
    before = b"a" * (END - offset)
    kept = beginning_of_input(before + sequence + b"b" * ROOM, ROOM)

    assert kept.startswith(before)
    return kept.removeprefix(before)


def test_what_has_room_is_whole() -> None:
    data = PASTE_START + b"a" * (ROOM - len(PASTE_START))

    assert beginning_of_input(data, ROOM) == data


def test_of_plain_text_the_end_is_left_out() -> None:
    assert beginning_of_input(b"a" * (ROOM + 3), ROOM) == b"a" * END


@pytest.mark.parametrize(
    "sequence",
    [
        "é".encode(),
        "€".encode(),
        "🙂".encode(),
        b"\x1b[1;5A",
        b"\x1b\x1b[A",
        b"\x1bOP",
        b"\x1bx",
        "\x1bé".encode(),
        b"\x1b[M !!",
        b"\x1b[M \xc3\xa9\xc3\xa9",
        b"\x1b[<35;10;20M",
        b"\x1b]11;rgb:0000/0000/0000\x1b\\",
        b"\x1b]11;rgb:0000/0000/0000\x07",
        b"\x1bP>|name\x1b\\",
        PASTE_START,
    ],
)
def test_characters_and_sequences_are_there_as_a_whole_or_not_at_all(sequence: bytes) -> None:
    for offset in range(1, len(sequence)):
        assert cut_within(sequence, offset) == b"", offset
    assert cut_within(sequence, len(sequence)) == sequence


def test_what_only_looks_like_the_beginning_of_a_long_answer_costs_nothing() -> None:
    alt_p = b"\x1bP"

    assert beginning_of_input(alt_p + b"a" * 10_000, 9_000) == alt_p + b"a" * (9_000 - 2 - len(PASTE_END))


def test_bytes_that_are_no_text_are_cut_somewhere() -> None:
    assert len(beginning_of_input(b"\x80" * (2 * ROOM), ROOM)) == END


@pytest.mark.parametrize("start", [PASTE_START, b""], ids=["unread", "read already"])
def test_an_open_paste_is_closed(start: bytes) -> None:
    kept = beginning_of_input(start + b"a" * ROOM + PASTE_END + b"key" + PASTE_START + b"b" + PASTE_END, ROOM)

    assert kept == (start + b"a" * ROOM)[:END] + PASTE_END
    assert len(kept) == ROOM


def test_the_end_of_a_paste_that_is_cut_itself_is_there_once() -> None:
    for offset in range(len(PASTE_END)):
        assert cut_within(PASTE_END, offset) == PASTE_END


def test_a_paste_that_ended_before_is_not_ended_again() -> None:
    paste = PASTE_START + b"a" + PASTE_END
    kept = beginning_of_input(paste + b"k" * ROOM + paste, ROOM)

    assert kept == (paste + b"k" * ROOM)[:END]
