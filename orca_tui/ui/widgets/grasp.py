"""Holding the mouse from the press of a button to its release, also when both come in one burst."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.widget import Widget


class Grasp(Widget, inherit_bindings=False):
    """Gets every mouse event between a press on it and the release, wherever the pointer is by then.

    The mouse is taken when the event arrives, not when the widget comes to handle it: Textual picks the
    receiver of the next event before that, and on a slow link move and release come in the same read.
    """

    GRASPED_BY: ClassVar[frozenset[int]] = frozenset()
    """The buttons that do."""

    def _forward_event(self, event: events.Event) -> None:
        match event:
            case events.MouseDown(button=button) if button in self.GRASPED_BY:
                self.capture_mouse()
                super()._forward_event(event)
            case events.MouseUp():
                super()._forward_event(event)
                self.release_mouse()
            case _:
                super()._forward_event(event)
