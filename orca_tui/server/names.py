"""Names that people give to panes, tabs and workspaces, as they may be shown."""

from __future__ import annotations


def one_line(name: str) -> str:
    """No control characters, no line breaks, no blanks at its ends or in a row."""
    return " ".join("".join(character if character.isprintable() else " " for character in name).split())
