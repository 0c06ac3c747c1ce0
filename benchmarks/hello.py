"""The smallest Textual app that shows a text: what attaching is measured against."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Static

TEXT = "READY$"


class Hello(App[None]):
    def compose(self) -> ComposeResult:
        yield Static(TEXT)


if __name__ == "__main__":
    Hello().run()
