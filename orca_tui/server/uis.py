"""The attached UIs: what each shows, which was used last, and what follows from that. Knows no sockets.

Rule 1: input to a pane, or a change of what is shown by a UI whose terminal has the focus, makes it the one
used last.
Rule 2: a pane has the size for which the UI used last among those that show it has room.
Rule 3: a pane is watched when a UI whose terminal has the focus gives it the keyboard.
Rule 4: programs are told the colors of the outer terminal used last, among those that have told theirs.
Rule 5: programs are told that pictures are shown as long as some UI shows them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from orca_tui.commands.ui import OuterColors, ViewRequest
from orca_tui.commands.values import LARGEST_SIDE
from orca_tui.server.channel import Channel, SendFrame
from orca_tui.server.dispatch import Caller
from orca_tui.server.mailbox import Mailbox
from orca_tui.wire import FrameKind, PaneView, UiItem

SendFrameTo: TypeAlias = Callable[[FrameKind, int, bytes], None]
"""Kind, channel, payload."""

NOTHING_SHOWN = ViewRequest(panes=(), focused=None, terminal_focused=False)


class Ui:
    """One UI; `channels` maps its channel numbers to what is sent there."""

    def __init__(self, send: SendFrameTo, cols: int, rows: int) -> None:
        self.send = send
        self.size = (cols, rows)
        """Of the outer terminal."""
        self.mailbox = Mailbox()
        self.view = NOTHING_SHOWN
        self.channels: dict[int, tuple[str, Channel]] = {}
        self.used = 0
        """Higher is later."""

    def sender(self, channel: int) -> SendFrame:
        """How frames of one channel reach it."""
        return lambda kind, payload: self.send(kind, channel, payload)


class UiSlot:
    """The UI of one wire connection, once it has attached; `send` reaches that connection."""

    def __init__(self, send: SendFrameTo) -> None:
        self.send = send
        self.ui: Ui | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class UiCaller(Caller):
    """A caller that could be a UI: its connection can carry pane frames."""

    slot: UiSlot


class Uis:
    """All UIs that are attached."""

    def __init__(self) -> None:
        self._uis: list[Ui] = []
        self._uses = 0

    def __len__(self) -> int:
        return len(self._uis)

    def __iter__(self) -> Iterator[Ui]:
        return iter(tuple(self._uis))

    def add(self, ui: Ui) -> None:
        self._uis.append(ui)
        self.use(ui)

    def remove(self, ui: Ui) -> None:
        self._uis.remove(ui)

    def use(self, ui: Ui) -> bool:
        """Rule 1; True when another one was used last before."""
        changed = self.used_last is not ui
        self._uses += 1
        ui.used = self._uses
        return changed

    @property
    def used_last(self) -> Ui | None:
        return max(self._uis, key=lambda ui: ui.used, default=None)

    def tell(self, item: UiItem) -> None:
        """Tell every UI."""
        for ui in self._uis:
            ui.mailbox.put(item)

    def close(self) -> None:
        """The server stops."""
        for ui in self._uis:
            ui.mailbox.end()

    def sizes(self) -> dict[str, tuple[int, int]]:
        """Rule 2, for every pane that is shown."""
        views: dict[str, PaneView] = {}
        for ui in sorted(self._uis, key=lambda ui: ui.used):
            views |= {view.pane: view for view in ui.view.panes}
        return {
            pane: (min(view.cols, LARGEST_SIDE), min(view.rows, LARGEST_SIDE)) for pane, view in views.items()
        }

    def colors(self) -> OuterColors | None:
        """Rule 4."""
        told = [ui for ui in self._uis if ui.view.colors is not None]
        used_last = max(told, key=lambda ui: ui.used, default=None)
        return used_last.view.colors if used_last else None

    def shows_pictures(self) -> bool | None:
        """Rule 5; None while there is no UI."""
        return any(ui.view.pictures for ui in self._uis) if self._uis else None

    def watched(self) -> frozenset[str]:
        """Rule 3."""
        return frozenset(
            ui.view.focused
            for ui in self._uis
            if ui.view.focused is not None
            and ui.view.terminal_focused
            and any(view.pane == ui.view.focused for view in ui.view.panes)
        )
