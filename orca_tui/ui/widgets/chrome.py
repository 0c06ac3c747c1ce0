"""Lines of our chrome as a widget: tabs, hints, titles and the sidebar are lines of pieces."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from textual import events
from textual.content import Content
from textual.geometry import Region
from textual.message import Message

from orca_tui.ui.pieces import Line, content, target_at
from orca_tui.ui.widgets.still import Still

LEFT_BUTTON, MIDDLE_BUTTON, RIGHT_BUTTON = 1, 2, 3
WHEEL_ROWS = 3


class Chrome(Still):
    """Draws the lines it is shown, from `top` on, and tells what was clicked."""

    ALLOW_SELECT = False

    @dataclass
    class Picked(Message):
        """A piece that means something was clicked."""

        chrome: Chrome
        target: str
        button: int
        x: int
        """Column and row on the screen."""
        y: int

        @property
        def control(self) -> Chrome:
            return self.chrome

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._lines: tuple[Line, ...] = ()
        self._top = 0
        self._revealed: str | None = None

    @property
    def lines(self) -> tuple[Line, ...]:
        """What is shown now."""
        return self._lines

    def show(self, *lines: Line) -> None:
        """Show these lines; only those that differ are drawn again."""
        if lines == self._lines:
            return
        before, self._lines = self._shown(), lines
        self._top = max(0, min(self._top, len(lines) - self.size.height))
        rows = zip_longest(before, self._shown())
        changed = [Region(0, y, self.size.width, 1) for y, (was, now) in enumerate(rows) if was != now]
        if changed or not self.size:  # One that has no place yet is drawn when it gets one.
            self.refresh(*changed)

    def reveal(self, target: str | None) -> None:
        """Bring the lines of a target into sight, once for each: the wheel may take them away again."""
        if target != self._revealed:
            self._revealed = target
            self._bring_into_sight()

    def on_resize(self) -> None:
        self._bring_into_sight()

    def _bring_into_sight(self) -> None:
        rows = [
            row
            for row, line in enumerate(self._lines)
            if any(piece.target == self._revealed for piece in line)
        ]
        if self._revealed is None or not rows:
            return
        lowest_top = max(0, rows[-1] + 1 - self.size.height)
        self._scroll(min(rows[0], max(lowest_top, self._top)) - self._top)

    def render(self) -> Content:
        return content(self._shown())

    def _shown(self) -> tuple[Line, ...]:
        return self._lines[self._top : self._top + self.size.height]

    def line_at(self, y: int) -> Line:
        """The line under a row of the widget."""
        at = self._top + y
        return self._lines[at] if 0 <= at < len(self._lines) else ()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        target = target_at(self.line_at(int(event.y)), int(event.x))
        if target:
            event.stop()
            self.post_message(
                self.Picked(self, target, event.button, int(event.screen_x), int(event.screen_y))
            )

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._scroll(WHEEL_ROWS)
        event.stop()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._scroll(-WHEEL_ROWS)
        event.stop()

    def _scroll(self, rows: int) -> None:
        top = max(0, min(self._top + rows, len(self._lines) - self.size.height))
        if top != self._top:
            self._top = top
            self.refresh(Region(0, 0, *self.size))
