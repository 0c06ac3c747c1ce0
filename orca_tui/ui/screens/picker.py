"""One of several things, chosen from a list: agents, workspaces, the inbox, a pane's menu."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import msgspec
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Label, OptionList
from textual.widgets.option_list import Option

from orca_tui.ui.screens.dialog import Dialog

ENTER = "enter"


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One row; `id` is what a choice of it returns."""

    id: str
    text: Content
    enabled: bool = True
    why_not: str = ""
    """What somebody is told who tries to choose it although it is not enabled."""
    words: str = ""
    """By what typing finds it; empty: by its text."""


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """What was chosen and by which key: enter, or one of the picker's own."""

    id: str
    key: str = ENTER


class Picker(Dialog[Choice | None]):
    """A list with a title. `keys` are further ways to choose, with a word for each; `about` explains the choice."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Leave"),
        Binding("j", "cursor('down')", show=False),
        Binding("k", "cursor('up')", show=False),
    ]

    def __init__(
        self,
        title: str,
        items: Sequence[Item],
        *,
        empty: str = "",
        about: str = "",
        keys: Mapping[str, str] | None = None,
        at: tuple[int, int] | None = None,
    ) -> None:
        super().__init__()
        self._title = title
        self._items = items
        self._empty = empty
        self._about = about
        self._keys = keys or {}
        self._at = at

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog-box -list" + (" -explained" if self._about else "")):
            yield Label(self._title, classes="dialog-title", markup=False)
            if self._about:
                with VerticalScroll(classes="dialog-said", can_focus=False):
                    yield Label(self._about, classes="dialog-detail", markup=False)
            yield from self.compose_list()
            yield Label(self._help(), classes="dialog-keys", markup=False)

    def compose_list(self) -> ComposeResult:
        """What is chosen from."""
        if self._items:
            yield OptionList(*map(option_of, self._items), compact=True)
        else:
            yield Label(self._empty, classes="dialog-detail", markup=False)

    def _help(self) -> str:
        ways = {ENTER: "choose", **self._keys} if self._items else {}
        return "   ".join(f"{key} {word}" for key, word in {**ways, "escape": "leave"}.items())

    def on_mount(self) -> None:
        """A menu opens where the mouse is, as far as it has room there."""
        if self._at is not None:
            self.add_class("-menu")
            box = self.query_one(".dialog-box")
            width, height = 30, len(self._items) + 4
            x = max(0, min(self._at[0], self.app.size.width - width))
            y = max(0, min(self._at[1], self.app.size.height - height))
            box.styles.offset = (x, y)

    def on_key(self, event: events.Key) -> None:
        key = event.character or event.key
        if key in self._keys:
            event.stop()
            self._choose(key)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id is not None:
            self.dismiss(Choice(id=event.option_id))

    def action_cursor(self, direction: str) -> None:
        for options in self.query(OptionList):
            options.action_cursor_down() if direction == "down" else options.action_cursor_up()

    def _choose(self, key: str) -> None:
        for options in self.query(OptionList):
            option = options.highlighted_option
            if option is not None and option.id is not None:
                self.dismiss(Choice(id=option.id, key=key))
                return


def option_of(item: Item) -> Option:
    """An item as the list shows it."""
    return Option(item.text, id=item.id, disabled=not item.enabled)
