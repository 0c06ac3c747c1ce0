"""Everything the work screen shows at one moment, as one value. Pure."""

from __future__ import annotations

import msgspec

from orca_tui.layout import Axis, Rect
from orca_tui.ui.chrome_lines import hints_line, tabs_line
from orca_tui.ui.geometry import Areas, Border, Places, SidebarWish, areas, places
from orca_tui.ui.keymap import Keymap
from orca_tui.ui.pieces import Line
from orca_tui.ui.sidebar_rows import sidebar_lines
from orca_tui.ui.symbols import Symbols
from orca_tui.ui.which_key import which_key_lines
from orca_tui.ui.world import World

NO_PLACES = Places()
DEFAULT_SIDEBAR = SidebarWish()


class Mood(msgspec.Struct, frozen=True, kw_only=True):
    """What the UI itself is in: shown, and known to nobody else."""

    sidebar: SidebarWish = DEFAULT_SIDEBAR
    over_shown: bool = False
    """On a narrow terminal the sidebar is hidden until it is asked for."""
    prefixed: bool = False
    hints: bool = False
    message: str = ""
    """In the hint line, until the next key or until it was there long enough to be read."""


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """One picture, but for what is in the panes."""

    size: tuple[int, int]
    world: World
    mood: Mood
    keymap: Keymap
    symbols: Symbols
    now: float
    areas: Areas | None
    """None: the terminal is too small."""
    places: Places

    @property
    def focused(self) -> str | None:
        pane = self.world.focused
        return None if pane is None else pane.pane

    @property
    def empty(self) -> bool:
        """There is no pane at all."""
        return self.world.synced and self.world.tab is None

    def sizes(self) -> dict[str, tuple[int, int]]:
        """The visible panes and the room each has."""
        return {place.pane: (place.screen.cols, place.screen.rows) for place in self.places.panes}

    def tabs(self) -> Line:
        return tabs_line(self.world, self.size[0], self.symbols)

    def sidebar(self) -> list[Line]:
        cols = self.areas.sidebar.cols if self.areas is not None and self.areas.sidebar is not None else 0
        return sidebar_lines(self.world, cols=cols, now=self.now, symbols=self.symbols) if cols else []

    def hints(self) -> Line:
        mood = self.mood
        return hints_line(
            self.keymap, self.size[0], self.symbols, prefixed=mood.prefixed, message=mood.message
        )

    def which_key(self) -> list[Line]:
        """The keys after the prefix, when they are to be shown."""
        if not self.mood.hints:
            return []
        cols, rows = self.size
        return which_key_lines(self.keymap, cols=cols, rows=rows - 2, symbols=self.symbols)

    def columns(self) -> tuple[Border, ...]:
        """The borders that are columns of their own."""
        return tuple(border for border in self.places.borders if border.axis is Axis.RIGHT)


def scene(
    *,
    size: tuple[int, int],
    world: World,
    mood: Mood,
    keymap: Keymap,
    symbols: Symbols,
    now: float,
) -> Scene:
    """The picture for an outer terminal of that size."""
    whole = areas(*size, mood.sidebar)
    if whole is not None and whole.over and not mood.over_shown:
        whole = areas(*size, SidebarWish(shown=False))
    return Scene(
        size=size,
        world=world,
        mood=mood,
        keymap=keymap,
        symbols=symbols,
        now=now,
        areas=whole,
        places=_places(world, whole),
    )


def _places(world: World, whole: Areas | None) -> Places:
    """Where panes stand; one that is gone leaves its place empty until the layout has followed."""
    if world.tab is None or whole is None:
        return NO_PLACES
    found = places(world.tab, whole.panes)
    return msgspec.structs.replace(
        found, panes=tuple(place for place in found.panes if place.pane in world.panes)
    )


def overlay_rect(size: tuple[int, int], rows: int) -> Rect:
    """Where a list over the panes stands: right above the hint line."""
    cols, all_rows = size
    shown = min(rows, max(0, all_rows - 2))
    return Rect(0, all_rows - 1 - shown, cols, shown)
