"""What the outer terminal is told beside the screen."""

from __future__ import annotations

import base64

import pytest

from orca_tui.config import Environment
from orca_tui.term.engine import Cursor, Notification
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.ui.outer_terminal import (
    HIDDEN_CURSOR,
    CursorLook,
    NoticeStyle,
    clipboard,
    cursor_change,
    cursor_look,
    notice_style,
    notification,
    title,
)


@pytest.mark.parametrize(
    ("variables", "style"),
    [
        ({"TERM": "xterm-kitty"}, NoticeStyle.OSC_99),
        ({"TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"}, NoticeStyle.OSC_99),
        ({"TERM": "xterm-ghostty"}, NoticeStyle.OSC_9),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, NoticeStyle.OSC_9),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, NoticeStyle.OSC_9),
        ({"TERM": "foot"}, NoticeStyle.OSC_777),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7600"}, NoticeStyle.OSC_777),
        ({"TERM": "xterm-256color"}, NoticeStyle.NONE),
        ({"TERM": "linux"}, NoticeStyle.NONE),
        ({}, NoticeStyle.NONE),
        ({"TERM": "tmux-256color", "TMUX": "/tmp/x", "TERM_PROGRAM": "ghostty"}, NoticeStyle.NONE),
    ],
)
def test_notifications_are_sent_as_the_terminal_takes_them(
    variables: dict[str, str], style: NoticeStyle
) -> None:
    assert notice_style(Environment(variables)) is style


@pytest.mark.parametrize("style", [NoticeStyle.OSC_9, NoticeStyle.OSC_777, NoticeStyle.OSC_99])
def test_a_terminal_reads_the_notification_as_one(engines: GhosttyFactory, style: NoticeStyle) -> None:
    engine = engines.new(40, 5, scrollback_lines=0)

    fed = engine.feed(notification(style, "p4 opencode", "waits; for\x1b]0;you\x07 now").encode())

    (fact,) = fed.facts
    assert isinstance(fact, Notification)
    assert "p4 opencode" in f"{fact.title}{fact.body}"
    assert "waits, for]0,you now" in fact.body
    assert engine.screen_text(unwrap=False).strip() == ""


def test_no_notification_is_no_bytes() -> None:
    assert notification(NoticeStyle.NONE, "a", "b") == ""


def test_a_title_cannot_end_its_own_sequence() -> None:
    assert title("orca-tui ▲1\x07\x1b[2J") == "\x1b]2;orca-tui ▲1[2J\x07"


def test_a_text_is_copied_as_it_is() -> None:
    sequence = clipboard("two\nlines 端末\x1b")

    assert sequence.startswith("\x1b]52;c;")
    assert base64.b64decode(sequence[7:-1]).decode() == "two\nlines 端末\x1b"


def cursor(**facts: object) -> Cursor:
    return Cursor(
        **{"x": 3, "y": 4, "visible": True, "shape": "block", "blinking": False, **facts}  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("shape", "blinking", "number"),
    [("block", True, 1), ("block", False, 2), ("underline", True, 3), ("bar", False, 6), ("bar", True, 5)],
)
def test_the_cursor_has_the_shape_that_the_child_gave_it(shape: str, blinking: bool, number: int) -> None:
    look = cursor_look(cursor(shape=shape, blinking=blinking), (10, 20))

    assert look == CursorLook(place=(10, 20), shape=number)


def test_a_cursor_that_is_hidden_or_out_of_view_is_not_shown() -> None:
    assert cursor_look(cursor(visible=False), (10, 20)) == HIDDEN_CURSOR
    assert cursor_look(cursor(), None) == HIDDEN_CURSOR


def test_only_what_changes_of_a_cursor_is_written() -> None:
    block, moved = CursorLook(place=(3, 4), shape=2), CursorLook(place=(0, 0), shape=2)

    assert cursor_change(HIDDEN_CURSOR, block) == "\x1b[2 q\x1b[5;4H\x1b[?25h"
    assert cursor_change(block, moved) == "\x1b[1;1H"
    assert cursor_change(block, block) == ""
    assert cursor_change(block, CursorLook(place=(3, 4), shape=5)) == "\x1b[5 q\x1b[5;4H"
    assert cursor_change(block, HIDDEN_CURSOR) == "\x1b[?25l"
