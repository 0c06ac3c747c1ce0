"""Hands what was decoded to Textual, in the order in which it was done. Knows no terminal and no pane.

Rule 1: what is typed behind a mouse event waits until that has been dealt with. It goes from queue to queue: the app's,
the widget's, and what it means back up to the app's. A key would overtake it, and reach the pane that a click leaves,
or a program before the click that was made first.
Rule 2: what is never dealt with holds nothing up for longer than `MOUSE_LIMIT_S`.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from textual import events
from textual.app import App, ScreenStackError
from textual.errors import NoWidget
from textual.message import Message
from textual.message_pump import MessagePump
from textual.widget import Widget

from orca_tui.term.input_decoder import Decoded
from orca_tui.ui.input_messages import InputMessages, UnboundKey

MOUSE_LIMIT_S = 0.5
"""Many times what an app that is not stuck takes; one that is does not take the keys either."""


class Delivery:
    """Of one driver. `post` hands a message to the app, `post_mouse` a mouse event."""

    def __init__(
        self,
        app: App[Any],
        *,
        post: Callable[[Message], object],
        post_mouse: Callable[[events.MouseEvent], object],
    ) -> None:
        self._app = app
        self._post = post
        self._post_mouse = post_mouse
        self._messages = InputMessages()
        self._decoded: list[Decoded] = []
        self._waiting: deque[Message] = deque()
        self._touched: dict[Widget, None] = {}
        """Who got mouse events that may be under way still, in order."""
        self._touched_at = 0.0
        """Loop time of the last one."""
        self._way: Iterator[MessagePump] | None = None
        """The queues that are waited for; None: nothing waits."""
        self._limit: asyncio.TimerHandle | None = None

    def take(self, decoded: list[Decoded]) -> None:
        """Hand it on, now or when its turn comes."""
        self._decoded += decoded
        self._go_on()

    def drop(self) -> None:
        """Forget what waits: the terminal is somebody else's."""
        self._decoded.clear()
        self._waiting.clear()
        self._touched.clear()
        self._arrive()

    def _go_on(self) -> None:
        while self._way is None and (self._waiting or self._decoded):
            if not self._waiting:
                # Only now, so that of movements that came meanwhile the last is told.
                self._waiting.extend(self._messages.translate(self._decoded))
                self._decoded = []
            elif self._touched and not isinstance(self._waiting[0], events.MouseEvent):
                self._wait_for_mouse()
            else:
                self._hand_on(self._waiting.popleft())

    def _hand_on(self, message: Message) -> None:
        match message:
            case UnboundKey():
                # Textual sends unknown events to the screen; a callback keeps its place among the keys.
                self._post(events.Callback(callback=lambda: self._to_focused(message)))
            case events.MouseEvent():
                self._touch(message)
                self._post_mouse(message)
            case _:
                self._post(message)

    def _to_focused(self, message: UnboundKey) -> None:
        (self._app.focused or self._app.screen).post_message(message)

    def _touch(self, event: events.MouseEvent) -> None:
        widget = self._app.mouse_captured
        with suppress(NoWidget, ScreenStackError):
            widget = widget or self._app.screen.get_widget_at(event.x, event.y)[0]
        if widget is not None:
            self._touched[widget] = None
            self._touched_at = asyncio.get_running_loop().time()

    def _wait_for_mouse(self) -> None:
        """Rule 1: through the queues of events, and then through those of what the widgets tell of them."""
        loop = asyncio.get_running_loop()
        touched, self._touched = self._touched, {}
        if loop.time() - self._touched_at < MOUSE_LIMIT_S:
            queues = (queue for widget in touched for queue in (widget, widget, *widget.ancestors))
            way = self._way = itertools.chain([self._app], queues)
            self._limit = loop.call_later(MOUSE_LIMIT_S, self._follow, way, True)
            self._follow(way)

    def _follow(self, way: Iterator[MessagePump], too_long: bool = False) -> None:
        """Go through the next queue, behind what is in it; one that is closed has nothing in it."""
        if way is not self._way:
            return
        if not too_long and any(queue.call_later(self._follow, way) for queue in way):
            return
        self._arrive()
        self._go_on()

    def _arrive(self) -> None:
        self._way = None
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
