"""What all dialogs have in common: their looks, read when the first one opens."""

from __future__ import annotations

from typing import TypeVar

from textual.screen import ModalScreen

T = TypeVar("T")


class Dialog(ModalScreen[T]):
    """A box over the work screen, which stays alive and visible around it."""

    CSS_PATH = "../styles/dialogs.tcss"

    def __init__(self) -> None:
        super().__init__(classes="dialog")
