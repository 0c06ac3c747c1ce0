"""Events to everybody who follows them (`orca-tui events`, HTTP). Keeps nothing for those who come later."""

from __future__ import annotations

import asyncio
from collections import deque

from orca_tui.base.errors import OrcaError
from orca_tui.commands.events import Event

MAX_BEHIND = 10_000  # Events; a follower that far behind does not read.


class FellBehind(OrcaError):
    """A follower of events did not read them; what it would get now has a hole."""

    code = "fell_behind"


class Follower:
    """One reader of events; `pane` None means all."""

    def __init__(self, pane: str | None) -> None:
        self._pane = pane
        self._events: deque[Event] = deque()
        self._arrived = asyncio.Event()
        self._behind = False
        self._ended = False

    def put(self, event: Event) -> None:
        if self._behind or (self._pane is not None and getattr(event, "pane", self._pane) != self._pane):
            return
        self._events.append(event)
        self._behind = len(self._events) > MAX_BEHIND
        self._arrived.set()

    def end(self) -> None:
        """Nothing more comes; what is there can still be read."""
        self._ended = True
        self._arrived.set()

    async def next(self) -> Event | None:
        """The next event, None after the end; raises `FellBehind` rather than leaving events out."""
        while not self._events:
            if self._ended:
                return None
            self._arrived.clear()
            await self._arrived.wait()
        if self._behind:
            raise FellBehind(f"more than {MAX_BEHIND} events were not read")
        return self._events.popleft()


class EventHub:
    """Hands every event to every follower."""

    def __init__(self) -> None:
        self._followers: list[Follower] = []

    def follow(self, pane: str | None = None) -> Follower:
        """From now on nothing is missed, until `leave`."""
        follower = Follower(pane)
        self._followers.append(follower)
        return follower

    def leave(self, follower: Follower) -> None:
        self._followers.remove(follower)

    def publish(self, event: Event) -> None:
        for follower in self._followers:
            follower.put(event)

    def close(self) -> None:
        """The server stops."""
        for follower in self._followers:
            follower.end()
