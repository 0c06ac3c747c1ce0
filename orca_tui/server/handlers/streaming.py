"""stream: a pane's frames for readers without our engine. The flow control is that of the UIs' channels."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator

import msgspec

from orca_tui.commands.stream import (
    STREAM,
    ExitedFrame,
    OutputFrame,
    PaneFrame,
    ResizedFrame,
    ScreenFrame,
    StreamItem,
    StreamRequest,
)
from orca_tui.server.dispatch import Caller
from orca_tui.server.handlers.handler import AnyHandler, Stream
from orca_tui.server.panes import Pane
from orca_tui.server.session import Session
from orca_tui.wire import SIZE, Exited, FrameKind


def handlers(session: Session) -> tuple[AnyHandler, ...]:
    return (Stream(STREAM, Streaming(session).stream),)


class Streaming:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def stream(self, request: StreamRequest, _: Caller) -> AsyncGenerator[StreamItem, None]:
        """Ends with the pane. A frame counts as fed when the reader asks for the next one."""
        pane = self._session.pane(request.pane)
        waiting = WaitingFrames(pane)
        channel = pane.streams.open(waiting.put, waiting.end)
        try:
            while (arrived := await waiting.next()) is not None:
                frame, counted_bytes = arrived
                yield StreamItem(frame=frame)
                if counted_bytes and not pane.closed:
                    pane.streams.acked(channel, counted_bytes)
        finally:
            if not pane.closed:
                pane.streams.close(channel)


class WaitingFrames:
    """Frames that the reader has not asked for yet; the channel's window keeps them few."""

    def __init__(self, pane: Pane) -> None:
        self._pane = pane
        self._frames: deque[tuple[PaneFrame, int]] = deque()
        self._changed = asyncio.Event()
        self._ended = False

    def put(self, kind: FrameKind, payload: bytes) -> None:
        self._frames.append(self._frame(kind, payload))
        self._changed.set()

    def end(self) -> None:
        self._ended = True
        self._changed.set()

    async def next(self) -> tuple[PaneFrame, int] | None:
        """The next frame and the bytes to acknowledge for it; None after the end."""
        while not self._frames:
            if self._ended:
                return None
            self._changed.clear()
            await self._changed.wait()
        return self._frames.popleft()

    def _frame(self, kind: FrameKind, payload: bytes) -> tuple[PaneFrame, int]:
        match kind:
            case FrameKind.SNAPSHOT:
                engine = self._pane.engine
                # In place of the snapshot, which only our engine reads, at the same place of the stream.
                return ScreenFrame(cols=engine.cols, rows=engine.rows, data=engine.vt_text()), len(payload)
            case FrameKind.OUTPUT:
                return OutputFrame(data=payload), len(payload)
            case FrameKind.RESIZED:
                cols, rows = SIZE.unpack(payload)
                return ResizedFrame(cols=cols, rows=rows), 0
            case FrameKind.EXITED:
                return ExitedFrame(exit_code=msgspec.msgpack.decode(payload, type=Exited).exit_code), 0
            case _:
                raise AssertionError(f"{kind!r} is no frame of a pane")
