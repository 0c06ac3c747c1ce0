"""Where terminals come from: one factory loads and checks libghostty-vt, and makes every terminal of a process."""

from __future__ import annotations

import os
from pathlib import Path

from orca_tui import __version__
from orca_tui.term.cell_style import StyleSequences
from orca_tui.term.engine import Permissions, TerminalColors
from orca_tui.term.ghostty_callbacks import Callbacks
from orca_tui.term.ghostty_defaults import set_colors, set_defaults
from orca_tui.term.ghostty_engine import GhosttyEngine
from orca_tui.term.ghostty_library import CData, load_library
from orca_tui.term.ghostty_numbers import within_limits
from orca_tui.term.ghostty_pictures import new_store
from orca_tui.term.ghostty_snapshot import decode_snapshot
from orca_tui.term.pictures.store import ReadMedium
from orca_tui.term.scrollback import limit_for_lines


class GhosttyFactory:
    """Makes terminals. Building one loads and checks the library: `EngineUnavailable` when it cannot be used."""

    def __init__(
        self,
        *,
        version: str = __version__,
        hostname: str | None = None,
        colors: TerminalColors | None = None,
        permissions: Permissions | None = None,
        package: Path | None = None,
        pictures: ReadMedium | None = None,
    ) -> None:
        """`version` is told to children (XTVERSION), `colors` too (OSC 10, 11, 12); `permissions` default to none.
        `pictures` reads what programs name in picture commands, which without it are passed over.

        `hostname` is the machine whose directories OSC 7 may tell, by default this one; `package` is the folder
        of a pyghostty other than the installed one.
        """
        self._library = load_library(package)
        self._colors = colors or TerminalColors()
        self._permissions = permissions or Permissions()
        self._read_medium = pictures
        self._callbacks = Callbacks(self._library, version=version, hostname=hostname or os.uname().nodename)
        self._sequences = StyleSequences()
        self.build = self._library.build

    def new(self, cols: int, rows: int, *, scrollback_lines: int) -> GhosttyEngine:
        """A blank terminal, at least 1 x 1, that keeps `scrollback_lines` lines above its screen."""
        ffi, lib = self._library.ffi, self._library.lib
        out = ffi.new("GhosttyTerminal*")
        if lib.ghostty_terminal_new(ffi.NULL, out, within_limits(cols), within_limits(rows)):
            raise MemoryError("the terminal engine has no memory for another terminal")
        set_defaults(self._library, out[0], limit_for_lines(scrollback_lines, within_limits(cols)))
        set_colors(self._library, out[0], self._colors)
        return self._engine(out[0])

    def restore(self, snapshot: bytes) -> GhosttyEngine:
        """The terminal of a snapshot; `EngineMismatch` when it cannot be read."""
        return self._engine(decode_snapshot(self._library, snapshot))

    def _engine(self, terminal: CData) -> GhosttyEngine:
        pictures = new_store(self._read_medium) if self._read_medium is not None else None
        return GhosttyEngine(
            self._library,
            self._callbacks,
            self._sequences,
            terminal,
            self._colors,
            self._permissions,
            pictures,
        )
