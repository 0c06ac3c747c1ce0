"""What the mouse means outside of a pane's text: tabs, rows, titles, borders. Translates; does nothing itself."""

from __future__ import annotations

from typing import Protocol

from orca_tui.ui.actions import ACTIONS_BY_ID
from orca_tui.ui.chrome_lines import NEW_TAB
from orca_tui.ui.geometry import Border, ratio_for
from orca_tui.ui.scene import Scene
from orca_tui.ui.widgets.chrome import RIGHT_BUTTON, Chrome
from orca_tui.ui.widgets.grips import Grip, PaneTitle


class Hand(Protocol):
    """Who does it."""

    @property
    def scene(self) -> Scene: ...

    def perform(self, action: str) -> None: ...

    def focus_pane(self, pane: str) -> None: ...

    def show_target(self, target: str) -> None:
        """Show a tab or a workspace."""
        ...

    def set_ratio(self, tab: str, path: tuple[int, ...], ratio: float) -> None: ...

    def set_sidebar_cols(self, cols: int) -> None: ...

    def open_menu(self, pane: str, x: int, y: int) -> None: ...


class Gestures:
    """Turns what widgets tell into what a hand does."""

    def __init__(self, hand: Hand) -> None:
        self._hand = hand
        self._grip: Grip.Moved | None = None
        self._border: Border | None = None

    def picked(self, event: Chrome.Picked) -> None:
        """A piece of a line was clicked: an action, a pane, a tab, a workspace, or the plus behind the tabs."""
        hand, target = self._hand, event.target
        if target == NEW_TAB:
            hand.perform("new_tab")
        elif target in ACTIONS_BY_ID:
            hand.perform(target)
        elif target in hand.scene.world.panes:
            hand.focus_pane(target)
            if event.button == RIGHT_BUTTON:
                hand.open_menu(target, event.x, event.y)
        else:
            hand.show_target(target)

    def title_pressed(self, event: PaneTitle.Pressed) -> None:
        """A title gives its pane the focus; the right button opens the menu."""
        self._hand.focus_pane(event.title.pane)
        if event.button == RIGHT_BUTTON:
            self._hand.open_menu(event.title.pane, event.x, event.y)

    def dragged(self, event: Grip.Moved) -> None:
        """A border follows the pointer: the sidebar's edge, or the split that the drag began on."""
        x, y = event.at
        if event.grip.id == SIDEBAR_EDGE:
            self._hand.set_sidebar_cols(_sidebar_cols(self._hand.scene, x))
            return
        if self._grip is None or (self._grip.grip, self._grip.start) != (event.grip, event.start):
            self._border = _border_at(self._hand.scene, *event.start)
        self._grip = event
        tab = self._hand.scene.world.tab
        if tab is not None and self._border is not None:
            self._hand.set_ratio(tab.id, self._border.path, ratio_for(self._border, x, y))


def _sidebar_cols(scene: Scene, x: int) -> int:
    return scene.size[0] - 1 - x if scene.mood.sidebar.right else x


def _border_at(scene: Scene, x: int, y: int) -> Border | None:
    """The border under a cell, the innermost when several meet there."""
    found = [border for border in scene.places.borders if _covers(border, x, y)]
    return max(found, key=lambda border: len(border.path), default=None)


def _covers(border: Border, x: int, y: int) -> bool:
    place = border.place
    return place.x <= x < place.x + place.cols and place.y <= y < place.y + place.rows


SIDEBAR_EDGE = "edge"
"""The widget between sidebar and panes."""

MENU: tuple[str, ...] = (
    "split_right",
    "split_down",
    "zoom",
    "newline",
    "send_notice",
    "notices",
    "grant",
    "move_to_new_tab",
    "rename_pane",
    "close_pane",
)
"""What a right click on a title offers."""
