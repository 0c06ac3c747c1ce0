"""A picker that is narrowed by typing. Its own keys are those that no text of an item holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, OptionList

from orca_tui.ui.screens.dialog import CTRL_C_LEAVES
from orca_tui.ui.screens.picker import ENTER, Item, Picker, option_of
from orca_tui.ui.widgets.line_input import LineInput

MOVES: dict[str, Callable[[OptionList], None]] = {
    "up": OptionList.action_cursor_up,
    "down": OptionList.action_cursor_down,
    "pageup": OptionList.action_page_up,
    "pagedown": OptionList.action_page_down,
}


class FilterLine(LineInput):
    """What is typed, less the keys that move in the list and those that choose."""

    def __init__(self, choosing: frozenset[str]) -> None:
        super().__init__(compact=True, placeholder="type to find")
        self._choosing = choosing

    async def _on_key(self, event: events.Key) -> None:
        if event.character in self._choosing or event.key in MOVES:
            event.prevent_default()  # The picker takes it.
        else:
            await super()._on_key(event)


class FilterPicker(Picker, inherit_bindings=False):
    """Items that hold every word that is typed, those that begin with the first of them on top."""

    BINDINGS: ClassVar[list[BindingType]] = [
        CTRL_C_LEAVES,
        Binding("escape", "leave", "Leave"),
    ]

    def __init__(
        self,
        title: str,
        items: Sequence[Item],
        *,
        keys: Mapping[str, str],
        refuse: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`refuse` tells why an item cannot be chosen, when it is clicked or nothing else was found."""
        super().__init__(title, items, empty="Nothing is called that.", keys=keys)
        self._refuse = refuse
        self._found = items

    def compose_list(self) -> ComposeResult:
        yield FilterLine(frozenset(self._keys))
        yield from super().compose_list()

    def on_mount(self) -> None:
        self.query_one(FilterLine).focus()
        self._show("")

    def on_key(self, event: events.Key) -> None:
        if event.key in MOVES:
            event.stop()
            MOVES[event.key](self.query_one(OptionList))

    def on_click(self, event: events.Click) -> None:
        """The list says nothing of a click on what cannot be chosen; its rows carry their number in their style."""
        at = event.style.meta.get("option")
        if isinstance(at, int) and 0 <= at < len(self._found) and not self._found[at].enabled:
            self._refuse(self._found[at].why_not)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._show(event.value)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self._choose(ENTER)

    def _choose(self, key: str) -> None:
        if self.query_one(OptionList).highlighted is None and self._found:
            self._refuse(self._found[0].why_not)
        else:
            super()._choose(key)

    def _show(self, typed: str) -> None:
        options = self.query_one(OptionList)
        found = self._found = matching(self._items, typed)
        options.set_options(map(option_of, found))
        if not found:
            options.add_option(option_of(Item(id="", text=Content(self._empty), enabled=False)))
        options.highlighted = next((at for at, item in enumerate(found) if item.enabled), None)


def matching(items: Sequence[Item], typed: str) -> list[Item]:
    """The items for what was typed, in their order; those that begin with it stand first."""
    words = typed.lower().split()
    found = [item for item in items if all(word in _searched(item) for word in words)]
    return sorted(found, key=lambda item: not (words and _searched(item).startswith(words[0])))


def _searched(item: Item) -> str:
    return (item.words or item.text.plain).lower()
