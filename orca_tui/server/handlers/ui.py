"""ui.attach, ui.view, ui.history, ui.picture: an attached UI. Only on a wire connection, which carries its frames."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from orca_tui.base.errors import Conflict, NotFound, Unsupported
from orca_tui.base.ids import PaneId
from orca_tui.commands.spec import Empty
from orca_tui.commands.ui import (
    ATTACH,
    HISTORY,
    PICTURE,
    VIEW,
    AttachItem,
    AttachRequest,
    HistoryRequest,
    PictureReply,
    PictureRequest,
    ViewRequest,
)
from orca_tui.server.dispatch import Caller
from orca_tui.server.handlers.handler import AnyHandler, Call, Stream
from orca_tui.server.session import Session
from orca_tui.server.uis import NOTHING_SHOWN, Ui, UiCaller, UiSlot
from orca_tui.wire import PaneView, Told

PICTURE_BYTES = 256 << 10
"""Of a picture's data at once: they share the connection with panes, whose echoes do not wait for more."""


def handlers(session: Session) -> tuple[AnyHandler, ...]:
    attaching = Attaching(session)
    return (
        Stream(ATTACH, attaching.attach),
        Call(VIEW, attaching.view),
        Call(HISTORY, attaching.history),
        Call(PICTURE, attaching.picture),
    )


class Attaching:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def attach(self, request: AttachRequest, caller: Caller) -> AsyncGenerator[AttachItem, None]:
        slot = _slot(caller)
        if slot.ui is not None:
            raise Conflict("this connection has attached already")
        ui = slot.ui = Ui(slot.send, request.cols, request.rows)
        self._session.uis.add(ui)
        try:
            yield AttachItem(item=self._session.synced())
            for text in self._session.keeping.notes():
                yield AttachItem(item=Told(text=text))
            while not ui.mailbox.ended:
                items = await ui.mailbox.take()
                for item in [self._session.synced()] if items is None else items:
                    yield AttachItem(item=item)
        finally:
            self._detach(slot, ui)

    async def view(self, request: ViewRequest, caller: Caller) -> Empty:
        ui = _attached(caller)
        if request.terminal_focused:  # A UI that nobody looks at only follows what another one did.
            self._session.uis.use(ui)
        self._show(ui, request)
        return Empty()

    async def history(self, request: HistoryRequest, caller: Caller) -> Empty:
        pane_id, channel = _attached(caller).channels.get(request.channel, (None, None))
        if pane_id is None or channel is None:
            raise NotFound(f"no pane is shown on channel {request.channel}", channel=request.channel)
        self._session.pane(pane_id).streams.send_history(channel)
        return Empty()

    async def picture(self, request: PictureRequest, caller: Caller) -> PictureReply:
        _attached(caller)
        picture = self._session.pane(request.pane).engine.picture(request.image, request.placement)
        if picture is None:
            raise NotFound("no picture is shown there any more", pane=request.pane)
        return PictureReply(
            key=picture.key,
            cols=picture.cols,
            rows=picture.rows,
            source=picture.source,
            format=picture.format,
            compression=picture.compression,
            width=picture.width,
            height=picture.height,
            size=len(picture.data),
            data=picture.data[request.offset : request.offset + PICTURE_BYTES],
        )

    def _show(self, ui: Ui, view: ViewRequest) -> None:
        """Make what the UI is sent what it shows. A pane that was closed meanwhile is left out: the UI is
        about to hear of that."""
        wanted = {one.channel: one for one in view.panes if one.pane in self._session.panes}
        for number, (pane_id, _) in tuple(ui.channels.items()):
            if number not in wanted or wanted[number].pane != pane_id:
                self._hide(ui, number)
        ui.view = view
        self._session.uis_changed()  # Before the first frames, so that a new pane has its size in them.
        for number, one in wanted.items():
            if number not in ui.channels:
                self._open(ui, one)

    def _open(self, ui: Ui, view: PaneView) -> None:
        streams = self._session.panes[PaneId(view.pane)].streams
        ui.channels[view.channel] = (view.pane, streams.open(ui.sender(view.channel)))

    def _hide(self, ui: Ui, number: int) -> None:
        pane_id, channel = ui.channels.pop(number)
        pane = self._session.panes.get(PaneId(pane_id))
        if pane is not None:
            pane.streams.close(channel)

    def _detach(self, slot: UiSlot, ui: Ui) -> None:
        slot.ui = None
        self._session.uis.remove(ui)
        self._show(ui, NOTHING_SHOWN)


def _slot(caller: Caller) -> UiSlot:
    if not isinstance(caller, UiCaller):
        raise Unsupported("a UI attaches over the wire socket")
    return caller.slot


def _attached(caller: Caller) -> Ui:
    ui = _slot(caller).ui
    if ui is None:
        raise Conflict("attach first")
    return ui
