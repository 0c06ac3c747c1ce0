"""The frames of one pane to all UIs that show it: order, pace, fresh starts. Knows no engine and no socket.

Rule 6: the program is paused while a live UI wants that, and runs on as soon as none does: a stalled UI stops
neither the program nor other UIs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec

from orca_tui.base.clock import Clock
from orca_tui.base.timers import CallLater, Timer
from orca_tui.server.channel import Channel, SendFrame
from orca_tui.wire import OUTPUT_FRAME_BYTES, SIZE, Exited, FrameKind

READY_ONLY, WITH_HISTORY = b"\x00", b"\x01"


class StreamSource(Protocol):
    """What streams need of their pane."""

    def snapshot(self, *, with_history: bool) -> bytes | None:
        """The engine's state; None while none can be taken."""
        ...

    def pause(self) -> None:
        """Stop reading the program's output."""
        ...

    def resume(self) -> None: ...


class PaneStreams:
    """All channels of one pane."""

    def __init__(self, source: StreamSource, clock: Clock, call_later: CallLater) -> None:
        self._source = source
        self._clock = clock
        self._call_later = call_later
        self._channels: dict[Channel, Callable[[], None]] = {}
        """With what to call when the pane is gone."""
        self._paused = False
        self._exited: bytes | None = None
        self._timer: Timer | None = None

    def open(self, send: SendFrame, ended: Callable[[], None] = lambda: None) -> Channel:
        """Begin to send to a UI or another reader, with a snapshot; `ended` is called when the pane is gone."""
        channel = Channel(send)
        self._channels[channel] = ended
        self._freshen(channel, self._clock.monotonic())
        return channel

    def close(self, channel: Channel) -> None:
        """Send nothing more; what it held up goes on. After `stop` there is nothing to close."""
        if self._channels.pop(channel, None) is not None:
            self._regulate(self._clock.monotonic())

    def output(self, data: bytes) -> None:
        """Bytes that the pane's engine has applied."""
        if not self._channels or not data:
            return
        now = self._clock.monotonic()
        for start in range(0, len(data), OUTPUT_FRAME_BYTES):
            piece = data[start : start + OUTPUT_FRAME_BYTES]
            for channel in self._channels:
                channel.offer(FrameKind.OUTPUT, piece, now)
        self._regulate(now)

    def resized(self, cols: int, rows: int) -> None:
        """The pane's engine has another size now."""
        self._offer(FrameKind.RESIZED, SIZE.pack(cols, rows))

    def exited(self, exit_code: int) -> None:
        """The program ended; its screen stays."""
        self._exited = msgspec.msgpack.encode(Exited(exit_code=exit_code))
        self._offer(FrameKind.EXITED, self._exited)

    def started(self) -> None:
        """A program runs again: everybody begins anew with the screen as it is."""
        self._exited = None
        now = self._clock.monotonic()
        for channel in self._channels:
            self._freshen(channel, now)

    def acked(self, channel: Channel, count: int) -> None:
        """A UI has fed bytes of its channel."""
        now = self._clock.monotonic()
        channel.acked(count, now)
        self._regulate(now)

    def send_history(self, channel: Channel) -> None:
        """Start a channel over from a snapshot with scrollback."""
        self._freshen(channel, self._clock.monotonic(), with_history=True)

    def stop(self) -> None:
        """The pane is gone."""
        channels, self._channels = self._channels, {}
        self._cancel_timer()
        for ended in channels.values():
            ended()

    def _offer(self, kind: FrameKind, payload: bytes) -> None:
        now = self._clock.monotonic()
        for channel in self._channels:
            channel.offer(kind, payload, now)

    def _freshen(self, channel: Channel, now: float, *, with_history: bool = False) -> None:
        snapshot = self._source.snapshot(with_history=with_history)
        if snapshot is None:
            return  # A sequence without end is open; the next output tries again.
        channel.begin((WITH_HISTORY if with_history else READY_ONLY) + snapshot, now)
        if self._exited is not None:
            channel.offer(FrameKind.EXITED, self._exited, now)

    def _regulate(self, now: float) -> None:
        """Rules 3 to 6, after anything that can bring them about."""
        for channel in self._channels:
            channel.drop_if_stalled(now)
            if channel.wants_snapshot:
                self._freshen(channel, now)
        if not self._paused and any(channel.wants_pause(now) for channel in self._channels):
            self._paused = True
            self._source.pause()
        elif self._paused and all(channel.may_resume(now) for channel in self._channels):
            self._paused = False
            self._source.resume()
        self._watch_for_stalls(now)

    def _watch_for_stalls(self, now: float) -> None:
        """One timer while something is queued, none otherwise."""
        if self._timer is not None:
            return
        times = [at for channel in self._channels if (at := channel.stalls_at()) is not None]
        if times:
            delay = max(0.0, min(times) - now)
            self._timer = self._call_later(delay, self._look_for_stalls)

    def _look_for_stalls(self) -> None:
        self._timer = None
        self._regulate(self._clock.monotonic())

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
