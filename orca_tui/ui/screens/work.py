"""The work screen: tabs, sidebar, panes and hints, each where the scene says. Draws values; decides nothing."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from orca_tui.base.clock import Clock
from orca_tui.layout import Rect
from orca_tui.term.input_events import Key, Paste
from orca_tui.ui.chrome_lines import title_line
from orca_tui.ui.geometry import joints
from orca_tui.ui.gestures import SIDEBAR_EDGE
from orca_tui.ui.input_messages import UnboundKey
from orca_tui.ui.key_source import key_of
from orca_tui.ui.pane_model import PaneModel
from orca_tui.ui.scene import Scene, overlay_rect
from orca_tui.ui.symbols import Symbols
from orca_tui.ui.widgets.chrome import Chrome
from orca_tui.ui.widgets.grips import PaneTitle, VerticalLine
from orca_tui.ui.widgets.notes import EmptyNote
from orca_tui.ui.widgets.still import Still
from orca_tui.ui.widgets.terminal import TerminalView


class Desk(Layout):
    """Puts every widget where a table says; what is not in it is not shown."""

    name = "desk"

    def __init__(self, table: dict[Widget, Rect]) -> None:
        self._table = table

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> ArrangeResult:
        del parent, size, greedy  # The table has taken them into account.
        return [
            WidgetPlacement(Region(rect.x, rect.y, rect.cols, rect.rows), NULL_OFFSET, NULL_SPACING, child)
            for child in children
            if (rect := self._table.get(child)) is not None
        ]


class WorkScreen(Still, Screen[None], inherit_bindings=False):
    """Everything that is there while no dialog is."""

    ALLOW_SELECT = False
    AUTO_FOCUS = ""

    def __init__(
        self,
        *,
        symbols: Symbols,
        clock: Clock,
        model_of: Callable[[str], PaneModel],
        typed: Callable[[Key | Paste], None],
    ) -> None:
        super().__init__(id="work")
        self._symbols = symbols
        self._clock = clock
        self._model_of = model_of
        self._typed = typed
        self._table: dict[Widget, Rect] = {}
        self._views: dict[str, TerminalView] = {}
        self._titles: dict[str, PaneTitle] = {}
        self._columns: list[VerticalLine] = []
        self._tabs = Chrome(id="tabs")
        self._sidebar = Chrome(id="sidebar")
        self._edge = VerticalLine(symbols, id=SIDEBAR_EDGE)
        self._hints = Chrome(id="hints")
        self._which_key = Chrome(id="which-key")
        self._empty = EmptyNote(id="empty")
        self._too_small = Static("too small for orca-tui", id="too-small")
        self._desk = Desk(self._table)

    @property
    def layout(self) -> Layout:
        return self._desk

    def compose(self) -> ComposeResult:
        yield self._tabs
        yield self._sidebar
        yield self._edge
        yield self._hints

    # What is shown

    def present(self, scene: Scene) -> None:
        """Show this picture; only what differs from the one before is drawn.

        A widget is mounted when it first has a place: each costs a millisecond at the start.
        """
        if not self.is_attached:
            return  # The app is ending, and news still comes.
        self._forget_gone(scene)
        self._add_new(scene)
        self._write_chrome(scene)
        for pane in self._titles:
            self.present_title(scene, pane)
        table = self._placed(scene)
        self.mount(*(widget for widget in table if widget.parent is None))
        if table != self._table:
            self._table.clear()
            self._table.update(table)
            self._tabs.refresh(layout=True)  # A child's wish makes its parent arrange anew; its own does not.

    def present_title(self, scene: Scene, pane: str) -> None:
        """Show one pane's title anew."""
        title, info = self._titles.get(pane), scene.world.panes.get(pane)
        cols = next((place.screen.cols for place in scene.places.panes if place.pane == pane), 0)
        if title is not None and info is not None and cols:
            title.show(
                title_line(
                    scene.world,
                    info,
                    cols,
                    self._symbols,
                    focused=pane == scene.focused,
                    offset=self._model_of(pane).offset,
                )
            )

    def view_of(self, pane: str) -> TerminalView | None:
        """The widget of a pane that is on screen."""
        view = self._views.get(pane)
        return view if view is not None and view in self._table else None

    def _forget_gone(self, scene: Scene) -> None:
        gone: list[Widget] = [*self._columns[len(scene.columns()) :]]
        del self._columns[len(scene.columns()) :]
        for pane in [pane for pane in self._views if pane not in scene.world.panes]:
            gone += [self._views.pop(pane), self._titles.pop(pane)]
        for widget in gone:
            if widget.parent is not None:
                widget.remove()

    def _add_new(self, scene: Scene) -> None:
        for place in scene.places.panes:
            if place.pane not in self._views:
                view = TerminalView(self._model_of(place.pane), self._symbols, self._clock)
                self._views[place.pane], self._titles[place.pane] = view, PaneTitle(place.pane)
        while len(self._columns) < len(scene.columns()):
            self._columns.append(VerticalLine(self._symbols, classes="column"))

    def _write_chrome(self, scene: Scene) -> None:
        self._tabs.show(scene.tabs())
        self._hints.show(scene.hints())
        self._sidebar.show(*scene.sidebar())
        self._sidebar.reveal(scene.focused)
        self._which_key.show(*scene.which_key())
        self._empty.show(scene.keymap, scene.world.saved_panes)
        over = scene.areas is not None and scene.areas.over
        for widget in (self._sidebar, self._edge):
            widget.set_class(over, "-over")
        if scene.areas is not None and scene.areas.border is not None:
            panes = () if over else scene.places.panes
            self._edge.show(joints(scene.areas.border, panes, scene.focused))
        for column, border in zip(self._columns, scene.columns(), strict=True):
            column.show(joints(border.place, scene.places.panes, scene.focused))

    def _placed(self, scene: Scene) -> dict[Widget, Rect]:
        areas = scene.areas
        if areas is None:
            return {self._too_small: Rect(0, 0, *scene.size)}
        table: dict[Widget, Rect] = {self._tabs: areas.tabs, self._hints: areas.hints}
        if areas.sidebar is not None and areas.border is not None:
            table[self._sidebar], table[self._edge] = areas.sidebar, areas.border
        if scene.empty:
            table[self._empty] = areas.panes
        for place in scene.places.panes:
            table[self._views[place.pane]] = place.screen
            if place.title is not None:
                table[self._titles[place.pane]] = place.title
        for column, border in zip(self._columns, scene.columns(), strict=True):
            table[column] = border.place
        if lines := scene.which_key():
            table[self._which_key] = overlay_rect(scene.size, len(lines))
        return table

    def on_screen_suspend(self) -> None:
        """A dialog opens, maybe in the middle of a drag: it gets the mouse, and the release with it."""
        self.app.capture_mouse(None)

    # What is typed

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        self._typed(key_of(event))

    def on_unbound_key(self, event: UnboundKey) -> None:
        event.stop()
        self._typed(event.source)

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self._typed(Paste(text=event.text))
