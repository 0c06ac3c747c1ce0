"""What is still to be told to one attached UI: in order, coalesced, bounded. No sockets.

Rule 1: of several states of one pane, or of the layout, only the newest is told.
Rule 2: a UI that is too far behind is told the whole state instead.
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable

from orca_tui.wire import LayoutChanged, PaneChanged, UiItem

MAX_ITEMS = 1000  # Far more than one screen of panes can have changed; a stopped UI gets there.


class Mailbox:
    """Items for one reader."""

    def __init__(self) -> None:
        self._items: dict[Hashable, UiItem] = {}
        self._number = 0
        self._overflowed = False
        self._arrived = asyncio.Event()
        self.ended = False

    def put(self, item: UiItem) -> None:
        """Tell it when the reader comes; a newer state takes the place of an older one, at the end."""
        if self._overflowed:
            return
        key = self._key(item)
        self._items.pop(key, None)
        self._items[key] = item
        if len(self._items) > MAX_ITEMS:
            self.overflow()
        self._arrived.set()

    def overflow(self) -> None:
        """Forget everything; the reader is to be given the whole state."""
        self._items.clear()
        self._overflowed = True
        self._arrived.set()

    def end(self) -> None:
        """Nothing more comes; what is there can still be taken."""
        self.ended = True
        self._arrived.set()

    async def take(self) -> list[UiItem] | None:
        """Wait for items; None when the whole state is due instead. Empty only after the end."""
        await self._arrived.wait()
        self._arrived.clear()
        if self._overflowed:
            self._overflowed = False
            return None
        items = list(self._items.values())
        self._items.clear()
        return items

    def _key(self, item: UiItem) -> Hashable:
        match item:
            case LayoutChanged():
                return "layout"
            case PaneChanged(pane=pane):
                return pane.pane
            case _:
                self._number += 1
                return self._number
