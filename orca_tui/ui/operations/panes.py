"""Actions on the focused pane: split, focus, move, zoom, rename, close."""

from __future__ import annotations

from pathlib import Path

from orca_tui.base.errors import NotFound
from orca_tui.base.ids import PaneId
from orca_tui.commands.arranging import (
    ARRANGE,
    MOVE,
    RESIZE,
    ZOOM,
    ArrangeRequest,
    MoveRequest,
    ResizeRequest,
    ZoomRequest,
)
from orca_tui.commands.open import OPEN, OpenRequest
from orca_tui.commands.targets import CLOSE, RENAME, CloseRequest, RenameRequest
from orca_tui.layout import Axis, Direction, Preset, Tab, neighbour, new_pane_id, open_split, panes_of
from orca_tui.layout import active_tab as active_tab_of
from orca_tui.status.record import RUNNING, Status
from orca_tui.term.input_events import Key, Modifiers
from orca_tui.ui.geometry import places
from orca_tui.ui.labels import pane_name, status_word
from orca_tui.ui.operations.host import Host
from orca_tui.ui.screens.dialogs import Confirm, Prompt
from orca_tui.ui.world import World
from orca_tui.wire import PaneInfo

BEFORE = (Direction.LEFT, Direction.UP)
AFTER = (Direction.RIGHT, Direction.DOWN)
SMALLEST_PANE = (10, 2)
"""Columns and rows that a split must leave to a pane: below that nobody can use it, nor find it again."""

SHIFT_ENTER = Key(key="enter", modifiers=Modifiers.SHIFT)


class Panes:
    """Needs a focused pane; without one the actions are not offered."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._presets: dict[str, int] = {}
        """The preset that a tab was arranged by last, by its number."""

    async def split(self, direction: str) -> None:
        """Open a shell beside the focused pane, in its directory."""
        await self.open(OpenRequest(cwd=self.cwd()), split=direction)

    async def open(self, request: OpenRequest, *, split: str | None = None) -> None:
        """Open a pane in a new tab or beside the focused one, at the size that it will have."""
        host = self._host
        focused = host.world.focused
        beside = focused.pane if split is not None and focused is not None else None
        axis = Axis(split) if split is not None and beside is not None else None
        size = self._room(beside, axis)
        if axis is not None and (size[0] < SMALLEST_PANE[0] or size[1] < SMALLEST_PANE[1]):
            host.say("No room to split this pane: close one, or open a tab instead.", "warning")
            return
        request = OpenRequest(
            agent=request.agent,
            command=request.command,
            cwd=request.cwd,
            workspace=request.workspace,
            split=axis.value if axis is not None else None,
            beside=beside,
            tab="current" if axis is not None else "new",
            environment=dict(host.variables),
            focus=True,
            size=size,
        )
        await host.do(OPEN, request, until=lambda world, reply: _is_focused(world, reply.pane))

    def cwd(self) -> str | None:
        """Where a new pane starts: where the focused one is, else where the UI was started, else at home (None).

        A directory that was removed meanwhile is passed over: nothing can be started there.
        """
        focused = self._host.world.focused
        wanted = (focused.cwd if focused is not None else "", self._host.cwd)
        return next((cwd for cwd in wanted if cwd and Path(cwd).is_dir()), None)

    def _room(self, beside: str | None, axis: Axis | None) -> tuple[int, int]:
        """What the new pane will have on this screen, so that its program starts with the right size."""
        areas = self._host.scene.areas
        if areas is None:
            return OpenRequest().size
        if beside is None or axis is None:
            return areas.panes.cols, max(1, areas.panes.rows - 1)
        layout, pane = new_pane_id(self._host.world.layout)
        tab = active_tab_of(open_split(layout, pane, PaneId(beside), axis))
        found = places(tab, areas.panes).panes if tab is not None else ()
        screen = next((place.screen for place in found if place.pane == pane), areas.panes)
        return screen.cols, screen.rows

    async def focus_direction(self, direction: str) -> None:
        other = self._neighbour(Direction(direction))
        if other is not None:
            self._host.focus_pane(other)

    async def resize(self, direction: str) -> None:
        pane = self._focused()
        await self._host.do(RESIZE, ResizeRequest(pane=pane.pane, direction=Direction(direction)))

    async def zoom(self) -> None:
        await self._host.do(ZOOM, ZoomRequest(pane=self._focused().pane))

    async def other_pane(self) -> None:
        panes = list(panes_of(self._tab().root))
        at = panes.index(self._tab().focused)
        self._host.focus_pane(panes[(at + 1) % len(panes)])

    async def swap(self, which: str) -> None:
        """Change places with the neighbour before or after."""
        for direction in BEFORE if which == "previous" else AFTER:
            if self._neighbour(direction) is not None:
                await self._host.do(MOVE, MoveRequest(pane=self._focused().pane, direction=direction))
                return

    async def next_arrangement(self) -> None:
        tab, presets = self._tab(), tuple(Preset)
        number = self._presets.get(tab.id, -1) + 1
        self._presets[tab.id] = number
        await self._host.do(ARRANGE, ArrangeRequest(tab=tab.id, preset=presets[number % len(presets)]))

    async def move_to_new_tab(self) -> None:
        await self._host.do(MOVE, MoveRequest(pane=self._focused().pane, tab="new"))

    async def rename(self) -> None:
        pane = self._focused()
        name = await self._host.ask(Prompt(f"Name of {pane.pane}", pane.name))
        if name is not None:
            await self._host.do(RENAME, RenameRequest(target=pane.pane, name=name))

    async def close(self) -> None:
        """End the pane after a question; one whose program has ended is closed without."""
        pane = self._focused()
        if pane.status is not Status.EXITED and not await self._host.ask(_close_question(pane)):
            return
        await self._host.do(
            CLOSE,
            CloseRequest(target=pane.pane, force=True),
            until=lambda world, _: pane.pane not in world.panes,
        )

    async def newline(self) -> None:
        """Shift+Enter, for terminals that cannot tell it from Enter."""
        self._host.send(SHIFT_ENTER)

    def _focused(self) -> PaneInfo:
        """Raises `NotFound`: it may have gone since the action was found possible."""
        pane = self._host.world.focused
        if pane is None:
            raise NotFound("the pane is gone")
        return pane

    def _tab(self) -> Tab:
        """Raises `NotFound`, as above."""
        tab = self._host.world.tab
        if tab is None:
            raise NotFound("the tab is gone")
        return tab

    def _neighbour(self, direction: Direction) -> str | None:
        areas, tab = self._host.scene.areas, self._tab()
        return None if areas is None else neighbour(tab.root, tab.focused, direction, areas.panes)


def _is_focused(world: World, pane: str) -> bool:
    return world.focused is not None and world.focused.pane == pane


def _close_question(pane: PaneInfo) -> Confirm:
    doing = f"It is {status_word(pane)}." if pane.status in RUNNING else ""
    return Confirm(f"Close {pane.pane} {pane_name(pane)}?", doing or "Its program is ended.")
