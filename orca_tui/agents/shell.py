"""A plain shell: no agent. Its OSC 133 marks tell when it is back at its prompt."""

from __future__ import annotations

from orca_tui.status.events import Event, Mark, PromptMarked

COMMANDS = frozenset(
    {"sh", "bash", "dash", "zsh", "fish", "ksh", "mksh", "tcsh", "csh", "nu", "xonsh", "elvish"}
)
"""Programs that are shells: one of these in the foreground means that no agent is."""

WITH_KEYBOARD_MODES = frozenset({"fish", "nu"})
"""Shells that turn the kitty keyboard protocol or modifyOtherKeys on for their prompt."""


def prompt_marked(kind: str, exit_code: int | None, at: float) -> list[Event]:
    """The event of an OSC 133 mark; `kind` is its letter, and letters that mean nothing here give none."""
    try:
        mark = Mark(kind)
    except ValueError:
        return []
    return [PromptMarked(at=at, mark=mark, exit_code=exit_code)]
