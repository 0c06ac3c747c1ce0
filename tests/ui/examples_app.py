"""A bare app that shows one widget or one dialog, with our looks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.app import App, ComposeResult
from textual.screen import Screen
from textual.widget import Widget

import orca_tui.ui
from orca_tui.ui.app import OrcaApp

UNANSWERED = object()
LOOKS = Path(orca_tui.ui.__file__).parent


class Stage(App[None]):
    """`answer` is what a dialog returned."""

    CSS_PATH = LOOKS / OrcaApp.CSS_PATH

    def __init__(self, *widgets: Widget) -> None:
        super().__init__()
        self._widgets = widgets
        self.answer: Any = UNANSWERED

    def compose(self) -> ComposeResult:
        yield from self._widgets

    async def ask(self, dialog: Screen[Any]) -> None:
        """Show a dialog; its answer goes to `answer`."""

        def answered(result: Any) -> None:
            self.answer = result

        await self.push_screen(dialog, callback=answered)

    def text(self) -> str:
        return "\n".join(strip.text for strip in self.screen._compositor.render_strips())
