"""A table of all agents: status, since when, turns, processor and memory. Asks for numbers while it is open."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, ClassVar

import msgspec
from rich.cells import set_cell_size
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Label, OptionList
from textual.widgets.option_list import Option

from orca_tui.base.clock import Clock
from orca_tui.status.record import ROLL_UP
from orca_tui.ui.labels import activity, glyph, pane_name, status_word
from orca_tui.ui.pieces import MUTED, STATUS_STYLES, STRONG
from orca_tui.ui.screens.dialog import Dialog
from orca_tui.ui.symbols import Symbols
from orca_tui.ui.texts import elapsed, fitted, size_of
from orca_tui.wire import PaneInfo

EVERY_S = 2.0
"""The server measures at most once a second."""

SHELL_WORD = "shell"
"""In place of a status, which a plain shell has none of."""

Panes = Callable[[], Awaitable[Sequence[PaneInfo]]]


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """`cells` is how wide it is; `right`: numbers stand at its right edge."""

    title: str
    cells: int
    right: bool = False
    spared: int = 0
    """Which column goes first where not all have room: the one with the highest number; 0: it stays."""


COLUMNS = (
    Column(title="pane", cells=5),
    Column(title="name", cells=16),
    Column(title="workspace", cells=12, spared=4),
    Column(title="status", cells=24),
    Column(title="since", cells=6, right=True),
    Column(title="turns", cells=6, right=True, spared=3),
    Column(title="cpu", cells=6, right=True, spared=2),
    Column(title="memory", cells=7, right=True, spared=1),
    Column(title="  about", cells=40, spared=5),
)


class Sort(msgspec.Struct, frozen=True, kw_only=True):
    word: str
    key: Callable[[PaneInfo], Any]


SORTS: dict[str, Sort] = {
    "s": Sort(word="status", key=lambda pane: (pane.is_plain_shell, ROLL_UP.index(pane.status), pane.since)),
    "t": Sort(word="turns", key=lambda pane: -pane.turns),
    "c": Sort(word="cpu", key=lambda pane: -(pane.cpu_percent or 0.0)),
    "m": Sort(word="memory", key=lambda pane: -(pane.rss_bytes or 0)),
}


class Dashboard(Dialog[str | None]):
    """Returns the pane to go to, None when it was left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Leave"),
        *(Binding(key, f"sort('{key}')", show=False) for key in SORTS),
    ]

    def __init__(
        self, panes: Panes, workspace_of: Callable[[str], str], symbols: Symbols, clock: Clock
    ) -> None:
        super().__init__()
        self._panes = panes
        self._workspace_of = workspace_of
        self._symbols = symbols
        self._clock = clock
        self._sort = SORTS["s"]

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog-box -full"):
            yield Label("Agents", classes="dialog-title")
            yield Label(classes="table-head")
            yield OptionList(compact=True)
            sorts = "   ".join(f"{key} by {sort.word}" for key, sort in SORTS.items())
            yield Label(f"enter go there   {sorts}   escape leave", classes="dialog-keys")

    async def on_mount(self) -> None:
        await self._refresh()
        self.set_interval(EVERY_S, self._refresh)

    async def on_resize(self) -> None:
        self.call_after_refresh(self._refresh)  # Its table has another width then.

    async def _refresh(self) -> None:
        panes = sorted(await self._panes(), key=self._sort.key)
        table = self.query_one(OptionList)
        columns = fitting_columns(table.scrollable_content_region.width)
        self.query_one(".table-head", Label).update(
            "".join(_cell(column.title, column) for column in columns)
        )
        marked = table.highlighted_option.id if table.highlighted_option is not None else None
        table.set_options(Option(self._row(pane, columns), id=pane.pane) for pane in panes)
        names = [pane.pane for pane in panes]
        table.highlighted = names.index(marked) if marked in names else 0 if names else None

    def _row(self, pane: PaneInfo, columns: Sequence[Column]) -> Content:
        shell = pane.is_plain_shell
        since = elapsed(self._clock.now() - pane.since) if pane.since and not shell else "-"
        word = SHELL_WORD if shell else status_word(pane)
        cpu = "-" if pane.cpu_percent is None else f"{pane.cpu_percent:.0f}%"
        cells = (
            (pane.pane, MUTED),
            (pane_name(pane), STRONG),
            (self._workspace_of(pane.workspace), MUTED),
            (f"{glyph(pane, self._symbols)} {word}", STATUS_STYLES[pane.status]),
            (since, ""),
            (str(pane.turns), ""),
            (cpu, ""),
            (size_of(pane.rss_bytes), ""),
            (f"  {activity(pane)}", MUTED),
        )
        return Content.assemble(
            *(
                (_cell(text, column, self._symbols.ellipsis), style)
                for (text, style), column in zip(cells, COLUMNS, strict=True)
                if column in columns
            )
        )

    async def action_sort(self, key: str) -> None:
        self._sort = SORTS[key]
        await self._refresh()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id)


def fitting_columns(cells: int) -> list[Column]:
    """The columns that have room side by side, the less important ones left out."""
    columns = list(COLUMNS)
    while sum(column.cells for column in columns) > cells:
        least = max(columns, key=lambda column: column.spared)
        if not least.spared:
            break
        columns.remove(least)
    return columns


def _cell(text: str, column: Column, ellipsis: str = "") -> str:
    """A cell of a column, with a blank behind it unless its text stands at the right edge."""
    text = fitted(text, column.cells - 1, ellipsis)
    return text.rjust(column.cells) if column.right else set_cell_size(text, column.cells)
