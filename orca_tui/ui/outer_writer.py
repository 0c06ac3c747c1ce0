"""Writes to the outer terminal beside Textual: cursor, title, notifications, clipboard. Only what changed."""

from __future__ import annotations

from collections.abc import Callable

from orca_tui.ui import outer_terminal
from orca_tui.ui.outer_terminal import HIDDEN_CURSOR, CursorLook, NoticeStyle

BELL = "\a"


class OuterWriter:
    """`write` takes sequences; nothing is written while it cannot (`None`: no real terminal)."""

    def __init__(self, write: Callable[[str], None], notices: NoticeStyle) -> None:
        self._write = write
        self._notices = notices
        self._cursor = HIDDEN_CURSOR
        self._title: str | None = None

    def set_cursor(self, look: CursorLook) -> None:
        """Show the cursor so; the same look costs nothing."""
        if change := outer_terminal.cursor_change(self._cursor, look):
            self._cursor = look
            self._write(change)

    def set_title(self, text: str) -> None:
        if self._title is None:
            self._write(outer_terminal.SAVE_TITLE)
        if text != self._title:
            self._title = text
            self._write(outer_terminal.title(text))

    def notify(self, title: str, body: str, *, bell: bool, desktop: bool) -> None:
        """Tell somebody who looks elsewhere."""
        text = outer_terminal.notification(self._notices, title, body) if desktop else ""
        self._write(text + (BELL if bell else ""))

    def copy(self, text: str) -> None:
        """Put a text into the system's clipboard."""
        self._write(outer_terminal.clipboard(text))

    def restore(self) -> None:
        """Give title and cursor back as they were found."""
        if self._title is not None:
            self._write(outer_terminal.RESTORE_TITLE)
            self._title = None
        self._write(outer_terminal.DEFAULT_SHAPE)
        self._cursor = HIDDEN_CURSOR
