"""Words in place of panes: what to press when there are none."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from orca_tui.ui.actions import ACTIONS_BY_ID
from orca_tui.ui.keymap import Keymap
from orca_tui.ui.pieces import MUTED, STRONG

RESTORE = "restore"
OFFERED = ("new_tab", "open_agent", "palette", "help", "detach")


class EmptyNote(Widget):
    """Says how to open something."""

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._keymap: Keymap | None = None
        self._saved_panes = 0

    def show(self, keymap: Keymap, saved_panes: int) -> None:
        """Show these keys, and that a session of so many panes can be restored."""
        if (keymap, saved_panes) != (self._keymap, self._saved_panes):
            self._keymap, self._saved_panes = keymap, saved_panes
            self.refresh()

    def render(self) -> Content:
        if self._keymap is None:
            return Content()
        lines = [Content.styled(self._situation(), MUTED), Content()]
        for action_id in (RESTORE, *OFFERED) if self._saved_panes else OFFERED:
            keys = self._keymap.keys_of(action_id)
            if keys:
                lines.append(self._offer(keys[0], ACTIONS_BY_ID[action_id].title))
        return Content("\n").join(lines)

    def _situation(self) -> str:
        if not self._saved_panes:
            return "Nothing runs here yet."
        panes = "1 pane" if self._saved_panes == 1 else f"{self._saved_panes} panes"
        return f"Nothing runs here yet; a session of {panes} is saved."

    def _offer(self, key: str, title: str) -> Content:
        assert self._keymap is not None
        return Content.assemble((f"{self._keymap.pressed(key):>14}", STRONG), f"   {title:<18}")
