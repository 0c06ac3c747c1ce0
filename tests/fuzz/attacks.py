"""What hostile or broken programs write to their terminal: endless supplies of bytes, each from one seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping

from tests.term.terminals import recordings

FINALS = bytes(range(0x40, 0x7F))
SOUP = b"\x1b[]P_^X\\?;:>0149hlmHJKLMPXZrstucp!$\"'\x07\x18\x1a\x9b\x9d\x90\x9c\r\n\t\x08\x0e\x0f"
COMBINING = "\u0301\u0323\u20dd\u200d\ufe0f\u1f3fb"
HOSTILE_TEXT = "\u202e\u2066\u200b\u200f\x00\x7f\U000e0041端👩‍👩‍👧🇩🇪"
OPENERS = (b"\x1b]0;", b"\x1b]7501;", b"\x1b]9999;", b"\x1b]52;c;", b"\x1bP", b"\x1b_", b"\x1b]8;;")

SCREEN_CHANGES = (
    *(b"\x1b[?%d%c" % (mode, switch) for mode in (3, 6, 7, 47, 69, 1047, 1049) for switch in b"hl"),
    *(b"\x1b[4h", b"\x1b[4l", b"\x1b[3;9r", b"\x1b[r", b"\x1b[5;30s", b"\x1b[s", b"\x1b[44m", b"\x1b[m"),
)


def mutated_recordings(random_: random.Random) -> Iterator[bytes]:
    """What real agents wrote, with bytes changed, dropped, doubled and swapped."""
    found = recordings()
    while True:
        data = bytearray(random_.choice(found).data)
        start = random_.randrange(max(1, len(data) - 20_000))
        piece = data[start : start + random_.randrange(200, 20_000)]
        for _ in range(random_.randrange(1, 60)):
            _mutate(piece, random_)
        yield bytes(piece)


def _mutate(data: bytearray, random_: random.Random) -> None:
    at, length = random_.randrange(len(data) or 1), random_.randrange(1, 12)
    match random_.randrange(4):
        case 0 if data:
            data[at] = random_.choice(SOUP)
        case 1:
            del data[at : at + length]
        case 2:
            data[at:at] = data[at : at + length]
        case _:
            data[at:at] = random_.randbytes(length)


def random_bytes(random_: random.Random) -> Iterator[bytes]:
    while True:
        yield random_.randbytes(random_.randrange(1, 8192))


def escape_soup(random_: random.Random) -> Iterator[bytes]:
    """Sequences that begin, break off, and begin inside of each other."""
    while True:
        yield bytes(random_.choice(SOUP) for _ in range(random_.randrange(1, 4096)))


def giant_numbers(random_: random.Random) -> Iterator[bytes]:
    """Every final byte with parameters beyond all bounds, and with far too many of them."""
    while True:
        for final in FINALS:
            number = random_.choice((b"0", b"65536", b"999999999", b"18446744073709551616", b"-1"))
            count = random_.choice((1, 2, 30, 2000))
            marker = random_.choice((b"", b"?", b">", b"=", b"<"))
            yield b"\x1b[" + marker + b";".join([number] * count) + bytes([final])


def long_strings(random_: random.Random) -> Iterator[bytes]:
    """OSC, DCS, APC and titles of megabytes, some of which never end."""
    while True:
        opener = random_.choice(OPENERS)
        body = random_.choice((b"A", b"x;y=", "端\u202e".encode(), b"\x1b]")) * random_.randrange(1, 400_000)
        yield opener + body + random_.choice((b"\x07", b"\x1b\\", b"", b"\x18"))


def piled_marks(random_: random.Random) -> Iterator[bytes]:
    """One cell with thousands of combining marks, and text that turns around, hides or joins."""
    while True:
        marks = "".join(random_.choice(COMBINING) for _ in range(random_.randrange(1, 20_000)))
        yield ("e" + marks + HOSTILE_TEXT * random_.randrange(1, 50)).encode()


def many_styles(random_: random.Random) -> Iterator[bytes]:
    """A style and a link for each cell."""
    while True:
        parts = []
        for number in range(500):
            red, green, blue = (random_.randrange(256) for _ in range(3))
            parts.append(f"\x1b[38;2;{red};{green};{blue};{random_.randrange(10)}mx")
            parts.append(f"\x1b]8;id={number};https://example.org/{random_.random()}\x07y")
        yield "".join(parts).encode()


def cut_characters(random_: random.Random) -> Iterator[bytes]:
    """UTF-8 that breaks off, is too long, or holds halves of surrogates."""
    pieces = (
        b"\xe7\xab",
        b"\xf0\x9f\x91",
        b"\xc0\x80",
        b"\xed\xa0\x80",
        b"\xf8\x88",
        b"\xff",
        "端".encode(),
        b"a",
    )
    while True:
        yield b"".join(random_.choice(pieces) for _ in range(random_.randrange(1, 2000)))


def wide_screens(random_: random.Random) -> Iterator[bytes]:
    """Rows of wide characters on either screen, with what decides where and how they are written and cut off."""
    text = ("漢" * 60).encode(), "👩‍👩‍👧🇩🇪e\u0301".encode() * 20, b"x" * 79, b"x" + "端".encode() * 39
    while True:
        parts = []
        for _ in range(random_.randrange(1, 12)):
            parts.append(random_.choice(SCREEN_CHANGES))
            parts.append(b"\x1b[%d;%dH" % (random_.randrange(1, 30), random_.randrange(1, 90)))
            parts.append(random_.choice(text))
        yield b"".join(parts)


Attack = Callable[[random.Random], Iterator[bytes]]

ATTACKS: Mapping[str, Attack] = {
    attack.__name__: attack
    for attack in (
        mutated_recordings,
        random_bytes,
        escape_soup,
        giant_numbers,
        long_strings,
        piled_marks,
        many_styles,
        cut_characters,
        wide_screens,
    )
}
