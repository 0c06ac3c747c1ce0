"""A terminal's contents as text, made by the library's formatter."""

from __future__ import annotations

import re

from orca_tui.term.ghostty_library import CData, GhosttyLibrary
from orca_tui.term.pictures.cells import PLACEHOLDER, blanks_for_placeholders, without_placeholders

LINK_BYTES = 4096
"""Twice the longest URI that the engine keeps."""

PEN = re.compile(rb"(?:\x1b\[[0-9;:]*m)+\Z")
"""At the end of what the formatter writes, behind the text."""

PLACEHOLDER_BYTES = PLACEHOLDER.encode()


def plain_text(
    library: GhosttyLibrary, terminal: CData, *, unwrap: bool, selection: CData | None = None
) -> str:
    """Scrollback and screen, or what `selection` covers; trailing blanks trimmed, lines joined if `unwrap`."""
    options = _options(library, library.lib.GHOSTTY_FORMATTER_FORMAT_PLAIN)
    options.unwrap, options.trim = unwrap, True
    return without_placeholders(_formatted(library, terminal, options, selection).decode("utf-8", "replace"))


def vt_sequences(library: GhosttyLibrary, terminal: CData) -> bytes:
    """Scrollback, screen and the state that has sequences, for another terminal to show."""
    options = _options(library, library.lib.GHOSTTY_FORMATTER_FORMAT_VT)
    options.unwrap = True
    for extra in ("palette", "modes", "scrolling_region", "tabstops", "pwd", "keyboard"):
        setattr(options.extra, extra, True)
    for extra in ("cursor", "style", "hyperlink", "protection", "kitty_keyboard", "charsets"):
        setattr(options.extra.screen, extra, True)
    sequences = _formatted(library, terminal, options)
    if PLACEHOLDER_BYTES in sequences:
        return blanks_for_placeholders(sequences.decode("utf-8", "surrogateescape")).encode(
            "utf-8", "surrogateescape"
        )
    return sequences


def keyboard_sequences(library: GhosttyLibrary, terminal: CData) -> bytes:
    """The sequence that sets xterm's modifyOtherKeys as it is now; the library tells it in no other way."""
    options = _options(library, library.lib.GHOSTTY_FORMATTER_FORMAT_VT)
    options.extra.keyboard = True
    return _formatted(library, terminal, options, screen_selection(library, terminal, 1, 1))


def pen_sequences(library: GhosttyLibrary, terminal: CData) -> bytes:
    """The SGR sequences that set the style of what is written next."""
    options = _options(library, library.lib.GHOSTTY_FORMATTER_FORMAT_VT)
    options.extra.screen.style = True
    found = PEN.search(_formatted(library, terminal, options, screen_selection(library, terminal, 1, 1)))
    return found[0] if found else b""


def screen_selection(library: GhosttyLibrary, terminal: CData, cols: int, rows: int) -> CData | None:
    """The first `cols` x `rows` cells of the active screen; None while it is smaller."""
    ffi, active = library.ffi, library.lib.GHOSTTY_POINT_TAG_ACTIVE
    start = cell_ref(library, terminal, active, 0, 0)
    end = cell_ref(library, terminal, active, cols - 1, rows - 1)
    if start is None or end is None:
        return None
    return ffi.new(
        "GhosttySelection*", {"size": ffi.sizeof("GhosttySelection"), "start": start[0], "end": end[0]}
    )


def cell_ref(library: GhosttyLibrary, terminal: CData, area: int, x: int, y: int) -> CData | None:
    """A cell of an area (`GHOSTTY_POINT_TAG_...`), valid until the terminal is written to; None outside of it."""
    ffi = library.ffi
    ref = ffi.new("GhosttyGridRef*", {"size": ffi.sizeof("GhosttyGridRef")})
    point = ffi.new("GhosttyPoint*", {"tag": area, "value": {"coordinate": {"x": x, "y": y}}})
    return None if library.lib.ghostty_terminal_grid_ref(terminal, point[0], ref) else ref


def link_uri(library: GhosttyLibrary, terminal: CData, x: int, y: int) -> str:
    """The URI of the link under a cell of the viewport, as it was written; empty for none."""
    ffi, lib = library.ffi, library.lib
    ref = cell_ref(library, terminal, lib.GHOSTTY_POINT_TAG_VIEWPORT, x, y)
    text, length = ffi.new("uint8_t[]", LINK_BYTES), ffi.new("size_t*")
    if ref is None or lib.ghostty_grid_ref_hyperlink_uri(ref, text, LINK_BYTES, length):
        return ""
    return bytes(ffi.buffer(text, length[0])).decode("utf-8", "replace")


def _options(library: GhosttyLibrary, emit: int) -> CData:
    ffi = library.ffi
    options = ffi.new(
        "GhosttyFormatterTerminalOptions*", {"size": ffi.sizeof("GhosttyFormatterTerminalOptions")}
    )
    options.emit = emit
    options.extra.size = ffi.sizeof("GhosttyFormatterTerminalExtra")
    options.extra.screen.size = ffi.sizeof("GhosttyFormatterScreenExtra")
    return options


def _formatted(
    library: GhosttyLibrary, terminal: CData, options: CData, selection: CData | None = None
) -> bytes:
    """The formatter's output; empty when the library has no memory for it."""
    ffi, lib = library.ffi, library.lib
    options.selection = ffi.NULL if selection is None else selection  # Our argument keeps it alive meanwhile.
    formatter, data, length = ffi.new("GhosttyFormatter*"), ffi.new("uint8_t**"), ffi.new("size_t*")
    if lib.ghostty_formatter_terminal_new(ffi.NULL, formatter, terminal, options[0]):
        return b""
    try:
        if lib.ghostty_formatter_format_alloc(formatter[0], ffi.NULL, data, length):
            return b""
        text = bytes(ffi.buffer(data[0], length[0]))
        lib.ghostty_free(ffi.NULL, data[0], length[0])
        return text
    finally:
        lib.ghostty_formatter_free(formatter[0])
