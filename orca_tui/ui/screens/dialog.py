"""What all dialogs have in common: their looks, read when the first one opens."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, TypeVar

from textual import events, on
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen, Screen

T = TypeVar("T")

LOOKS = Path(__file__).parent.parent / "styles" / "dialogs.tcss"
"""Absolute, since Textual takes a relative path from the file of the subclass."""


class AnsweredOnce(Screen[T]):
    """Takes the first answer: the second of two fast keys would leave the screen below.

    Stands last among the bases, since Textual takes default looks from the first one only.
    """

    _answered = False

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        if self._answered:
            return AwaitComplete()
        self._answered = True
        return super().dismiss(result)


CTRL_C_LEAVES = Binding("ctrl+c", "leave", "Leave", show=False, priority=True)
"""With priority, since a line of text would copy by it: every dialog is left by it, as every program is."""


LOW_ROWS = 20
HEIGHTS: list[tuple[int, str]] = [(0, "-short"), (LOW_ROWS, "-tall")]
"""Rows of the terminal below which dialogs do without their blank lines."""


TINY_ROWS, NARROW_COLS = 8, 40
"""Rows of the terminal below which dialogs do without their border as well, fill the screen and cut their lines; a
low terminal that is narrow, too, where lines would need several rows, counts as tiny."""


class Dialog(ModalScreen[T], AnsweredOnce[T]):
    """A box over the work screen, which stays alive and visible around it."""

    CSS_PATH = LOOKS
    VERTICAL_BREAKPOINTS = HEIGHTS
    BINDINGS: ClassVar[list[BindingType]] = [CTRL_C_LEAVES]

    def __init__(self) -> None:
        super().__init__(classes="dialog")

    @on(events.Resize)
    def _sized(self, event: events.Resize) -> None:
        cols, rows = event.size
        self.set_class(rows < TINY_ROWS or (cols < NARROW_COLS and rows < LOW_ROWS), "-tiny")

    def action_leave(self) -> None:
        """Leave without an answer."""
        self.dismiss(None)
