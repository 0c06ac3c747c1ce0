"""What a terminal has before its child sets anything else: modes, limits and default colors."""

from __future__ import annotations

from orca_tui.term.engine import TerminalColors
from orca_tui.term.ghostty_library import CData, GhosttyLibrary
from orca_tui.term.ghostty_snapshot import CONTINUATION_MAX_BYTES

GRAPHEME_CLUSTERS = 2027
"""The mode in which emoji sequences and combining marks have the width that programs now expect."""

COLOR_SCHEME_REPORTS = 2031
DARK_REPORT, LIGHT_REPORT = b"\x1b[?997;1n", b"\x1b[?997;2n"
"""https://contour-terminal.org/vt-extensions/color-palette-update-notifications/"""


def set_defaults(library: GhosttyLibrary, terminal: CData, scrollback_max_bytes: int) -> None:
    """Set what a snapshot brings along, so that only new terminals need it."""
    ffi, lib = library.ffi, library.lib
    clusters = ffi.new("GhosttyTerminalModeConfig*", {"mode": GRAPHEME_CLUSTERS, "value": True})
    for option, value in (
        (lib.GHOSTTY_TERMINAL_OPT_CONTINUATION_MAX_BYTES, ffi.new("size_t*", CONTINUATION_MAX_BYTES)),
        (lib.GHOSTTY_TERMINAL_OPT_SCROLLBACK_MAX_LINES, ffi.NULL),
        (lib.GHOSTTY_TERMINAL_OPT_MODE_DEFAULT, clusters),
        (lib.GHOSTTY_TERMINAL_OPT_MODE, clusters),
    ):
        lib.ghostty_terminal_set(terminal, option, value)
    limit_scrollback(library, terminal, scrollback_max_bytes)


def limit_scrollback(library: GhosttyLibrary, terminal: CData, max_bytes: int) -> None:
    """Keep so many bytes of what has left the screen."""
    option = library.lib.GHOSTTY_TERMINAL_OPT_SCROLLBACK_MAX_BYTES
    library.lib.ghostty_terminal_set(terminal, option, library.ffi.new("size_t*", max_bytes))


def set_colors(library: GhosttyLibrary, terminal: CData, colors: TerminalColors) -> None:
    """Set what OSC 10, 11 and 12 answer while the child has set nothing else."""
    lib = library.lib
    for option, color in (
        (lib.GHOSTTY_TERMINAL_OPT_COLOR_FOREGROUND, colors.foreground),
        (lib.GHOSTTY_TERMINAL_OPT_COLOR_BACKGROUND, colors.background),
        (lib.GHOSTTY_TERMINAL_OPT_COLOR_CURSOR, colors.cursor),
    ):
        lib.ghostty_terminal_set(terminal, option, library.ffi.new("GhosttyColorRgb*", color))


def scheme_report(colors: TerminalColors) -> bytes:
    """What mode 2031 tells of them."""
    return DARK_REPORT if colors.dark else LIGHT_REPORT
