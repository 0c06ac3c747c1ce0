"""Input on its way to the server: what waits, and what was sent without word that it was taken. Sends nothing.

Rule 1: what a server has not taken when it goes is given to the next one, before what was typed meanwhile.
Rule 2: what has been taken is never given again: a key that is lost is better than one that comes twice.
Rule 3: an event belongs to its channel, and so to its pane; it never gets into another one.
Rule 4: more than `MOST_EVENTS` do not wait; newer ones are dropped, and it is said so.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection

MOST_EVENTS = 1000
"""Nobody types more into a screen that stands still; a held key repeats 30 times a second."""

Sender = Callable[[int, bytes], None]
"""Takes a channel and an event's bytes."""


class InputLine:
    """Of one UI."""

    def __init__(self, *, dropped: Callable[[], None]) -> None:
        """`dropped` is called, once for each server, when input will reach nobody (Rules 3 and 4)."""
        self._dropped = dropped
        self._waiting: deque[tuple[int, bytes]] = deque()
        self._sent: deque[tuple[int, bytes]] = deque(maxlen=MOST_EVENTS)
        """What a server that takes nothing pushes out of it counts as taken (Rule 2)."""
        self._told = False

    def wait(self, channel: int, event: bytes) -> None:
        """Hold an event until its channel can take it."""
        if len(self._waiting) < MOST_EVENTS:
            self._waiting.append((channel, event))
        else:
            self._drop()

    def sent(self, channel: int, event: bytes) -> None:
        """An event is on its way."""
        self._sent.append((channel, event))

    def taken(self, channel: int) -> None:
        """The server has the oldest event of a channel; they arrive in the order in which they were sent."""
        for at, (of_channel, _) in enumerate(self._sent):
            if of_channel == channel:
                del self._sent[at]
                return

    def server_lost(self) -> None:
        """Rules 1 and 2."""
        self._waiting.extendleft(reversed(self._sent))
        self._sent.clear()
        self._told = False

    def flush(self, ready: Collection[int], open_channels: Collection[int], send: Sender) -> None:
        """Send what waits for channels that are ready; what waits for one that is open stays."""
        waiting, self._waiting = self._waiting, deque()
        for channel, event in waiting:
            if channel in ready:
                send(channel, event)
            elif channel in open_channels:
                self._waiting.append((channel, event))
            else:
                self._drop()

    def _drop(self) -> None:
        if not self._told:
            self._told = True
            self._dropped()
