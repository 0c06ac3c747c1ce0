"""Words in place of panes: what to press when there are none."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from orca_tui.ui.actions import ACTIONS_BY_ID
from orca_tui.ui.keymap import Keymap
from orca_tui.ui.pieces import MUTED, STRONG

OFFERED = ("new_tab", "open_agent", "palette", "help", "detach")


class EmptyNote(Widget):
    """Says how to open something."""

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._keymap: Keymap | None = None

    def show(self, keymap: Keymap) -> None:
        """Show these keys."""
        if keymap != self._keymap:
            self._keymap = keymap
            self.refresh()

    def render(self) -> Content:
        if self._keymap is None:
            return Content()
        lines = [Content.styled("Nothing runs here yet.", MUTED), Content()]
        for action_id in OFFERED:
            keys = self._keymap.keys_of(action_id)
            if keys:
                lines.append(self._offer(keys[0], ACTIONS_BY_ID[action_id].title))
        return Content("\n").join(lines)

    def _offer(self, key: str, title: str) -> Content:
        assert self._keymap is not None
        return Content.assemble((f"{self._keymap.pressed(key):>14}", STRONG), f"   {title:<18}")
