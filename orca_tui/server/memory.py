"""What a pane's screen is remembered by, as the pane sees it."""

from __future__ import annotations

import os
from typing import Protocol

from orca_tui.term.engine import TerminalEngine


class PaneMemory(Protocol):
    """Is told everything before the pane's engine is, so that it could be made again."""

    def read(self, master: int, limit: int) -> bytes:
        """`os.read` of the terminal; no byte is lost from now on."""
        ...

    def fed(self, data: bytes) -> None:
        """The engine is about to be fed what did not come from the terminal."""
        ...

    def resized(self, cols: int, rows: int) -> None:
        """The engine is about to have another size."""
        ...

    def grown(self, engine: TerminalEngine) -> None:
        """The engine has been fed what was read."""
        ...

    def typed(self) -> None:
        """The program was given something, and what it echoes is awaited."""
        ...

    def quiet(self, engine: TerminalEngine) -> None:
        """Nothing has come for a second."""
        ...

    def leave(self, engine: TerminalEngine) -> None:
        """The server goes and the pane stays."""
        ...


class NoMemory:
    """The `PaneMemory` of panes whose screens are not kept."""

    def read(self, master: int, limit: int) -> bytes:
        return os.read(master, limit)

    def fed(self, data: bytes) -> None:
        pass

    def resized(self, cols: int, rows: int) -> None:
        pass

    def grown(self, engine: TerminalEngine) -> None:
        pass

    def typed(self) -> None:
        pass

    def quiet(self, engine: TerminalEngine) -> None:
        pass

    def leave(self, engine: TerminalEngine) -> None:
        pass
