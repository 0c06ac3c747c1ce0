"""Draws widgets now instead of at Textual's next update: the one place that leans on private names of Textual.

`Widget.refresh` goes through two messages and a timer, about half of a key's way to the screen; and a compositor
cuts and joins strips that nothing lies on. A test checks that these names are there; without them, or while a
layout is pending, the ordinary way is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from rich.console import Console, RenderableType
from rich.control import Control
from textual._compositor import Compositor, CompositorUpdate
from textual.geometry import Region
from textual.screen import Screen
from textual.widget import Widget

SCREEN_NAMES = (
    "_compositor",
    "_compositor_refresh",
    "_dirty_widgets",
    "_layout_required",
    "_scroll_required",
)
COMPOSITOR_NAMES = ("_dirty_regions", "update_widgets", "visible_widgets")
WIDGET_NAMES = ("_repaint_regions",)
APP_NAMES = ("_batch_count", "_display")
NOWHERE = Region(0, 0, 0, 0)


class RowsUpdate(CompositorUpdate):
    """Rows of widgets that nothing lies on, as they are."""

    def __init__(self, drawn: Sequence[tuple[Widget, Region, Sequence[Region]]]) -> None:
        """Widgets with their place on the screen and the regions of themselves to draw."""
        self._drawn = drawn

    def render_segments(self, console: Console) -> str:
        pieces: list[str] = []
        for widget, place, regions in self._drawn:
            for region in regions:
                top = place.y + region.y
                for y, line in enumerate(widget.render_lines(region), top):
                    pieces += Control.move_to(place.x + region.x, y).segment.text, line.render(console)
        return "".join(pieces)


def available(screen: Screen[Any]) -> bool:
    """Whether this Textual has what drawing at once needs."""
    wanted = (
        (screen, (*SCREEN_NAMES, *WIDGET_NAMES)),
        (screen._compositor, COMPOSITOR_NAMES),
        (screen.app, APP_NAMES),
    )
    return all(hasattr(owner, name) for owner, names in wanted for name in names)


def paint(screen: Screen[Any], regions: Mapping[Widget, Sequence[Region]], *, at_once: bool = True) -> None:
    """Draw these regions of widgets, each in the widget's own cells."""
    if not (at_once and available(screen) and _may_draw(screen)):
        for widget, dirty in regions.items():
            widget.refresh(*dirty)
        return
    compositor = screen._compositor
    covered = screen.app.screen is not screen  # By a dialog that lets it shine through.
    if not (covered or screen._dirty_widgets or compositor._dirty_regions):
        places = {widget: _bare_place(compositor, widget) for widget in regions}
        if all(place is not None for place in places.values()):
            drawn = [
                (widget, place, regions[widget]) for widget, place in places.items() if place is not None
            ]
            screen.app._display(screen, cast(RenderableType, RowsUpdate(drawn)))  # As all updates of Textual.
            return
    for widget, dirty in regions.items():
        widget._repaint_regions.update(dirty)
    # The refresh below forgets what waits for Textual's own update, so that is drawn along.
    compositor.update_widgets({*regions, *screen._dirty_widgets})
    screen._compositor_refresh()


def _bare_place(compositor: Compositor, widget: Widget) -> Region | None:
    """Where a widget is on the screen; None when a part of it is cut off, or another one may lie on it."""
    place, clip = compositor.visible_widgets.get(widget, (NOWHERE, NOWHERE))
    if not place or not clip.contains_region(place):
        return None
    for other, (region, _) in compositor.visible_widgets.items():  # From the topmost one down.
        if other is widget:
            return place
        if region.overlaps(place):
            return None
    return None


def _may_draw(screen: Screen[Any]) -> bool:
    """Not before a pending layout, and not while the outer terminal is behind (the driver holds painting then)."""
    pending = screen._layout_required or screen._scroll_required or screen.app._batch_count
    return screen.is_attached and screen.is_current and not pending
