"""What we write onto a pane's screen ourselves: what stands for output that is missing, and the last words of a
program that died on the alternate screen. Reads engines, and writes to none.
"""

from __future__ import annotations

from typing import NamedTuple

from orca_tui.term.engine import TerminalEngine

PLAIN = b"\x1b[m\x1b[4l\x1b[?69l\x1b[?6l\x1b[r"
"""Ends what would put rows elsewhere: style, insert mode, margins and their origin."""


class LastScreen(NamedTuple):
    """The rows from the first to the last that say anything, as text with SGR sequences."""

    rows: tuple[str, ...] = ()
    cursor: tuple[int, int] = (0, 0)
    """Row among `rows`, and column, both from 0."""


def left_behind(engine: TerminalEngine) -> LastScreen:
    """What stands on the alternate screen; nothing while the other one is shown."""
    if not engine.modes().alternate_screen:
        return LastScreen()
    rows = engine.all_rows()
    said = [y for y, row in enumerate(rows) if row.text.strip()]
    if not said:
        return LastScreen()
    cursor = engine.cursor()
    last = max(said[-1], cursor.y)
    first = min(said[0], cursor.y)
    return LastScreen(
        rows=tuple(row.ansi.rstrip(" ") for row in rows[first : last + 1]),
        cursor=(cursor.y - first, cursor.x),
    )


def carried_over(left: LastScreen, engine: TerminalEngine, *, at_prompt: bool) -> bytes:
    """The sequences that show it below what stands on the primary screen, which is shown again.

    At a prompt the cursor stays where it was in it; else it is below everything.
    """
    if not left.rows:
        return b""
    last = max((y for y, row in enumerate(engine.all_rows()) if row.text.strip()), default=-1)
    start = b"\x1b[%d;1H\r\n" % (last + 1) if last >= 0 else b"\x1b[H"
    shown = "\r\n".join(left.rows).encode()
    if not at_prompt:
        return PLAIN + start + shown + b"\r\n"
    y, x = left.cursor
    up = len(left.rows) - 1 - y
    return PLAIN + start + shown + (b"\x1b[%dA" % up if up else b"") + b"\x1b[%dG" % (x + 1)


def missing_output(lost: int, *, alternate_screen: bool) -> bytes:
    """What stands for bytes that nobody has: an open sequence ends, styles and margins are as at the start.

    The modes that a full-screen program set stay: it runs on and relies on them.
    """
    note = b"" if alternate_screen else b"\r\n[%d bytes of output are missing here]\r\n" % lost
    return b"\x18\x1b[!p\x1b[m" + note
