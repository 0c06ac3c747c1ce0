"""The snapshots of a terminal, even of one that the library makes none of: then a new one, fed its text, stands in.

That one lacks what the text does (the screen that is not shown, the saved cursor), but a pane that is only about as
it is serves better than one that nobody is shown again.
"""

from __future__ import annotations

import logging

from orca_tui.term.ghostty_defaults import set_defaults
from orca_tui.term.ghostty_format import vt_sequences
from orca_tui.term.ghostty_library import CData, GhosttyLibrary
from orca_tui.term.ghostty_modes import TerminalModes
from orca_tui.term.ghostty_numbers import TerminalNumbers
from orca_tui.term.ghostty_snapshot import encode_snapshot

logger = logging.getLogger(__name__)


class Snapshots:
    """Those of one terminal, which is left as it is; there are none of a freed one, whose pointer is NULL."""

    def __init__(self, library: GhosttyLibrary, terminal: CData, modes: TerminalModes) -> None:
        self._library, self._terminal = library, terminal
        self._modes = modes
        self._numbers = TerminalNumbers(library, terminal)
        self._told = False

    def take(self, *, with_history: bool) -> bytes | None:
        """See `TerminalEngine.snapshot`."""
        if not self._terminal:
            return None
        state = encode_snapshot(self._library, self._terminal, with_history=with_history)
        if state is not None or self._modes.in_sequence():
            return state
        self._tell()
        return self._stand_in(with_history=with_history)

    def _stand_in(self, *, with_history: bool) -> bytes | None:
        ffi, lib, numbers = self._library.ffi, self._library.lib, self._numbers
        out = ffi.new("GhosttyTerminal*")
        if lib.ghostty_terminal_new(ffi.NULL, out, numbers.cols, numbers.rows):
            return None  # No memory: the next moment tries again.
        try:
            set_defaults(self._library, out[0], numbers.scrollback_max_bytes)
            text = vt_sequences(self._library, self._terminal)
            lib.ghostty_terminal_vt_write(out[0], text, len(text))
            return encode_snapshot(self._library, out[0], with_history=with_history)
        finally:
            lib.ghostty_terminal_free(out[0])

    def _tell(self) -> None:
        """Once, since it is asked for again and again."""
        if not self._told:
            self._told = True
            size = {"cols": self._numbers.cols, "rows": self._numbers.rows}
            logger.warning("terminal without a snapshot: its text stands for it", extra=size)
