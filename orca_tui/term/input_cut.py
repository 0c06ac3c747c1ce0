"""The beginning of input that is too much to be kept whole, such that a program can go on from it. Keeps nothing.

Rule 1: it ends neither within a character nor within an escape sequence.
Rule 2: a bracketed paste that is open at its end is closed: else everything typed later would be taken as pasted.
"""

from __future__ import annotations

import re

from orca_tui.term.paste_buffer import PASTE_END, PASTE_START

LONGEST_SEQUENCE = 4096
"""Bytes; only the answer to a question for the clipboard may be longer, and panes' programs get none."""
LONGEST_CHARACTER = 4
"""Bytes, in UTF-8."""

_MARKERS = re.compile(re.escape(PASTE_START) + b"|" + re.escape(PASTE_END))
_CHARACTER = rb"(?:[\xc2-\xf4][\x80-\xbf]{1,3}|.)"
_SEQUENCE = re.compile(
    rb"\x1b{1,2}(?:"  # Alt with a function key is a second ESC in front.
    rb"\[M" + _CHARACTER + rb"{3}|"  # The oldest mouse reports; those of mode 1005 have UTF-8.
    rb"\[[0-?]*[ -/]*[@-~]|O[ -~]|"
    rb"[\]P_^X][^\x07\x1b]{0,%d}(?:\x07|\x1b\\)|" % LONGEST_SEQUENCE + _CHARACTER + rb")",
    re.DOTALL,
)


def beginning_of_input(data: bytes, most_bytes: int) -> bytes:
    """At most so many bytes that end as the rules say."""
    if len(data) <= most_bytes:
        return data
    end = _boundary(data, max(0, most_bytes - len(PASTE_END)))
    # The program may have read the marker that opened the paste long ago: what comes next tells that it is open.
    marker = _MARKERS.search(data, end)
    closing = PASTE_END if marker is not None and marker.group() == PASTE_END else b""
    return data[:end] + closing


def _boundary(data: bytes, end: int) -> int:
    """Rule 1, at `end` or before it."""
    for back in range(min(LONGEST_CHARACTER, end + 1)):
        if data[end - back] & 0xC0 != 0x80:
            end -= back
            break
    for found in _SEQUENCE.finditer(data, max(0, end - LONGEST_SEQUENCE), end + LONGEST_SEQUENCE):
        if found.end() > end:
            return min(found.start(), end)
    return end
