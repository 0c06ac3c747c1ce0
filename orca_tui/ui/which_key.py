"""The keys after the prefix in columns: shown when somebody presses the prefix and does not go on. Pure."""

from __future__ import annotations

from typing import TypeAlias

from rich.cells import cell_len

from orca_tui.ui.actions import ACTIONS
from orca_tui.ui.keymap import Keymap
from orca_tui.ui.pieces import LINE, MUTED, STRONG, Line, Piece, cut, width_of
from orca_tui.ui.symbols import Symbols

GAP = 3
HELP = "help"
Entry: TypeAlias = tuple[str, str, str]
"""Key, title and action."""
DIGIT_ACTIONS = frozenset(f"tab_{number}" for number in range(1, 10))
"""Ten lines that say the same are one."""


def which_key_lines(keymap: Keymap, *, cols: int, rows: int, symbols: Symbols) -> list[Line]:
    """As many columns as fit, filled from top to bottom, under a line; actions in the table's order.

    Where there is no room for all, the last place says how many more there are and which key shows them.
    """
    entries = _entries(keymap)
    if not entries or rows < 2:
        return []
    key_cells = max(cell_len(key) for key, _, _ in entries)
    wide = key_cells + 1 + max(cell_len(title) for _, title, _ in entries) + GAP
    across = max(1, (cols - 2) // wide)
    deep = min(-(-len(entries) // across), rows - 1)
    entries = _fitting(entries, across * deep)
    lines: list[Line] = [(Piece(text=symbols.horizontal * cols, style=LINE),)]
    for row in range(deep):
        line: Line = (Piece(text="  "),)
        for key, title, action in entries[row : deep * across : deep]:
            line = (
                *line,
                Piece(text=key.rjust(key_cells), style=STRONG, target=action),
                Piece(text=f" {title}".ljust(wide - key_cells), style=MUTED, target=action),
            )
        line = cut(line, cols, symbols.ellipsis)
        lines.append((*line, Piece(text=" " * (cols - width_of(line)))))
    return lines


def _fitting(entries: list[Entry], places: int) -> list[Entry]:
    if len(entries) <= places:
        return entries
    shows_all = next(((key, action) for key, _, action in entries if action == HELP), None)
    if shows_all is None:
        return entries[:places]
    key, action = shows_all
    shown = [entry for entry in entries if entry[2] != HELP][: places - 1]
    return [*shown, (key, f"Help, with {len(entries) - len(shown) - 1} more", action)]


def _entries(keymap: Keymap) -> list[Entry]:
    """Of several keys of one action the first."""
    keys: dict[str, list[str]] = {}
    for key, bound in keymap.after_prefix.items():
        keys.setdefault(bound, []).append(keymap.shown(key))
    entries = []
    for action in ACTIONS:
        if action.id not in keys or action.id in DIGIT_ACTIONS:
            continue
        title = "Tab 0 to 9" if action.id == "tab_0" else action.title
        entries.append((keys[action.id][0], title, action.id))
    return entries
