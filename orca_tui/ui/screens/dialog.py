"""What all dialogs have in common: their looks, read when the first one opens."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from textual.screen import ModalScreen

T = TypeVar("T")

LOOKS = Path(__file__).parent.parent / "styles" / "dialogs.tcss"
"""Absolute, since Textual takes a relative path from the file of the subclass."""


class Dialog(ModalScreen[T]):
    """A box over the work screen, which stays alive and visible around it."""

    CSS_PATH = LOOKS

    def __init__(self) -> None:
        super().__init__(classes="dialog")
