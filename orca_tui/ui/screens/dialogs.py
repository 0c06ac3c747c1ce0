"""Small questions: yes or no, and a name. Each returns the answer, None when it was left."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Input, Label

from orca_tui.ui.screens.dialog import Dialog
from orca_tui.ui.widgets.line_input import LineInput


class Confirm(Dialog[bool]):
    """A question that `y` or enter answers with yes, everything else with no."""

    KEYS = "[@click=screen.answer(True)]y yes[/]   [@click=screen.answer(False)]n no[/]"
    """What may be pressed, or clicked."""

    def __init__(self, question: str, detail: str = "") -> None:
        super().__init__()
        self._question = question
        self._detail = detail

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer(True)", "Yes"),
        Binding("n,escape,q", "answer(False)", "No"),
        Binding("j,down", "scroll(1)", show=False),
        Binding("k,up", "scroll(-1)", show=False),
    ]

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog-box -question"):
            with VerticalScroll(classes="dialog-said", can_focus=False):
                yield Label(self._question, classes="dialog-question", markup=False)
                if self._detail:
                    yield Label(self._detail, classes="dialog-detail", markup=False)
            yield Label(self.KEYS, classes="dialog-keys")

    def action_leave(self) -> None:
        self.dismiss(False)

    def action_scroll(self, rows: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)


class Prompt(Dialog[str | None]):
    """Asks for a line of text; an empty one is an answer too."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave")]

    def __init__(self, question: str, value: str = "") -> None:
        super().__init__()
        self._question = question
        self._value = value

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog-box"):
            yield Label(self._question, classes="dialog-title", markup=False)
            yield LineInput(self._value, compact=True, select_on_focus=True)
            yield Label("enter takes it   escape leaves", classes="dialog-keys", markup=False)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())
