"""The connection to the server: what it tells goes to the app, pane frames go to their models, input goes out.

Rule 1: frames of a channel that is not ours any more are forgotten; the server does not count them.
Rule 2: input for a pane waits until the server knows its channel, so that none is lost between two views; what a
server that is gone had not taken waits for the next one (`input_line.py`).
Rule 3: a pane without a channel takes no input: nobody could see what it does.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from typing import TypeAlias, TypeVar

import msgspec

from orca_tui.base.clock import Clock
from orca_tui.base.errors import NotFound, OrcaError, ServerUnavailable
from orca_tui.client.asynchronous import AsyncClient, PaneFrameHandler
from orca_tui.commands.spec import Command
from orca_tui.commands.ui import (
    ATTACH,
    HISTORY,
    VIEW,
    AttachRequest,
    HistoryRequest,
    OuterColors,
    ViewRequest,
)
from orca_tui.term.engine import EngineFactory
from orca_tui.term.input_events import InputEvent
from orca_tui.ui.frame_clock import FrameClock, Paced
from orca_tui.ui.input_line import InputLine
from orca_tui.ui.pane_model import PaneModel
from orca_tui.ui.resting import Resting
from orca_tui.ui.term_strip import StripMaker
from orca_tui.wire import COUNT, FrameKind, PaneView, UiItem

Q = TypeVar("Q", bound=msgspec.Struct)
R = TypeVar("R", bound=msgspec.Struct)

Connector: TypeAlias = Callable[[PaneFrameHandler], Awaitable[AsyncClient]]
"""Connects to the server with the engine's build; pane frames go to the handler."""

HISTORY_S = 2.0
"""The longest scrollback is some megabytes, and half a second on a slow machine."""

Size: TypeAlias = tuple[int, int]
"""Columns, rows."""


class Link:
    """One attached connection. `draw` is handed the models that changed; `failed` ends the UI; `dropped` is called
    for input that is lost."""

    def __init__(
        self,
        *,
        engines: EngineFactory,
        strips_of: Callable[[str], StripMaker],
        clock: Clock,
        draw: Callable[[list[PaneModel]], None],
        failed: Callable[[OrcaError], None],
        dropped: Callable[[], None],
    ) -> None:
        self._engines = engines
        self._strips_of = strips_of
        self._clock = clock
        self._failed = failed
        self._client: AsyncClient | None = None
        self._models: dict[str, PaneModel] = {}
        self._by_channel: dict[int, PaneModel] = {}
        self._last_channel = 0
        self._known: set[int] = set()
        """Channels that the server has confirmed."""
        self._line = InputLine(dropped=dropped)
        self._view = ViewRequest(panes=())
        self._view_changed = asyncio.Event()
        self.frames = FrameClock(
            clock,
            asyncio.get_running_loop(),
            draw=lambda panes: draw([pane for pane in panes if isinstance(pane, PaneModel)]),
            acknowledge=self._acknowledge,
            failed=failed,
        )
        self._resting = Resting(clock, asyncio.get_running_loop())

    async def connect(self, connector: Connector) -> None:
        """Say hello, for the first time or after `lost`; raises what the server refuses with."""
        self._client = await connector(self._frame_arrived)

    def show_again(self) -> None:
        """Tell a new server, to which this UI is attached by now, what is on screen."""
        self._view_changed.set()

    def lost(self) -> None:
        """The server is gone: the last pictures stay, and input waits for the next one (Rule 2)."""
        if self._client is not None:
            self._client.close()
        self._known.clear()
        self._line.server_lost()
        for channel, model in self._by_channel.items():
            self.frames.forget(model)
            model.open(channel)

    @property
    def client(self) -> AsyncClient:
        if self._client is None:
            raise ServerUnavailable("there is no connection to a server")
        return self._client

    async def items(self, cols: int, rows: int) -> AsyncIterator[UiItem]:
        """Everything there is to show, as it happens; raises `ServerUnavailable` when the server is gone."""
        async for item in self.client.stream(ATTACH, AttachRequest(cols=cols, rows=rows)):
            yield item.item

    async def call(self, command: Command[Q, R], request: Q) -> R:
        """Run a command; raises its error."""
        return await self.client.call(command, request)

    def close(self) -> None:
        """Draw nothing more and hang up."""
        self.frames.close()
        self._resting.close()
        for model in self._models.values():
            self._end(model)
        if self._client is not None:
            self._client.close()

    # What is on screen

    def model(self, pane: str) -> PaneModel:
        """The model of a pane, made when it is first asked for."""
        if pane not in self._models:
            self._models[pane] = PaneModel(pane, self._engines, self._strips_of(pane), self._clock)
        return self._models[pane]

    def known_panes(self) -> set[str]:
        """The panes that have a model."""
        return set(self._models)

    def forget(self, pane: str) -> None:
        """The pane is gone."""
        if (model := self._models.pop(pane, None)) is not None:
            self._end(model)

    def show(self, sizes: Mapping[str, Size], *, focused: str | None, terminal_focused: bool) -> None:
        """Have these panes, with that room, on screen from now on; equal to before: nothing happens."""
        for pane in [model.pane for model in self._by_channel.values() if model.pane not in sizes]:
            self._end(self._models[pane])
        views = tuple(self._begin(pane, size) for pane, size in sizes.items())
        self.frames.focus(self._models.get(focused) if focused else None)
        self._tell(
            ViewRequest(
                panes=views,
                focused=focused,
                terminal_focused=terminal_focused,
                colors=self._view.colors,
                pictures=self._view.pictures,
            )
        )

    def tell_pictures(self) -> None:
        """The outer terminal shows pictures."""
        self._tell(msgspec.structs.replace(self._view, pictures=True))
        for pane in self._models:
            self.repicture(pane)

    def repicture(self, pane: str) -> None:
        """Draw a pane anew whose pictures are others now."""
        if (model := self._models.get(pane)) is not None:
            model.repicture()
            self.frames.changed(model)

    def tell_colors(self, colors: OuterColors) -> None:
        """The outer terminal has these default colors."""
        self._tell(msgspec.structs.replace(self._view, colors=colors))

    def _tell(self, view: ViewRequest) -> None:
        if view != self._view:
            self._view = view
            self._view_changed.set()

    def _begin(self, pane: str, size: Size) -> PaneView:
        model = self.model(pane)
        if model.channel is None:
            self._last_channel += 1
            model.open(self._last_channel)
            self._by_channel[self._last_channel] = model
        assert model.channel is not None
        return PaneView(pane=pane, channel=model.channel, cols=size[0], rows=size[1])

    def _end(self, model: PaneModel) -> None:
        if model.channel is not None:
            self._by_channel.pop(model.channel, None)
            self._known.discard(model.channel)
        self.frames.forget(model)
        self._resting.forget(model)
        model.close()

    async def tell_views(self) -> None:
        """Tell the server what is on screen each time that changes; one at a time, the newest only."""
        while True:
            await self._view_changed.wait()
            self._view_changed.clear()
            view = self._view
            try:
                await self.call(VIEW, view)
            except NotFound:
                continue  # A pane was closed meanwhile; the layout that says so is on its way.
            except ServerUnavailable:
                continue  # The next server is told.
            except OrcaError as error:
                self._failed(error)
                return
            self._known = {one.channel for one in view.panes if one.channel in self._by_channel}
            self._line.flush(self._known, self._by_channel, self._send_input)

    # Pane frames

    def _frame_arrived(self, kind: int, channel: int, payload: bytes) -> None:
        if kind == FrameKind.TAKEN:
            self._line.taken(channel)
            return
        model = self._by_channel.get(channel)
        if model is not None:
            model.received(kind, payload)
            self.frames.arrived(model)
            self._resting.spoke(model)

    def _acknowledge(self, pane: Paced) -> None:
        assert isinstance(pane, PaneModel)
        due, pane.due = pane.due, 0
        if pane.channel is not None:
            self.client.send(FrameKind.ACK, pane.channel, COUNT.pack(due))

    # Input

    def input(self, pane: str, event: InputEvent) -> None:
        """Send what a person did to a pane that is on screen."""
        model = self._models.get(pane)
        if model is not None and model.channel is not None:
            payload = msgspec.msgpack.encode(event)
            if model.channel in self._known:
                self._send_input(model.channel, payload)
            else:
                self._line.wait(model.channel, payload)

    def _send_input(self, channel: int, payload: bytes) -> None:
        self._line.sent(channel, payload)
        self.client.send(FrameKind.INPUT, channel, payload)

    async def whole_model(self, pane: str) -> PaneModel:
        """A pane's model once its scrollback is in it; as it is when that takes longer than `HISTORY_S`."""
        model = self.model(pane)
        if not model.has_history:
            await self.ask_history(model)
            with suppress(TimeoutError):
                async with asyncio.timeout(HISTORY_S):
                    await model.history_here.wait()
        return model

    async def ask_history(self, model: PaneModel) -> None:
        """Have a pane's snapshot sent again with its scrollback."""
        if model.channel is None or model.channel not in self._known:
            return
        try:
            await self.call(HISTORY, HistoryRequest(channel=model.channel))
        except (NotFound, ServerUnavailable):
            return  # The pane was closed meanwhile, or a new server sends everything anew.
        except OrcaError as error:
            self._failed(error)
