"""Copy mode on the screen: a pane held still at its place, keys and mouse in, text out. The rules are `mode.py`'s."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, assert_never

import msgspec
from msgspec.structs import replace
from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult

from orca_tui.base.clock import Clock
from orca_tui.layout import Rect
from orca_tui.ui.clicks import Clicks
from orca_tui.ui.copying.mode import (
    Copy,
    Effect,
    Keep,
    KeepAll,
    Leave,
    OpenLink,
    State,
    Typed,
    advance,
    resized,
    scrolled,
)
from orca_tui.ui.frozen_pane import FrozenPane
from orca_tui.ui.screens.dialog import Dialog
from orca_tui.ui.selection import Selection, Shape, Spot, Unit, selected_text
from orca_tui.ui.widgets.chrome import LEFT_BUTTON, WHEEL_ROWS
from orca_tui.ui.widgets.frozen_view import FrozenView


class Copied(msgspec.Struct, frozen=True, kw_only=True):
    """A text for the clipboard."""

    text: str


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """A link to open."""

    url: str


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """The whole history, for a file or the editor."""

    where: Keep
    text: str


Outcome: TypeAlias = Copied | Link | Kept


class CopyMode(Dialog[Outcome | None], inherit_bindings=False):
    """Returns what was taken; None when it was left without."""

    def __init__(
        self, frozen: FrozenPane, place: Callable[[], Rect | None], clock: Clock, *, search: str = ""
    ) -> None:
        """`place` is where the pane is on the screen, None when it is not; `search` is a key to begin with."""
        super().__init__()
        self.add_class("-bare")
        self._frozen = frozen
        self._place = place
        self._view = FrozenView(frozen)
        self._drag: Selection | None = None
        self._clicks = Clicks(clock)
        cursor = frozen.cursor
        self._state = State(cursor=cursor, top=cursor.line, height=1, wanted_col=cursor.col)
        self._first_key = search

    def compose(self) -> ComposeResult:
        yield self._view

    def on_mount(self) -> None:
        self._follow_place()
        if self._first_key:
            self._take(Typed(key=self._first_key, text=self._first_key))

    def on_unmount(self) -> None:
        self._frozen.close()

    def on_resize(self) -> None:
        self._follow_place()

    def _follow_place(self) -> None:
        place = self._place()
        if place is None or place.rows < 2:
            self.dismiss(None)
            return
        self._view.styles.offset = (place.x, place.y)
        self._view.styles.width, self._view.styles.height = place.cols, place.rows
        self._show(resized(self._state, place.rows - 1, self._frozen.paper))

    # Keys

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        text = event.character if event.is_printable and event.character else ""
        self._take(Typed(key=text if text.strip() else event.key, text=text))

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        if self._state.entry is not None:
            self._take(Typed(key="", text=event.text.partition("\n")[0]))

    def _take(self, typed: Typed) -> None:
        state, effects = advance(self._state, typed, self._frozen.paper)
        self._show(state)
        for effect in effects:
            self._perform(effect)

    def _perform(self, effect: Effect) -> None:
        match effect:
            case Copy(selection=selection):
                self._copy(selection)
            case Leave():
                self.dismiss(None)
            case OpenLink(at=spot):
                self._open_link(spot)
            case KeepAll(where=where):
                self.dismiss(Kept(where=where, text=self._frozen.text))
            case _:
                assert_never(effect)

    def _copy(self, selection: Selection) -> None:
        paper = self._frozen.paper
        self.dismiss(Copied(text=selected_text(selection.span(paper.text_of), paper.text_of, paper.cols)))

    def _open_link(self, spot: Spot) -> None:
        url = self._frozen.link_at(spot)
        if url:
            self.dismiss(Link(url=url))
        else:
            self._show(self._state, "there is no link under the cursor")

    def _show(self, state: State, words: str = "") -> None:
        self._state = state
        place = self._place()
        cols = place.cols if place is not None else 0
        self._view.show(state, words or words_of(state, cols))

    # The mouse

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._scroll(event, -WHEEL_ROWS)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._scroll(event, WHEEL_ROWS)

    def _scroll(self, event: events.MouseEvent, rows: int) -> None:
        event.stop()
        self._show(scrolled(self._state, rows, self._frozen.paper))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        spot = self._spot(event)
        if spot is None:
            self.dismiss(None)  # Something else was clicked.
        elif event.button == LEFT_BUTTON and event.ctrl:
            self._open_link(spot)
        elif event.button == LEFT_BUTTON:
            self._drag = Selection(anchor=spot, head=spot, unit=self._clicks.press(spot))
            shown = None if self._drag.unit is Unit.CELL else self._drag
            self._show(replace(self._state, cursor=spot, wanted_col=spot.col, selection=shown))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        spot = self._spot(event)
        if self._drag is None or spot is None or spot == self._state.cursor:
            return
        shape = Shape.BLOCK if event.meta else Shape.FLOW
        selection = replace(self._drag, head=spot, shape=shape)
        self._show(replace(self._state, cursor=spot, wanted_col=spot.col, selection=selection))

    def on_mouse_up(self, _event: events.MouseUp) -> None:
        self._drag = None

    def _spot(self, event: events.MouseEvent) -> Spot | None:
        """The cell under the mouse; None outside of the view."""
        region = self._view.region
        if not region.contains(int(event.screen_x), int(event.screen_y)):
            return None
        row = min(int(event.screen_y) - region.y, self._state.height - 1)
        return self._frozen.paper.within(Spot(self._state.top + row, int(event.screen_x) - region.x))


def words_of(state: State, cols: int) -> str:
    """What stands below the rows: the search while it is typed, else where one is and what one may press.

    Where there is no room for all of it, what is needed least is left out; how to go on and leave stays.
    """
    entry = state.entry
    if entry is not None:
        sign = "?" if entry.search.backwards else "/"
        kind = "regex" if entry.search.regex else "text"
        return (
            f" {sign}{entry.search.text}▏  {entry.problem or _counted(state)}   {kind}, ctrl+r changes that"
        )
    row = f"row {state.cursor.line + 1}"
    found = (_counted(state), "n N") if state.matches else ()
    ways = ("y copy", "esc drop") if state.selection else ("v select", "/ search", "y copy row", "q leave")
    parts = ["copy mode", row, *found, *ways]
    for spared in ("copy mode", row, "/ search", "n N", "v select", _counted(state), "y copy row"):
        if cell_len(_joined(parts)) <= cols:
            break
        if spared in parts:
            parts.remove(spared)
    return _joined(parts)


def _joined(parts: Sequence[str]) -> str:
    return " " + "   ".join(parts)


def _counted(state: State) -> str:
    if not state.matches:
        return "nothing found" if state.entry is not None and state.entry.search.text else ""
    at = 0 if state.at_match is None else state.at_match + 1
    return f"{at} of {len(state.matches)}"
