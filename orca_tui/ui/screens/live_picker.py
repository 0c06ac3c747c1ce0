"""A picker whose rows change while it is open. Asks for them again and again; the marked one stays marked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

from textual.app import ComposeResult
from textual.widgets import Label, OptionList

from orca_tui.ui.screens.picker import Item, Picker, option_of

EVERY_S = 1.0
"""What an agent takes shows within the time in which one looks at it."""

Rows = Callable[[], Awaitable[Sequence[Item]]]


class LivePicker(Picker):
    """Begins with `items`, for keys that were typed ahead; `rows` are asked for while it is open.

    `empty` stands in their place when there are none.
    """

    def __init__(
        self,
        title: str,
        items: Sequence[Item],
        rows: Rows,
        *,
        empty: str,
        keys: Mapping[str, str],
        every_s: float = EVERY_S,
    ) -> None:
        super().__init__(title, items, empty=empty, keys=keys)
        self._rows = rows
        self._every_s = every_s

    def compose_list(self) -> ComposeResult:
        nothing = Label(self._empty, classes="dialog-detail", markup=False)
        nothing.display = not self._items
        yield nothing
        options = OptionList(*map(option_of, self._items), compact=True)
        options.display = bool(self._items)
        yield options

    def on_mount(self) -> None:
        self.set_interval(self._every_s, self._renew)

    async def _renew(self) -> None:
        items = await self._rows()
        if not self.is_attached or items == self._items:
            return
        self._items = items
        options = self.query_one(OptionList)
        marked, at = options.highlighted_option, options.highlighted or 0
        options.set_options(map(option_of, items))
        names = [item.id for item in items]
        if marked is not None and marked.id in names:
            options.highlighted = names.index(marked.id)
        else:
            options.highlighted = min(at, len(names) - 1) if names else None
        self._show_whether_empty()

    def _show_whether_empty(self) -> None:
        options = self.query_one(OptionList)
        options.display = bool(self._items)
        if self._items:
            options.focus()  # It had lost it when it was hidden.
        self.query_one(".dialog-detail").display = not self._items
        self.query_one(".dialog-keys", Label).update(self._help())
