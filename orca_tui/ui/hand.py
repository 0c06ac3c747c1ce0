"""Does what gestures mean: the mouse's way to the actions and to the layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orca_tui.commands.arranging import SET_RATIO, SetRatioRequest
from orca_tui.ui.commander import Commander
from orca_tui.ui.gestures import MENU
from orca_tui.ui.performer import Performer
from orca_tui.ui.scene import Scene

if TYPE_CHECKING:
    from orca_tui.ui.operations import Host


class MouseHand:
    """The hand of `gestures.py` in the running UI."""

    def __init__(self, host: Host, commander: Commander, performer: Performer) -> None:
        self._host = host
        self._commander = commander
        self._performer = performer

    @property
    def scene(self) -> Scene:
        return self._host.scene

    def perform(self, action: str) -> None:
        self._host.perform(action)

    def focus_pane(self, pane: str) -> None:
        """Go to a pane; a sidebar that lies over it goes away."""
        self._host.focus_pane(pane)
        if self._host.mood.over_shown:
            self._host.change_mood(over_shown=False)

    def show_target(self, target: str) -> None:
        self._commander.start(self._performer.operations.tabs.show_id(target))

    def set_ratio(self, tab: str, path: tuple[int, ...], ratio: float) -> None:
        request = SetRatioRequest(tab=tab, path=path, ratio=min(max(ratio, 0.0), 1.0))
        self._commander.start(self._set_ratio(request))

    def set_sidebar_cols(self, cols: int) -> None:
        self._performer.operations.view.set_sidebar_cols(cols)

    def open_menu(self, pane: str, x: int, y: int) -> None:
        self._commander.start(self._performer.operations.view.menu(pane, MENU, (x, y)))

    async def _set_ratio(self, request: SetRatioRequest) -> None:
        await self._commander.do(SET_RATIO, request)
