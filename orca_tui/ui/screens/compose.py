"""Words for an agent, and how they are to reach it. Returns both, None when it was left."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Label

from orca_tui.notices.notice import Delivery, IfIdle, Resume
from orca_tui.ui.screens.dialog import Dialog
from orca_tui.ui.widgets.line_input import LineInput


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """One way to hand a notice over, as people choose it."""

    title: str
    resume: Resume = True
    delivery: Delivery = Delivery.QUEUE


WAYS: tuple[Way, ...] = (
    Way(title="as soon as it is idle"),
    Way(title="only if it is idle now", resume=IfIdle()),
    Way(title="with its user's next prompt", resume=False),
    Way(title="at the next tool call", delivery=Delivery.STEER),
)


class Composed(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    way: Way


class WayLabel(Label):
    """Says how; a click asks for the next way."""

    def on_click(self, event: events.Click) -> None:
        event.stop()
        if isinstance(self.screen, Compose):
            self.screen.action_next_way()


class Compose(Dialog[Composed | None]):
    """A line of text and a way; an empty line sends nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave"),
        Binding("tab", "next_way", "How"),
    ]

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._way = 0

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog-box"):
            yield Label(self._title, classes="dialog-title", markup=False)
            yield LineInput(compact=True, placeholder="what its agent should know or do")
            yield WayLabel(self._how(), classes="dialog-detail", markup=False)
            yield Label("enter sends   tab changes when   escape leaves", classes="dialog-keys", markup=False)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        self.dismiss(Composed(text=text, way=WAYS[self._way]) if text else None)

    def action_next_way(self) -> None:
        self._way = (self._way + 1) % len(WAYS)
        self.query_one(WayLabel).update(self._how())

    def _how(self) -> str:
        return f"It gets this {WAYS[self._way].title}."
