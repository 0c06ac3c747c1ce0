"""A table of all agents: status, since when, turns, processor and memory. Asks for numbers while it is open."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import DataTable, Label

from orca_tui.base.clock import Clock
from orca_tui.status.record import ROLL_UP
from orca_tui.ui.labels import activity, glyph, pane_name, status_word
from orca_tui.ui.pieces import STATUS_STYLES
from orca_tui.ui.symbols import Symbols
from orca_tui.ui.texts import elapsed, fitted, size_of
from orca_tui.wire import PaneInfo

EVERY_S = 2.0
"""The server measures at most once a second."""

COLUMNS = ("pane", "name", "workspace", "status", "since", "turns", "cpu", "memory", "about")
ABOUT_CELLS = 40

SORTS: dict[str, Callable[[PaneInfo], object]] = {
    "s": lambda pane: (ROLL_UP.index(pane.status), pane.since),
    "t": lambda pane: -pane.turns,
    "c": lambda pane: -(pane.cpu_percent or 0.0),
    "m": lambda pane: -(pane.rss_bytes or 0),
}
SORT_WORDS = {"s": "status", "t": "turns", "c": "cpu", "m": "memory"}

Panes = Callable[[], Awaitable[Sequence[PaneInfo]]]


class Dashboard(ModalScreen[str | None]):
    """Returns the pane to go to, None when it was left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Leave"),
        *(Binding(key, f"sort('{key}')", show=False) for key in SORTS),
    ]

    def __init__(
        self, panes: Panes, workspace_of: Callable[[str], str], symbols: Symbols, clock: Clock
    ) -> None:
        super().__init__(classes="dialog")
        self._panes = panes
        self._workspace_of = workspace_of
        self._symbols = symbols
        self._clock = clock
        self._sort = "s"

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog-box -wide"):
            yield Label("Agents", classes="dialog-title")
            yield DataTable(cursor_type="row", zebra_stripes=False)
            keys = "   ".join(f"{key} by {word}" for key, word in SORT_WORDS.items())
            yield Label(f"enter go there   {keys}   escape leave", classes="dialog-keys")

    async def on_mount(self) -> None:
        self.query_one(DataTable).add_columns(*COLUMNS)
        await self._refresh()
        self.set_interval(EVERY_S, self._refresh)

    async def _refresh(self) -> None:
        panes = sorted(await self._panes(), key=SORTS[self._sort])  # type: ignore[arg-type]
        table = self.query_one(DataTable)
        at = table.cursor_row
        table.clear()
        for pane in panes:
            table.add_row(*self._cells(pane), key=pane.pane)
        table.move_cursor(row=min(at, len(panes) - 1) if panes else 0)

    def _cells(self, pane: PaneInfo) -> tuple[Content | str, ...]:
        since = elapsed(self._clock.now() - pane.since) if pane.since else "-"
        cpu = "-" if pane.cpu_percent is None else f"{pane.cpu_percent:.0f}%"
        status = f"{glyph(pane, self._symbols)} {status_word(pane)}"
        return (
            pane.pane,
            Content(pane_name(pane)),
            Content(self._workspace_of(pane.workspace)),
            Content.styled(status, STATUS_STYLES[pane.status]),
            since,
            str(pane.turns),
            cpu,
            size_of(pane.rss_bytes),
            Content(fitted(activity(pane), ABOUT_CELLS, self._symbols.ellipsis)),
        )

    async def action_sort(self, key: str) -> None:
        self._sort = key
        await self._refresh()

    @on(DataTable.RowSelected)
    def _selected(self, event: DataTable.RowSelected) -> None:
        self.dismiss(event.row_key.value)

    def action_leave(self) -> None:
        self.dismiss(None)
