"""Emoji that terminals give different widths, written so that what follows stands in its column all the same. Pure.

An emoji of several codepoints is two cells for terminals that know of such clusters, and one for each half or four
and more for those that add up the parts (tmux 3.3, Alacritty, xterm). Without a pin the rest of a line would stand
beside its place, over the border and in the next pane.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.cells import cell_len

from orca_tui.ui.texts import EMOJI, JOINED, TONED, TONES, ZERO_WIDTH_JOINER

PRESENTED = "\ufe0f"
"""Makes an emoji of the character before it."""
LETTERS = "\U0001f1e6-\U0001f1ff"
"""Of flags; two are one."""

_MARKS = re.compile(f"[{LETTERS}{TONES}{ZERO_WIDTH_JOINER}{PRESENTED}]")
"""One of these is in every cluster: first in a flag, second in all others."""
_UNSURE = f"(?:[{TONED}][{TONES}]|(?![{LETTERS}])[#*0-9©-\U0001faff]{PRESENTED}\u20e3?)"
_SURE = f"(?![{TONES}])[{EMOJI}]"
_JOINED = f"{ZERO_WIDTH_JOINER}(?:[{TONED}][{TONES}]|(?![{TONES}])[{JOINED}]{PRESENTED}?)"
_CLUSTER = re.compile(
    f"(?<!{ZERO_WIDTH_JOINER})"
    f"(?:[{LETTERS}]{{2}}|(?:(?:{_UNSURE}|{_SURE})(?:{_JOINED})+|{_UNSURE}){ZERO_WIDTH_JOINER}?)"
)
_OSC = "\x1b]"
"""Begins what is not drawn: titles, notifications."""
_BEYOND_BMP = b"\xf0"
"""The first byte of all emoji that are flags or have a skin tone; found much faster than a range of characters."""

MOST_CELLS = 16
"""Of one emoji: a family of four with skin tones, its parts added up. It has fewer codepoints."""
_ROOM = " " * MOST_CELLS


def painted(text: str) -> bytes:
    """What is to be drawn, as it is sent to the outer terminal."""
    data = text.encode("utf-8", "replace")
    marked = PRESENTED in text or ZERO_WIDTH_JOINER in text or (_BEYOND_BMP in data and _MARKS.search(text))
    return _with_pins(text).encode("utf-8", "replace") if marked and _OSC not in text else data


def within_its_cells(drawn: str, text: str) -> str:
    """A row as it is drawn, such that no terminal draws it beyond its right edge; `text` is all that it says.

    Of an emoji that has no room there for its parts one by one only the first part is drawn: what stands beside
    would be drawn over, and nothing says when to draw that again.
    """
    if text.isascii() or text.endswith(_ROOM):
        return drawn
    return _without_overhang(drawn, text)


def _without_overhang(drawn: str, text: str) -> str:
    end = len(drawn)
    for found in reversed(list(_clusters(text, max(0, len(text) - MOST_CELLS)))):
        cluster = found.group()
        end = drawn.rfind(cluster, 0, end)
        if end < 0:
            break  # Its parts have styles of their own: they are no cluster in the pane.
        if sum(map(_cells_alone, cluster)) > cell_len(cluster) + cell_len(text[found.end() :]):
            drawn = drawn[:end] + cluster[0] + drawn[end + len(cluster) :]
    return drawn


def _cells_alone(char: str) -> int:
    return 2 if TONES[0] <= char <= TONES[-1] else cell_len(char)


def _with_pins(text: str) -> str:
    pieces: list[str] = []
    at = 0
    for found in _clusters(text):
        pieces += text[at : found.start()], _pinned(found.group())
        at = found.end()
    return "".join((*pieces, text[at:]))


def _clusters(text: str, begin: int = 0) -> Iterator[re.Match[str]]:
    """The emoji of several parts, one after the other."""
    at = begin
    for mark in _MARKS.finditer(text, begin):
        start = mark.start() if LETTERS[0] <= mark.group() <= LETTERS[-1] else mark.start() - 1
        if start >= at and (found := _CLUSTER.match(text, start)) is not None:
            at = found.end()
            yield found


def _pinned(cluster: str) -> str:
    """The cluster between two returns to where it began: over blanks, for whoever makes it narrower than it is."""
    cells = cell_len(cluster)
    if cells < (2 if ZERO_WIDTH_JOINER in cluster else 1):
        return cluster  # No emoji after all.
    return f"\x1b7{' ' * cells}\x1b8{cluster}\x1b8\x1b[{cells}C"
