"""Ends the modes that a program leaves on when it dies in front of a pane's shell. No status, no layout.

Rule 1: modes are those of the programs that are in front while they are set. A pane's own shell sets none of
        mouse, focus and alternate screen for its prompt; it only starts who does.
Rule 2: once nobody of the program that was in front lives, and nobody but the shell has come there, what it left
        is reset: at the latest before the next input, which would otherwise be reported to the shell.
Rule 3: what a program that is only stopped has set, or one that the shell runs in its own group, is left alone.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from orca_tui.agents import shell
from orca_tui.agents.invocation import program_of
from orca_tui.base.ids import PaneId
from orca_tui.process.table import ProcessTable

if TYPE_CHECKING:
    from orca_tui.server.panes import Pane


class Leftovers:
    """Remembers, for each pane with a shell, who else was in front of it last."""

    def __init__(self, processes: ProcessTable) -> None:
        self._processes = processes
        self._others: dict[PaneId, int] = {}
        """Process groups."""

    def wrote(self, pane: Pane) -> None:
        """Somebody wrote to the pane's terminal."""
        group = None if pane.master is None else self._processes.foreground_group(pane.master)
        if group in (None, pane.pid, self._others.get(pane.id)):
            return  # Nearly always, and this is asked at every read.
        if own_shell(pane.facts.command) is not None:
            self._others[pane.id] = group

    def reset(self, pane: Pane) -> None:
        """Rule 2, when there is something to it."""
        other = self._others.get(pane.id)
        if other is None or pane.master is None:
            return
        front = self._processes.foreground_group(pane.master)
        if front not in (pane.pid, other) or self._processes.group_exists(other):
            return
        del self._others[pane.id]
        full_screen = pane.engine.modes().alternate_screen
        keyboard = own_shell(pane.facts.command) not in shell.WITH_KEYBOARD_MODES
        pane.end_modes(at_prompt=True, keyboard=keyboard)
        if full_screen:
            pane.redraw()  # The prompt was written to the screen that is gone now.

    def forget(self, pane_id: PaneId) -> None:
        """The pane's own program is gone."""
        self._others.pop(pane_id, None)


def own_shell(command: tuple[str, ...]) -> str | None:
    """The name of the interactive shell that a command is; None for anything else."""
    name = PurePosixPath(command[0]).name if command else ""
    program = program_of(command)
    runs_itself = program is None or program.index == 0  # Not a script, and not what `-c` says.
    return name if name in shell.COMMANDS and runs_itself else None
