"""What the outer terminal has told of itself, and what it still owes us. No I/O.

Rule 1: a question is always followed by the fence (DA1), which every terminal answers.
Rule 2: once the fence is answered, what was asked before it and was not answered never will be.
"""

from __future__ import annotations

from collections.abc import Iterable

from orca_tui.term.input_decoder import Decoded
from orca_tui.term.replies import DeviceAttributes, KittyFlags, TerminalVersion
from orca_tui.ui.terminal_modes import MODIFY_OTHER_KEYS_TERMINALS


class TerminalAnswers:
    """`name` is XTVERSION's; `kitty_flags` are None until the terminal had its chance to tell them."""

    def __init__(self) -> None:
        self.name = ""
        self.kitty_flags: int | None = None
        self.fences_due = 0

    @property
    def wants_other_keys(self) -> bool:
        """True for a terminal that knows xterm's modifyOtherKeys and nothing better."""
        return self.kitty_flags == 0 and self.name.startswith(MODIFY_OTHER_KEYS_TERMINALS)

    def asked(self) -> None:
        """A fence was written."""
        self.fences_due += 1

    def take(self, decoded: Iterable[Decoded]) -> bool:
        """Learn from what came in; returns whether a fence was answered."""
        fences = 0
        for event in decoded:
            match event:
                case TerminalVersion(name=name):
                    self.name = name
                case KittyFlags(flags=flags):
                    self.kitty_flags = flags
                case DeviceAttributes(level=1):
                    fences += 1
                    self.kitty_flags = self.kitty_flags or 0
        self.fences_due = max(self.fences_due - fences, 0)
        return fences > 0
