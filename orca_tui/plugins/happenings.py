"""What happens, for plugins: one stream from the server, handed to every subscription of a live revision.

Rule 1: a subscription gets everything from the moment on that its plugin's setup has returned, or that it was
made, whichever is later.
Rule 2: when a plugin is set up again, each event goes to the revision before or to the new one, never to both.
Rule 3: what a revision got before the change, it may still handle; then nothing is lost between the two.
Rule 4: a reader that is too far behind is told so; nothing is left out silently.
Rule 5: a subscription lasts as long as its plugin has it; one that was let go is fed no longer.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Self
from weakref import ref

from orca_tui.base.errors import OrcaError
from orca_tui.commands.events import Event

MOST_BEHIND = 10_000  # As the server allows its followers.


class FellBehind(OrcaError):
    """A plugin did not read its events; what it would get now has a hole."""

    code = "fell_behind"


class Subscription:
    """One reader; iterate over it. It ends when its plugin is disposed."""

    def __init__(self, pane: str | None = None) -> None:
        self.pane = pane
        self._events: deque[Event] = deque()
        self._arrived = asyncio.Event()
        self._ended = False
        self._behind = False
        self._read = False
        self._handled = asyncio.Event()
        """Its reader has come back and found nothing more."""
        self._handled.set()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        self._read = True
        while not self._events:
            self._handled.set()
            if self._behind:
                raise FellBehind(f"more than {MOST_BEHIND} events were not read")
            if self._ended:
                raise StopAsyncIteration
            self._arrived.clear()
            await self._arrived.wait()
        return self._events.popleft()

    def put(self, event: Event) -> None:
        if self._ended or self._behind:
            return
        if self.pane is not None and getattr(event, "pane", self.pane) != self.pane:
            return
        if len(self._events) == MOST_BEHIND:
            self._behind = True
        else:
            self._events.append(event)
            self._handled.clear()
        self._arrived.set()

    async def handled(self) -> None:
        """Return when its reader is done with all that came; at once when nobody reads."""
        if self._read:
            await self._handled.wait()

    def end(self) -> None:
        """Nothing more comes; what is there can still be read."""
        self._ended = True
        self._arrived.set()


class Subscriptions:
    """All of one revision; silent until it is live (Rule 1)."""

    def __init__(self) -> None:
        self._all: list[ref[Subscription]] = []
        """Rule 5. Who waits for an event is held by the task that waits."""
        self._first: list[Event] | None = None
        """What came while the revision's work is just beginning, for what that subscribes to."""
        self._live = False
        self._ended = False

    def subscribe(self, pane: str | None = None) -> Subscription:
        subscription = Subscription(pane)
        self._all.append(ref(subscription, self._all.remove))
        for event in self._first or ():
            subscription.put(event)
        if self._ended:
            subscription.end()
        return subscription

    def go_live(self) -> None:
        self._live = True
        self._first = []

    def begun(self) -> None:
        """The revision's work has had its first step."""
        self._first = None

    def end(self) -> None:
        """For good (Rule 2)."""
        self._ended = True
        for subscription in self._living():
            subscription.end()

    async def handled(self) -> None:
        """Return when everything that came was handled (Rule 3)."""
        for subscription in self._living():
            await subscription.handled()

    def put(self, event: Event) -> None:
        if self._live and not self._ended:
            if self._first is not None:
                self._first.append(event)
            for subscription in self._living():
                subscription.put(event)

    def _living(self) -> list[Subscription]:
        return [subscription for one in tuple(self._all) if (subscription := one()) is not None]
