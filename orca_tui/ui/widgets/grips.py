"""What can be dragged: borders between panes, titles, and the sidebar's edge. They tell where the pointer is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from orca_tui.ui.geometry import Joint
from orca_tui.ui.symbols import Symbols
from orca_tui.ui.widgets.chrome import LEFT_BUTTON, Chrome
from orca_tui.ui.widgets.grasp import Grasp
from orca_tui.ui.widgets.still import Still


class Grip(Grasp, Still, inherit_bindings=False):
    """Follows the pointer from a press of the left button to its release."""

    ALLOW_SELECT = False
    GRASPED_BY = frozenset({LEFT_BUTTON})

    @dataclass
    class Moved(Message):
        """The pointer was dragged to another cell; columns and rows of the screen."""

        grip: Widget
        start: tuple[int, int]
        at: tuple[int, int]

        @property
        def control(self) -> Widget:
            return self.grip

    _grabbed_at: tuple[int, int] | None = None
    _moved_to: tuple[int, int] | None = None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if event.button == LEFT_BUTTON:
            self._grabbed_at = self._moved_to = _place(event)
            event.stop()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        at = _place(event)
        if self._grabbed_at is not None and at != self._moved_to:
            self._moved_to = at
            self.post_message(self.Moved(self, self._grabbed_at, at))
            event.stop()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        if self._grabbed_at is not None:
            self._grabbed_at = None
            event.stop()

    def on_mouse_release(self) -> None:
        """Somebody else has the mouse now: the release of the button may never come."""
        self._grabbed_at = None


def _place(event: events.MouseEvent) -> tuple[int, int]:
    return int(event.screen_x), int(event.screen_y)


class VerticalLine(Grip):
    """A column between panes, or at the sidebar's edge; titles that meet it are joined to it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"vertical-line--focused"}

    def __init__(self, symbols: Symbols, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._symbols = symbols
        self._joints: tuple[Joint, ...] = ()

    def show(self, joints: tuple[Joint, ...]) -> None:
        """Show a line with these joints, from its upper end on."""
        if joints != self._joints:
            self._joints = joints
            self.refresh()

    def render_line(self, y: int) -> Strip:
        joint = self._joints[y] if y < len(self._joints) else Joint()
        marks = self._symbols.first_joints if y == 0 else self._symbols.joints
        names = ("vertical-line--focused",) if joint.focused else ()
        style = self.get_component_rich_style(*names) if names else self.rich_style
        return Strip([Segment(marks[joint.left + 2 * joint.right], style)], 1)


class PaneTitle(Chrome, Grip):
    """A pane's title row; dragging it moves the border that it stands on."""

    def __init__(self, pane: str) -> None:
        super().__init__(classes="pane-title")
        self.pane = pane

    @dataclass
    class Pressed(Message):
        """The title was pressed: the pane wants the focus, and with the right button its menu."""

        title: PaneTitle
        button: int
        x: int
        y: int

        @property
        def control(self) -> PaneTitle:
            return self.title

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self.post_message(self.Pressed(self, event.button, *_place(event)))
