"""What is written to the outer terminal to take it over, to ask it things, and to give it back. Text only."""

from __future__ import annotations

KITTY_FLAGS = 1 | 2 | 4 | 8 | 16
"""Unambiguous keys, releases, alternate keys, all keys, their text: whatever a child may ask of us."""

_SCREEN_ON = "\x1b[?1049h\x1b[?25l\x1b[?1004h\x1b[?2004h\x1b[?2031h\x1b[?7l"
"""Alternate screen, no cursor, focus reports, bracketed paste, colour scheme reports, no line wrap."""

_SCREEN_OFF = "\x1b[?2026l\x1b[?7h\x1b[?2031l\x1b[?2004l\x1b[?1004l\x1b[0m\x1b[0 q\x1b[?1049l\x1b[?25h"
"""The reverse, and synchronized output, colours and the cursor's shape as they are by default."""

_MOUSE_ON = "\x1b[?1000h\x1b[?1002h\x1b[?1006h"
_ANY_MOTION_ON = "\x1b[?1003h"
_ANY_MOTION_OFF = "\x1b[?1003l"
_MOUSE_OFF = "\x1b[?1006l\x1b[?1003l\x1b[?1002l\x1b[?1000l"

MODIFY_OTHER_KEYS_TERMINALS = ("XTerm(", "tmux ", "mintty ")
"""How the names of terminals begin that know modifyOtherKeys; others may take the sequence for underlining."""

MODIFY_OTHER_KEYS_ON = "\x1b[>4;1m"
"""Level 1: keys that would be the same otherwise, such as shift+enter; all others stay as they are."""

_MODIFY_OTHER_KEYS_OFF = "\x1b[>4m"

FENCE = "\x1b[c"
"""DA1. Every terminal answers it, and after all that was asked before."""

ASK_COLORS = "\x1b]10;?\x1b\\\x1b]11;?\x1b\\\x1b]12;?\x1b\\"
"""Default colours: text, background, cursor."""

QUESTIONS = "\x1b[?u\x1b[>q\x1b[?2026$p" + ASK_COLORS + "\x1b[?996n" + FENCE
"""Kitty flags in effect, name, synchronized output, default colours, colour scheme."""


def enter(*, keys: bool, keys_pushed: bool, mouse: bool, any_motion: bool) -> str:
    """Take the terminal over. With `keys_pushed` our kitty flags are on its stack already."""
    flags = f"\x1b[={KITTY_FLAGS};1u" if keys_pushed else f"\x1b[>{KITTY_FLAGS}u"
    return _SCREEN_ON + (flags if keys else "") + (motion(any_motion=any_motion) if mouse else "")


def motion(*, any_motion: bool) -> str:
    """Report buttons and drags, and every movement with `any_motion`.

    In xterm the three modes are one setting: taking any motion away takes the others too.
    """
    return _MOUSE_ON + _ANY_MOTION_ON if any_motion else _ANY_MOTION_OFF + _MOUSE_ON


def leave(*, keys: bool, other_keys: bool) -> str:
    """Give the terminal back. The kitty flags go first, since each screen has a stack of its own."""
    keyboard = ("\x1b[<u" if keys else "") + (_MODIFY_OTHER_KEYS_OFF if other_keys else "")
    return _MOUSE_OFF + keyboard + _SCREEN_OFF
