"""Reads a terminal's modes: those that decide how input is encoded, and those a dead program leaves behind."""

from __future__ import annotations

import re

from orca_tui.term.engine import InputModes, MouseFormat, MouseTracking
from orca_tui.term.ghostty_format import keyboard_sequences
from orca_tui.term.ghostty_library import CData, GhosttyLibrary
from orca_tui.term.workarounds import CANCEL

CURSOR_KEYS = 1
ORIGIN = 6
AUTOWRAP = 7
CURSOR_VISIBLE = 25
KEYPAD = 66
BACKARROW = 67
FOCUS_EVENTS = 1004
ALTERNATE_SCROLL = 1007
BRACKETED_PASTE = 2004
SYNCHRONIZED_OUTPUT = 2026
REPORTS = (2031, 2048)
"""Of another color scheme and another size: they would be written to whoever reads then."""

MOUSE_TRACKING = {
    1003: MouseTracking.ANY,
    1002: MouseTracking.BUTTON,
    1000: MouseTracking.NORMAL,
    9: MouseTracking.X10,
}
"""Most telling first: programs set several, so that a terminal takes the best it has."""

MOUSE_FORMATS = {
    1016: MouseFormat.SGR_PIXELS,
    1006: MouseFormat.SGR,
    1015: MouseFormat.URXVT,
    1005: MouseFormat.UTF8,
}
"""Best first, for the same reason."""

ALTERNATE_SCREENS = (1049, 1047, 47)

WANTED = (AUTOWRAP, CURSOR_VISIBLE, ALTERNATE_SCROLL)
"""What is on for every program that begins."""

POP_KEYBOARD_FLAGS = b"\x1b[<99u"
"""Takes more from kitty's stack than it can hold, which leaves no flags."""

RESET_MODIFY_OTHER_KEYS = b"\x1b[>4m"

MODIFY_OTHER_KEYS = re.compile(rb"\x1b\[>4;([0-2])m")


class TerminalModes:
    """The modes of one terminal, asked for each time."""

    def __init__(self, library: GhosttyLibrary, terminal: CData) -> None:
        self._library, self._terminal = library, terminal
        self._get = library.lib.ghostty_terminal_get
        self._mode = library.ffi.new("GhosttyTerminalModeConfig*")
        self._byte = library.ffi.new("uint8_t*")

    def is_set(self, mode: int) -> bool:
        """Whether a DEC private mode is on."""
        self._mode.mode = mode
        failed = self._get(self._terminal, self._library.lib.GHOSTTY_TERMINAL_DATA_MODE, self._mode)
        return not failed and bool(self._mode.value)

    def set(self, mode: int, on: bool) -> None:
        """Set a DEC private mode, even in an unfinished sequence; nothing but the flag changes."""
        self._mode.mode, self._mode.value = mode, on
        lib = self._library.lib
        lib.ghostty_terminal_set(self._terminal, lib.GHOSTTY_TERMINAL_OPT_MODE, self._mode)

    def in_sequence(self) -> bool:
        """Whether an escape sequence or a character is unfinished."""
        self._byte[0] = 1
        self._get(self._terminal, self._library.lib.GHOSTTY_TERMINAL_DATA_VT_GROUND, self._byte)
        return not self._byte[0]

    def alternate_screen(self) -> bool:
        """Whether that one is shown."""
        screen = self._library.ffi.new("int*")
        self._get(self._terminal, self._library.lib.GHOSTTY_TERMINAL_DATA_ACTIVE_SCREEN, screen)
        return bool(screen[0] != 0)

    def input_modes(self) -> InputModes:
        return InputModes(
            cursor_keys=self.is_set(CURSOR_KEYS),
            keypad=self.is_set(KEYPAD),
            bracketed_paste=self.is_set(BRACKETED_PASTE),
            focus_events=self.is_set(FOCUS_EVENTS),
            mouse=next(
                (kind for mode, kind in MOUSE_TRACKING.items() if self.is_set(mode)), MouseTracking.OFF
            ),
            mouse_format=next(
                (kind for mode, kind in MOUSE_FORMATS.items() if self.is_set(mode)), MouseFormat.X10
            ),
            alternate_scroll=self.is_set(ALTERNATE_SCROLL),
            alternate_screen=self.alternate_screen(),
            kitty_flags=self._kitty_flags(),
            modify_other_keys=self._modify_other_keys(),
            backarrow_sends_backspace=self.is_set(BACKARROW),
        )

    def reset_bytes(self, *, at_prompt: bool, keyboard: bool) -> bytes:
        """See `TerminalEngine.reset_modes_bytes`."""
        keep_keyboard = at_prompt and not keyboard
        parts = [CANCEL] if self.in_sequence() else []
        modes = [SYNCHRONIZED_OUTPUT, *MOUSE_TRACKING, *MOUSE_FORMATS, FOCUS_EVENTS, *REPORTS, BACKARROW]
        if not at_prompt:
            modes += [BRACKETED_PASTE, CURSOR_KEYS, KEYPAD]
        parts += [b"\x1b[?%dl" % mode for mode in modes if self.is_set(mode)]
        parts += [b"\x1b[?%dh" % mode for mode in WANTED if not self.is_set(mode)]
        if self.alternate_screen():
            # Each screen has its own keyboard flags, and the primary's cannot be seen from the alternate.
            parts += [
                POP_KEYBOARD_FLAGS,
                *(b"\x1b[?%dl" % mode for mode in ALTERNATE_SCREENS if self.is_set(mode)),
            ]
            if not keep_keyboard:
                parts.append(POP_KEYBOARD_FLAGS)
        elif self._kitty_flags() and not keep_keyboard:
            parts.append(POP_KEYBOARD_FLAGS)
        if self._modify_other_keys() and not keep_keyboard:
            parts.append(RESET_MODIFY_OTHER_KEYS)
        return b"".join(parts)

    def _kitty_flags(self) -> int:
        self._byte[0] = 0
        self._get(self._terminal, self._library.lib.GHOSTTY_TERMINAL_DATA_KITTY_KEYBOARD_FLAGS, self._byte)
        return int(self._byte[0])

    def _modify_other_keys(self) -> int:
        found = MODIFY_OTHER_KEYS.search(keyboard_sequences(self._library, self._terminal))
        return int(found.group(1)) if found else 0
