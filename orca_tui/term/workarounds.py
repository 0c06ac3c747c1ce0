"""Bytes that make up for what the engine lacks. They go into the stream, so that viewing engines agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Write: TypeAlias = Callable[[bytes], bytes]
"""Feeds the terminal, and returns what it was fed."""

CANCEL = b"\x18"
"""CAN ends any sequence without carrying it out."""

FORBID_COLUMN_SWITCH = b"\x1b[?40l"
"""Ends the mode that lets DECCOLM change the number of columns."""

STATUS_ANSWER = b"\x1b]7501;?\x1b\\"
"""Tells a program that its OSC 7501 is understood."""

ASK_POSITION = b"\x1b[6n"
"""CPR: asks the engine what DECXCPR must answer."""

ASK_MARGINS = b"\x1bP$qr\x1b\\\x1bP$qs\x1b\\"
"""DECRQSS: asks the engine for its margins, top and bottom, then left and right."""

NORMAL_PEN = b"\x1b[m"
ERASE_CELL = b"\x1b[X"
ORIGIN_OFF, ORIGIN_ON = b"\x1b[?6l", b"\x1b[?6h"
TO_ALTERNATE, TO_PRIMARY = b"\x1b[?47h", b"\x1b[?47l"
"""Show the other screen as it is, with the cursor of the one before."""

SOFT_RESET = (
    b"\x1b[?25h"  # The cursor shows,
    b"\x1b[2;4l"  # the keyboard is unlocked and insert mode off,
    b"\x1b[?1;6;45;66;69;1045l"  # normal keys, no origin mode, no reverse wrap and no side margins,
    b"\x1b[?7h"  # but autowrap, as xterm has it against the VT510's manual;
    b"\x1b[r"  # the whole screen scrolls,
    b"\x1b(B\x1b)B\x1b*B\x1b+B\x0f"  # all character sets are ASCII,
    b"\x1b[m"  # the rendition is normal
    b'\x1b[0"q'  # and text erasable;
    b"\x1b[H\x1b7"  # and so is the saved cursor, at home.
)
"""DECSTR as the VT510's manual and xterm have it, in sequences that the engine knows; moves the cursor."""


def move_to(x: int, y: int) -> bytes:
    """The cursor to column `x` and row `y`, from 0."""
    return b"\x1b[%d;%dH" % (y + 1, x + 1)


def soft_reset(x: int, y: int) -> bytes:
    """What DECSTR does, with the cursor at column `x` and row `y`, from 0, where it stays."""
    return SOFT_RESET + move_to(x, y)


def without_column_switch(sequence: bytes, other_modes: bytes) -> bytes:
    """A DECSET of mode 40 cancelled at its last byte, and its other modes set on their own."""
    return sequence[:-1] + CANCEL + (b"\x1b[?%sh" % other_modes if other_modes else b"")


def private_position(report: bytes) -> bytes:
    """The DECXCPR report of a CPR report: marked as private, and with the one page that there is."""
    return report.replace(b"[", b"[?").replace(b"R", b";1R")


def unknown_capabilities(names: tuple[bytes, ...], answers: list[bytes]) -> list[bytes]:
    """What XTGETTCAP must answer for the names that the engine passed over; a program would wait for it."""
    known = {
        answer.partition(b"+r")[2].partition(b"=")[0].removesuffix(b"\x1b\\").upper() for answer in answers
    }
    return [b"\x1bP0+r%s\x1b\\" % name for name in names if name.upper() not in known]
