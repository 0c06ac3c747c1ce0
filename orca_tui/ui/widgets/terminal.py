"""A pane's terminal on the screen: draws its model's strips and takes the mouse. Sends nothing to anybody.

A plain widget whose `render_lines` returns ready strips: Textual's style cache and scroll views cost a
multiple of the drawing. The scroll offset is the model's; no layout depends on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from orca_tui.base.clock import Clock
from orca_tui.term.input_events import Modifiers, Mouse, MouseAction, MouseButton
from orca_tui.ui.highlight import highlighted
from orca_tui.ui.input_messages import mouse_of
from orca_tui.ui.mouse_rules import Owner, owner_of
from orca_tui.ui.pane_model import PaneModel
from orca_tui.ui.selection import Shape, columns
from orca_tui.ui.symbols import Symbols
from orca_tui.ui.viewport import Viewport, following, thumb
from orca_tui.ui.widgets.chrome import LEFT_BUTTON, MIDDLE_BUTTON, RIGHT_BUTTON, WHEEL_ROWS
from orca_tui.ui.widgets.grasp import Grasp
from orca_tui.ui.widgets.pane_selection import PaneSelection


class TerminalView(Grasp, inherit_bindings=False):
    """Draws one pane."""

    ALLOW_SELECT = False
    GRASPED_BY = frozenset({LEFT_BUTTON, MIDDLE_BUTTON, RIGHT_BUTTON})
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "terminal-view--selection",
        "terminal-view--outside",
        "terminal-view--track",
        "terminal-view--thumb",
    }

    @dataclass
    class Pressed(Message):
        """A button was pressed in the pane: it wants the focus."""

        view: TerminalView

        @property
        def control(self) -> TerminalView:
            return self.view

    @dataclass
    class MouseForChild(Message):
        """The child is to be told of this; cells are the pane's."""

        view: TerminalView
        mouse: Mouse

        @property
        def control(self) -> TerminalView:
            return self.view

    @dataclass
    class ScrollWanted(Message):
        """The view is to move by so many rows, up being positive."""

        view: TerminalView
        rows: int

        @property
        def control(self) -> TerminalView:
            return self.view

    @dataclass
    class LinkWanted(Message):
        """A link was clicked with ctrl held."""

        view: TerminalView
        url: str

        @property
        def control(self) -> TerminalView:
            return self.view

    @dataclass
    class Selected(Message):
        """Text was selected and is to be copied."""

        view: TerminalView
        text: str

        @property
        def control(self) -> TerminalView:
            return self.view

    def __init__(self, model: PaneModel, symbols: Symbols, clock: Clock) -> None:
        super().__init__(classes="terminal-view")
        self.model = model
        self._symbols = symbols
        self._window = Viewport()
        self._pane_size = (model.cols, model.rows)
        self._selection = PaneSelection(model, clock)
        self._drag: Owner | None = None
        self._last_cell: tuple[int, int] | None = None

    # Drawing

    def render_lines(self, crop: Region) -> list[Strip]:
        width, height = self.outer_size  # It has no border, and `size` walks the tree.
        self._follow(width, height)  # A pane that was hidden is shown again without a resize.
        lines = self._ready_lines(crop, width) or [self._line(y, width, height) for y in crop.line_range]
        if crop.x == 0 and crop.width >= width:
            return lines
        return [line.crop(crop.x, crop.right) for line in lines]

    def _ready_lines(self, crop: Region, width: int) -> list[Strip]:
        """The model's own strips, when nothing has to be done to them; empty otherwise."""
        model, window = self.model, self._window
        if model.cols != width or window.x or self._selection.span is not None or model.offset:
            return []
        lines = model.strips[window.y + crop.y : window.y + crop.bottom]
        return lines if len(lines) == crop.height else []

    def dirty(self, changed: Iterable[int]) -> list[Region]:
        """The regions to draw for these rows of the pane; all of it when the window or its marks moved."""
        window, (width, height) = self._window, self.outer_size
        pane_size, self._pane_size = self._pane_size, (self.model.cols, self.model.rows)
        moved = self._follow(width, height) != window or self._pane_size != pane_size
        if moved or self.model.offset or self._selection.span is not None:
            return [Region(0, 0, width, height)]
        rows = sorted(y - window.y for y in changed if window.y <= y < window.y + window.rows)
        return [Region(0, first, width, count) for first, count in _runs(rows)]

    def cursor_place(self) -> tuple[int, int] | None:
        """Where the pane's cursor is on the screen; None when it is outside of what is shown."""
        place = self._window.on_window(self.model.cursor.x, self.model.cursor.y)
        return None if place is None else (self.region.x + place[0], self.region.y + place[1])

    def on_resize(self) -> None:
        self._follow(*self.size)

    def _follow(self, width: int, height: int) -> Viewport:
        """Move the window to the cursor; a widget without a size, as a hidden one is, leaves it alone."""
        model = self.model
        if not (width and height):
            return self._window
        self._window = following(
            self._window,
            size=(width, height),
            pane=(model.cols, model.rows),
            cursor=(model.cursor.x, model.cursor.y),
        )
        return self._window

    def _line(self, y: int, width: int, height: int) -> Strip:
        model, window = self.model, self._window
        row = window.y + y
        if row >= len(model.strips):
            return self._outside(width) if model.strips else Strip.blank(width)
        strip = model.strips[row]
        if self._selection.span is not None:
            strip = self._with_selection(strip, row)
        if strip.cell_length != width or window.x:
            strip = self._windowed(strip, window.x, width)
        return self._with_scrollbar(strip, y, width, height) if model.offset else strip

    def _windowed(self, strip: Strip, x: int, width: int) -> Strip:
        """The part of a row that has room; beside a narrower pane there is nothing, and it is shown so."""
        shown = strip.crop(x, min(strip.cell_length, x + width))
        room = width - shown.cell_length
        return Strip.join([shown, self._outside(room)]) if room > 0 else shown

    def _outside(self, width: int) -> Strip:
        style = self.get_component_rich_style("terminal-view--outside")
        return Strip([Segment(self._symbols.outside * width, style)], width)

    def _with_selection(self, strip: Strip, row: int) -> Strip:
        span = self._selection.span
        where = columns(span, self.model.first_line + row, strip.cell_length) if span else None
        if where is None:
            return strip
        return highlighted(strip, *where, self.get_component_rich_style("terminal-view--selection"))

    def _with_scrollbar(self, strip: Strip, y: int, width: int, height: int) -> Strip:
        model = self.model
        start, length = thumb(
            track_rows=height,
            total_rows=model.scrollback_rows() + model.rows,
            first_row=model.first_line,
            shown_rows=model.rows,
        )
        on = start <= y < start + length
        style = self.get_component_rich_style(f"terminal-view--{'thumb' if on else 'track'}")
        mark = Strip([Segment(self._symbols.thumb if on else self._symbols.track, style)], 1)
        return Strip.join([strip.crop(0, width - 1), mark])

    # The mouse

    def clear_selection(self) -> None:
        """Select nothing."""
        if self._selection.clear():
            self.refresh(Region(0, 0, *self.size))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self.post_message(self.Pressed(self))
        self._take(event)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self._take(event)

    def on_mouse_release(self) -> None:
        """Somebody else has the mouse now: the release of the button may never come."""
        self._drag = None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._take(event)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._take(event)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._take(event)

    def on_mouse_scroll_left(self, event: events.MouseScrollLeft) -> None:
        self._take(event)

    def on_mouse_scroll_right(self, event: events.MouseScrollRight) -> None:
        self._take(event)

    def _take(self, event: events.MouseEvent) -> None:
        event.stop()
        mouse = self._on_pane(mouse_of(event))
        cell = (mouse.x, mouse.y)
        if mouse.action is MouseAction.MOVE and cell == self._last_cell:
            return
        self._last_cell = cell
        modes = self.model.modes()
        if self._drag is Owner.OURS and not 0 <= event.y < self.size.height:
            self.post_message(self.ScrollWanted(self, 1 if event.y < 0 else -1))
        owner = owner_of(mouse, modes, scrolled=self.model.offset > 0, drag=self._drag)
        self._follow_drag(mouse, owner)
        match owner:
            case Owner.CHILD:
                self.post_message(self.MouseForChild(self, mouse))
            case Owner.OURS:
                self._ours(mouse)
            case Owner.NOBODY:
                pass

    def _on_pane(self, mouse: Mouse) -> Mouse:
        """The event in the pane's cells; a drag that leaves the pane stays at its edge."""
        x = min(max(int(mouse.x), 0), max(0, self.size.width - 1))
        y = min(max(int(mouse.y), 0), max(0, self.size.height - 1))
        col, row = self._window.on_pane(x, y)
        last_col, last_row = max(0, self.model.cols - 1), max(0, self.model.rows - 1)
        return Mouse(
            action=mouse.action,
            button=mouse.button,
            x=min(col, last_col),
            y=min(row, last_row),
            modifiers=mouse.modifiers,
        )

    def _follow_drag(self, mouse: Mouse, owner: Owner) -> None:
        if mouse.button in (MouseButton.LEFT, MouseButton.MIDDLE, MouseButton.RIGHT):
            if mouse.action is MouseAction.PRESS:
                self._drag = owner
            elif mouse.action is MouseAction.RELEASE:
                self._drag = None

    def _ours(self, mouse: Mouse) -> None:
        match mouse.button:
            case MouseButton.WHEEL_UP:
                self.post_message(self.ScrollWanted(self, WHEEL_ROWS))
            case MouseButton.WHEEL_DOWN:
                self.post_message(self.ScrollWanted(self, -WHEEL_ROWS))
            case MouseButton.LEFT | MouseButton.NONE:
                self._select(mouse)
            case _:
                pass

    def _link_at(self, mouse: Mouse) -> str:
        return self.model.link_at(mouse.x, mouse.y)

    def _select(self, mouse: Mouse) -> None:
        match mouse.action:
            case MouseAction.PRESS if mouse.modifiers & Modifiers.CTRL and (url := self._link_at(mouse)):
                changed = False
                self.post_message(self.LinkWanted(self, url))
            case MouseAction.PRESS:
                block = mouse.modifiers & Modifiers.ALT
                changed = self._selection.begin(mouse.x, mouse.y, Shape.BLOCK if block else Shape.FLOW)
            case MouseAction.MOVE:
                changed = self._selection.extend(mouse.x, mouse.y)
            case MouseAction.RELEASE:
                changed = False
                if text := self._selection.text():
                    self.post_message(self.Selected(self, text))
        if changed:
            self.refresh(Region(0, 0, *self.size))


def _runs(rows: list[int]) -> Iterable[tuple[int, int]]:
    """Consecutive rows as (first, count)."""
    start = 0
    for at in range(1, len(rows) + 1):
        if at == len(rows) or rows[at] != rows[at - 1] + 1:
            yield rows[start], at - start
            start = at
