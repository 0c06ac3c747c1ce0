"""What programs write, the same bytes at every run. Each payload ends with a clean screen and plain colours."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping

COLS, ROWS = 120, 40
"""What cursor motions count on; larger terminals take them too."""
BLOCK_BYTES = 1 << 20
"""So much is made, then repeated."""
CLEAN = b"\x1b[?2026l\x1b[r\x1b[m\x1b[H\x1b[2J"
SEED = 1


def payload(kind: str, size_bytes: int) -> bytes:
    """About so many bytes of a kind of `KINDS`, cut where a piece ends."""
    pick = random.Random(SEED)
    pieces: list[bytes] = []
    length = 0
    for piece in KINDS[kind](pick):
        pieces.append(piece)
        length += len(piece)
        if length >= min(BLOCK_BYTES, size_bytes):
            break
    block = b"".join(pieces)
    return block * max(1, size_bytes // len(block)) + CLEAN


def plain(_: random.Random) -> Iterator[bytes]:
    """Lines of ASCII."""
    line = "".join(chr(33 + n % 90) for n in range(99)) + "\n"
    while True:
        yield line.encode()


def sgr(pick: random.Random) -> Iterator[bytes]:
    """Words in true colours, as a build log or a diff has them."""
    while True:
        words = (f"\x1b[38;2;{_color(pick)}mword{number}\x1b[m " for number in range(12))
        yield ("".join(words) + "\n").encode()


def truecolor(pick: random.Random) -> Iterator[bytes]:
    """Every cell in two colours of its own, as a picture is shown."""
    while True:
        cells = (f"\x1b[38;2;{_color(pick)};48;2;{_color(pick)}m▀" for _ in range(COLS - 1))
        yield ("".join(cells) + "\x1b[m\n").encode()


def ink(pick: random.Random) -> Iterator[bytes]:
    """An agent's live region, erased row by row and drawn again, in synchronized frames."""
    number = 0
    height = 12
    yield b"\n" * height
    while True:
        number += 1
        erase = "\x1b[2K\x1b[1A" * height + "\x1b[2K\x1b[G"
        rows = [f"\x1b[38;5;{pick.randrange(256)}m⏺\x1b[39m Update(src/app_{number}.ts)"]
        rows += [
            f"  \x1b[2m{row:4}\x1b[22m \x1b[32m+ const value{row} = {number};\x1b[39m" for row in range(6)
        ]
        rows += [
            f"\x1b[35m✻ Thinking… ({number}s · ↑ {number * 7} tokens)\x1b[39m",
            "╭" + "─" * (COLS - 4) + "╮",
        ]
        rows += ["│ > " + " " * (COLS - 7) + "│", "╰" + "─" * (COLS - 4) + "╯", "  ? for shortcuts", ""]
        yield f"\x1b[?2026h{erase}{chr(10).join(rows)}\x1b[?2026l".encode()


def cursor(pick: random.Random) -> Iterator[bytes]:
    """Single characters all over the screen, as full-screen programs update it."""
    while True:
        place = f"\x1b[{1 + pick.randrange(ROWS)};{1 + pick.randrange(COLS)}H"
        yield f"{place}{chr(33 + pick.randrange(90))}".encode()


def unicode(pick: random.Random) -> Iterator[bytes]:
    """Wide characters, emoji of several code points, combining marks."""
    signs = ("端", "末", "한", "글", "🚀", "👩‍💻", "🇩🇪", "👍🏽", "é", "ö", "ｶ", "ﾞ", "—", "λ", "❤️", "x")
    while True:
        yield ("".join(pick.choice(signs) for _ in range(COLS // 2)) + "\n").encode()


def region(pick: random.Random) -> Iterator[bytes]:
    """Lines scrolled, inserted and deleted between margins, as editors and pagers do."""
    while True:
        lines = "".join(f"\x1b[{ROWS - 5}H{pick.randrange(10**9)} in a region\n" for _ in range(8))
        yield f"\x1b[5;{ROWS - 5}r{lines}\x1b[10H\x1b[2L\x1b[3M\x1b[2S\x1b[T\x1b[r".encode()


def _color(pick: random.Random) -> str:
    return f"{pick.randrange(256)};{pick.randrange(256)};{pick.randrange(256)}"


KINDS: Mapping[str, Callable[[random.Random], Iterator[bytes]]] = {
    "plain": plain,
    "sgr": sgr,
    "truecolor": truecolor,
    "ink": ink,
    "cursor": cursor,
    "unicode": unicode,
    "region": region,
}
