"""A terminal's screen as an SVG file."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from tests.e2e.terminal import OuterTerminal

THEME = TerminalTheme(
    (18, 18, 24),
    (216, 216, 224),
    [
        (40, 42, 54),
        (230, 90, 100),
        (120, 200, 120),
        (230, 190, 110),
        (110, 160, 240),
        (190, 140, 230),
        (100, 200, 210),
        (200, 200, 210),
    ],
)


def save(terminal: OuterTerminal, path: Path, title: str) -> None:
    """Write what the terminal shows now."""
    console = Console(
        width=terminal.engine.cols,
        height=terminal.engine.rows,
        record=True,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        legacy_windows=False,
    )
    for row in terminal.engine.all_rows():
        console.print(Text.from_ansi(row.ansi, no_wrap=True, end=""), no_wrap=True, crop=True)
    path.write_text(console.export_svg(title=title, theme=THEME, unique_id=path.stem))
