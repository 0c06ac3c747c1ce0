"""Draws widgets now instead of at Textual's next update: the one place that leans on private names of Textual.

`Widget.refresh` goes through two messages and a timer, about half of a key's way to the screen. A test checks
that these names are there; without them, or while a layout is pending, the ordinary way is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
COMPOSITOR_NAMES = ("update_widgets",)
WIDGET_NAMES = ("_repaint_regions",)
APP_NAMES = ("_batch_count",)


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
    for widget, dirty in regions.items():
        widget._repaint_regions.update(dirty)
    # The refresh below forgets what waits for Textual's own update, so that is drawn along.
    screen._compositor.update_widgets({*regions, *screen._dirty_widgets})
    screen._compositor_refresh()


def _may_draw(screen: Screen[Any]) -> bool:
    """Not before a pending layout, and not while the outer terminal is behind (the driver holds painting then)."""
    pending = screen._layout_required or screen._scroll_required or screen.app._batch_count
    return screen.is_attached and screen.is_current and not pending
