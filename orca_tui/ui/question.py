"""A question on the whole terminal, asked where there is no UI to ask it in. Knows no server."""

from __future__ import annotations

from textual.app import App
from textual.driver import Driver

from orca_tui.ui.driver import OrcaDriver
from orca_tui.ui.screens.dialogs import Confirm


class Question(App[bool], inherit_bindings=False):
    """Asks once, and ends with the answer."""

    def __init__(self, question: str, detail: str, *, driver_class: type[Driver] = OrcaDriver) -> None:
        super().__init__(driver_class=driver_class)
        self._dialog = Confirm(question, detail)

    def on_mount(self) -> None:
        self.push_screen(self._dialog, callback=self.exit)


def ask(question: str, detail: str) -> bool:
    """Ask; blocks. A terminal that goes away meanwhile has not agreed."""
    return Question(question, detail).run() is True
