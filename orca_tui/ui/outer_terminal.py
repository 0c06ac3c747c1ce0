"""What we tell the outer terminal beside the screen: cursor, title, notifications, clipboard. Sequences only.

Everything that came from a pane is stripped of what could end a sequence or begin another.
"""

from __future__ import annotations

import base64
from enum import StrEnum

import msgspec

from orca_tui.config import Environment
from orca_tui.term.engine import Cursor
from orca_tui.ui.texts import one_line

TITLE_LIMIT = 200
NOTICE_LIMIT = 300
"""Characters; a desktop shows one or two lines."""

SHAPES = {"block": 1, "block_hollow": 1, "underline": 3, "bar": 5}
"""DECSCUSR: the blinking one; the steady one is the next number."""

SAVE_TITLE, RESTORE_TITLE = "\x1b[22;2t", "\x1b[23;2t"
SHOW_CURSOR, HIDE_CURSOR = "\x1b[?25h", "\x1b[?25l"
DEFAULT_SHAPE = "\x1b[0 q"


class NoticeStyle(StrEnum):
    """How an outer terminal takes desktop notifications."""

    OSC_9 = "osc9"
    OSC_777 = "osc777"
    OSC_99 = "osc99"
    NONE = "none"


def notice_style(environment: Environment) -> NoticeStyle:
    """What the outer terminal understands, by what it says of itself."""
    term, program = environment.get("TERM") or "", environment.get("TERM_PROGRAM") or ""
    if environment.get("TMUX") or environment.get("STY") or term in ("", "dumb", "linux"):
        return NoticeStyle.NONE  # A multiplexer keeps them to itself; a console would print them.
    if environment.get("KITTY_WINDOW_ID") or term == "xterm-kitty":
        return NoticeStyle.OSC_99
    if term.startswith(("foot", "rxvt")) or environment.get("VTE_VERSION"):
        return NoticeStyle.OSC_777
    if program in ("iTerm.app", "ghostty", "WezTerm") or term == "xterm-ghostty":
        return NoticeStyle.OSC_9
    return NoticeStyle.NONE


def notification(style: NoticeStyle, title: str, body: str) -> str:
    """The sequence that shows a notification; empty where there is none."""
    # Without semicolons, since these separate fields, and `9;4;...` would be another command.
    title, body = (_short(text, NOTICE_LIMIT).replace(";", ",") for text in (title, body))
    match style:
        case NoticeStyle.OSC_9:
            return f"\x1b]9;{title}: {body}\x07"
        case NoticeStyle.OSC_777:
            return f"\x1b]777;notify;{title};{body}\x07"
        case NoticeStyle.OSC_99:
            return f"\x1b]99;i=orca-tui:d=0;{title}\x1b\\\x1b]99;i=orca-tui:p=body;{body}\x1b\\"
        case NoticeStyle.NONE:
            return ""


def title(text: str) -> str:
    """The sequence that sets the window's title."""
    return f"\x1b]2;{_short(text, TITLE_LIMIT)}\x07"


def clipboard(text: str) -> str:
    """The sequence that sets the system's clipboard (OSC 52)."""
    return f"\x1b]52;c;{base64.b64encode(text.encode(errors='replace')).decode()}\x07"


def _short(text: str, limit: int) -> str:
    return one_line(text)[:limit]


class CursorLook(msgspec.Struct, frozen=True, kw_only=True):
    """The outer terminal's cursor: where it is, and None for hidden."""

    place: tuple[int, int] | None
    """Column and row on the screen."""
    shape: int = 1
    """DECSCUSR's number."""


HIDDEN_CURSOR = CursorLook(place=None)


def cursor_look(cursor: Cursor, place: tuple[int, int] | None) -> CursorLook:
    """How a pane's cursor is shown; `place` is where it is on the screen, None outside of it."""
    if place is None or not cursor.visible:
        return HIDDEN_CURSOR
    steady = 0 if cursor.blinking else 1
    return CursorLook(place=place, shape=SHAPES.get(cursor.shape, 1) + steady)


def cursor_change(before: CursorLook, after: CursorLook) -> str:
    """The sequences from one look to the other; the place comes last, and only when it is shown."""
    if before == after:
        return ""
    if after.place is None:
        return HIDE_CURSOR
    parts = []
    if before.place is None or before.shape != after.shape:
        parts.append(f"\x1b[{after.shape} q")
    x, y = after.place
    parts.append(f"\x1b[{y + 1};{x + 1}H")
    if before.place is None:
        parts.append(SHOW_CURSOR)
    return "".join(parts)
