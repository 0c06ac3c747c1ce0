"""What a terminal knows of its rows beside their text: which go on in the next one, and where prompts begin."""

from __future__ import annotations

from orca_tui.term.engine import RowMarks
from orca_tui.term.ghostty_library import CData, GhosttyLibrary


def row_marks(library: GhosttyLibrary, terminal: CData, rows: int) -> RowMarks:
    """The marks of the first `rows` rows, scrollback included."""
    ffi, lib = library.ffi, library.lib
    ref = ffi.new("GhosttyGridRef*", {"size": ffi.sizeof("GhosttyGridRef")})
    point = ffi.new("GhosttyPoint*", {"tag": lib.GHOSTTY_POINT_TAG_SCREEN})
    row, wraps, semantic = ffi.new("GhosttyRow*"), ffi.new("bool*"), ffi.new("GhosttyRowSemanticPrompt*")
    wrapped, prompts = [], []
    for y in range(rows):
        point.value.coordinate.y = y
        if lib.ghostty_terminal_grid_ref(terminal, point[0], ref) or lib.ghostty_grid_ref_row(ref, row):
            continue
        lib.ghostty_row_get(row[0], lib.GHOSTTY_ROW_DATA_WRAP, wraps)
        lib.ghostty_row_get(row[0], lib.GHOSTTY_ROW_DATA_SEMANTIC_PROMPT, semantic)
        if wraps[0]:
            wrapped.append(y)
        if semantic[0] == lib.GHOSTTY_ROW_SEMANTIC_PROMPT:
            prompts.append(y)
    return RowMarks(wrapped=tuple(wrapped), prompts=tuple(prompts))
