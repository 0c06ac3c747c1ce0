"""The process groups of a terminal: who is told that it goes, and who of them is still there."""

from __future__ import annotations

import os
import signal

from orca_tui.process.table import group_lives


class Groups:
    """Those of one terminal whose leader is `pid`; `told` grows with who is in the foreground when signalled."""

    def __init__(self, pid: int) -> None:
        self._told = {pid}

    def hang_up(self, master: int | None) -> None:
        """SIGHUP to the leader and to the foreground of the terminal (None: it is closed)."""
        self._tell(signal.SIGHUP, master)
        self._tell(signal.SIGCONT, master)  # A stopped program hears nothing else.

    def kill(self, master: int | None) -> None:
        """SIGKILL to those of now and those that were hung up on."""
        self._tell(signal.SIGKILL, master)

    def survivors(self) -> bool:
        """Somebody who was told is still there."""
        return any(_signalled(group, 0) and group_lives(group) for group in self._told)

    def _tell(self, number: signal.Signals, master: int | None) -> None:
        self._told |= _foreground(master)
        for group in self._told:
            _signalled(group, number)


def _foreground(master: int | None) -> set[int]:
    if master is None:
        return set()
    try:
        group = os.tcgetpgrp(master)
    except OSError:
        return set()  # The terminal has no session any more.
    return {group} if group > 0 else set()


def _signalled(group: int, number: int) -> bool:
    """Signal a process group; False when it is gone, or another user's (setuid programs)."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True
