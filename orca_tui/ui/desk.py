"""What is on screen now: the world and this UI's own mood become a scene, and the scene is shown everywhere.

That is the work screen, the view that the server is told of, and the outer terminal's cursor and title.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from textual.app import App
from textual.geometry import Offset, Region
from textual.timer import Timer
from textual.widget import Widget

from orca_tui.base.clock import Clock
from orca_tui.term.engine import MouseTracking
from orca_tui.term.input_events import Focus
from orca_tui.ui.chrome_lines import BRAND, roll_up_text
from orca_tui.ui.fast_paint import paint
from orca_tui.ui.keymap import Keymap
from orca_tui.ui.link import Link
from orca_tui.ui.outer_terminal import HIDDEN_CURSOR, CursorLook, cursor_look
from orca_tui.ui.outer_writer import OuterWriter
from orca_tui.ui.pane_model import PaneModel
from orca_tui.ui.scene import Mood, Scene, scene
from orca_tui.ui.screens.work import WorkScreen
from orca_tui.ui.symbols import Symbols
from orca_tui.ui.texts import reading_s
from orca_tui.ui.world import World, WorldItem, advance
from orca_tui.wire import PaneChanged, PaneInfo

TITLES_EVERY_S = 0.25
"""Agents spin in their titles ten times a second, all at once; drawn so often that would take all of a core."""


class Desk:
    """Holds the world, the mood and the scene; `show` brings everything up to date with them."""

    def __init__(
        self,
        *,
        app: App[Any],
        screen: WorkScreen,
        link: Link,
        outer: OuterWriter,
        clock: Clock,
        symbols: Symbols,
        keymap: Keymap,
        mood: Mood,
        want_motion: Callable[[bool], None],
    ) -> None:
        """`want_motion`: have the outer terminal report the mouse moving with no button held, or not."""
        self._app = app
        self._screen = screen
        self._link = link
        self._outer = outer
        self._clock = clock
        self._symbols = symbols
        self._size = (0, 0)
        self._has_keyboard = True
        self._terminal_focused = True
        self._told_focus: str | None = None
        self._want_motion = want_motion
        self._motion = False
        self._show_scheduled = False
        self._shown_at = -TITLES_EVERY_S
        self._titles_due: Timer | None = None
        self._message_over: Timer | None = None
        self._world_watchers: list[Callable[[World], None]] = []
        self.keymap = keymap
        self.mood = mood
        self.world = World()
        self.scene = self._scene()

    # What changes

    def take(self, item: WorldItem) -> None:
        """Take the server's word. A new layout is shown at once, since input follows it; a new status soon; titles
        and what else changes all the time at most every `TITLES_EVERY_S`.
        """
        before, self.world = self.world.panes, advance(self.world, item)
        for pane in self._link.known_panes() - self.world.panes.keys():
            self._link.forget(pane)
        if isinstance(item, PaneChanged):
            self._show_soon(may_wait=not _is_news(before.get(item.pane.pane), item.pane))
        else:
            self.show()
        for watcher in list(self._world_watchers):
            watcher(self.world)

    def watch(self, watcher: Callable[[World], None]) -> Callable[[], None]:
        """Call with every new world, after it is shown; returns what ends that."""
        self._world_watchers.append(watcher)
        return lambda: self._world_watchers.remove(watcher)

    def change_mood(self, **changes: Any) -> None:
        """Replace fields of the mood; a message goes by itself once there was time to read it."""
        self.mood = msgspec.structs.replace(self.mood, **changes)
        self.show()
        if "message" in changes:
            self._time_message(self.mood.message)

    def _time_message(self, message: str) -> None:
        if self._message_over is not None:
            self._message_over.stop()
        self._message_over = (
            self._app.set_timer(reading_s(message), lambda: self.change_mood(message="")) if message else None
        )

    def resized(self, cols: int, rows: int) -> None:
        self._size = (cols, rows)
        self.show()

    def focus_changed(self, *, terminal: bool, keyboard: bool) -> None:
        """The outer terminal has the focus or not; the panes have the keyboard, or a dialog has."""
        if (terminal, keyboard) != (self._terminal_focused, self._has_keyboard):
            self._terminal_focused, self._has_keyboard = terminal, keyboard
            self.show()

    # What is shown

    def show(self) -> None:
        """Bring everything up to date."""
        self._shown_at = self._clock.monotonic()
        if self._titles_due is not None:
            self._titles_due.stop()
            self._titles_due = None
        self.scene = self._scene()
        self._screen.present(self.scene)
        focused = self.visible_focused()
        self._link.show(
            self.scene.sizes(),
            focused=focused if self._has_keyboard else None,
            terminal_focused=self._terminal_focused,
        )
        self._tell_focus(focused if self._terminal_focused else None)
        if self.world.synced:
            self._outer.set_title(f"{BRAND} {roll_up_text(self.world, self._symbols)}")
        self.place_cursor()
        self._follow_motion()

    def show_titles(self, panes: list[str]) -> None:
        """A view was scrolled: only the titles say so."""
        for pane in panes:
            self._screen.present_title(self.scene, pane)

    def visible_focused(self) -> str | None:
        """The pane that input goes to; None when it is not on screen."""
        pane = self.scene.focused
        return pane if pane is not None and pane in self.scene.sizes() else None

    def _scene(self) -> Scene:
        return scene(
            size=self._size,
            world=self.world,
            mood=self.mood,
            keymap=self.keymap,
            symbols=self._symbols,
            now=self._clock.now(),
        )

    def _show_soon(self, *, may_wait: bool) -> None:
        left_s = self._shown_at + TITLES_EVERY_S - self._clock.monotonic()
        if self._show_scheduled:
            return
        if may_wait and left_s > 0:
            self._titles_due = self._titles_due or self._app.set_timer(left_s, self._show_now)
            return
        self._show_scheduled = True
        self._app.call_later(self._show_now)

    def _show_now(self) -> None:
        self._show_scheduled = False
        self.show()

    def _tell_focus(self, pane: str | None) -> None:
        """Children that asked for it are told that they lost or gained the keyboard."""
        if pane == self._told_focus:
            return
        if self._told_focus is not None:
            self._link.input(self._told_focus, Focus(gained=False))
        if pane is not None:
            self._link.input(pane, Focus(gained=True))
        self._told_focus = pane

    # Panes

    def draw(self, models: list[PaneModel]) -> None:
        """Draw what changed in panes, and put the cursor behind it."""
        regions: dict[Widget, list[Region]] = {}
        for model in models:
            view = self._screen.view_of(model.pane)
            changed = model.drawn()
            if view is not None and (dirty := view.dirty(changed)):
                regions[view] = dirty
            if model.offset:  # Output has grown it.
                self._screen.present_title(self.scene, model.pane)
        look = self._cursor()
        self._tell_textual(look)
        if regions:
            paint(self._screen, regions)
        self._outer.set_cursor(look)
        self._follow_motion()

    def repicture(self, pane: str) -> None:
        """Draw a pane anew whose pictures are others now, and what lies over it: that may show it as it was."""
        self._link.repicture(pane)
        if self._app.screen is not self._screen:
            self._app.screen.refresh()

    def _follow_motion(self) -> None:
        """Movement floods the input; it is asked for only while a visible child wants it."""
        modes = (self._link.model(pane).modes() for pane in self.scene.sizes())
        wanted = any(one.mouse is MouseTracking.ANY for one in modes)
        if wanted != self._motion:
            self._motion = wanted
            self._want_motion(wanted)

    def place_cursor(self) -> None:
        """Put the outer terminal's cursor where the focused pane has it, or hide it."""
        look = self._cursor()
        self._tell_textual(look)
        self._outer.set_cursor(look)

    def _cursor(self) -> CursorLook:
        pane = self.visible_focused()
        view = self._screen.view_of(pane) if pane is not None and self._has_keyboard else None
        if view is None or self.mood.hints or self._covered():
            return HIDDEN_CURSOR
        return cursor_look(view.model.cursor, view.cursor_place())

    def _covered(self) -> bool:
        """The sidebar lies over the panes, and maybe over the cursor."""
        areas = self.scene.areas
        return areas is not None and areas.over and areas.sidebar is not None

    def _tell_textual(self, look: CursorLook) -> None:
        """Textual leaves the cursor there after each drawing."""
        if look.place is not None:
            self._app.cursor_position = Offset(*look.place)


def _is_news(before: PaneInfo | None, now: PaneInfo) -> bool:
    """What people wait for; the rest of a record may be seen a moment later."""
    return before is None or (before.status, before.unread) != (now.status, now.unread)
