"""Remembers that the user removed the plugin, so that opening panes does not bring it back.

A file in the state directory; what is in it is for people. Only an installation that the user asks for takes it away.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

MARKER: Final = "opencode-plugin-removed"
TEXT: Final = "Removed by `orca-tui plugin remove`; `orca-tui plugin install` brings it back.\n"
OWNER_ONLY: Final = 0o700


def mark_removed(state_dir: Path) -> None:
    """Raises `OSError` when it cannot be written."""
    state_dir.mkdir(mode=OWNER_ONLY, parents=True, exist_ok=True)
    (state_dir / MARKER).write_text(TEXT, encoding="utf-8")


def forget_removal(state_dir: Path) -> None:
    """Panes may install it again. Raises `OSError` when the file cannot be taken away."""
    (state_dir / MARKER).unlink(missing_ok=True)


def is_removed(state_dir: Path) -> bool:
    """Whether the user removed it and has not installed it since."""
    return (state_dir / MARKER).exists()
