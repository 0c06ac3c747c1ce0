"""What one UI is sent of one pane, and when: flow control as a machine without sockets and timers.

Rule 1: a frame is sent when nothing is unacknowledged, or when it fits into the window; else it is queued.
Rule 2: what the UI has fed is acknowledged, snapshots included; then as much of the queue goes as fits.
Rule 3: a channel whose queue is over its limit wants the program paused, as long as its UI is live.
Rule 4: a UI that acknowledges nothing for the stall time is stale: its queue is dropped, and nothing is
queued for it any more.
Rule 5: a stale channel that has everything acknowledged wants one fresh snapshot, and goes on from there.

A new channel is stale with nothing unacknowledged, so that it begins with a snapshot by rule 5.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from orca_tui.wire import COUNTED, WINDOW_BYTES, FrameKind

QUEUE_BYTES = 64 << 10
"""Beyond it the program is paused; it is bounded above by that plus one read."""
RESUME_BYTES = QUEUE_BYTES // 2
STALL_S = 0.1
"""A UI that draws 60 frames a second and acknowledges each of them is never silent for so long."""

SendFrame = Callable[[FrameKind, bytes], None]


class Channel:
    """One UI's view of one pane. Times are monotonic seconds, given by the caller."""

    def __init__(self, send: SendFrame) -> None:
        self._send = send
        self._queue: deque[tuple[FrameKind, bytes]] = deque()
        self._progress_at = 0.0
        self.queued_bytes = 0
        self.unacked_bytes = 0
        self.stale = True

    @property
    def wants_snapshot(self) -> bool:
        """Rule 5."""
        return self.stale and self.unacked_bytes == 0

    def live(self, now: float) -> bool:
        """The UI is not behind, or has acknowledged something lately."""
        return self.unacked_bytes == 0 or now < self._progress_at + STALL_S

    def wants_pause(self, now: float) -> bool:
        """Rule 3."""
        return self.queued_bytes > QUEUE_BYTES and self.live(now)

    def may_resume(self, now: float) -> bool:
        """Nothing of this channel keeps a paused program paused."""
        return self.queued_bytes <= RESUME_BYTES or not self.live(now)

    def stalls_at(self) -> float | None:
        """When rule 4 comes to hold if nothing is acknowledged until then; None while nothing is queued."""
        return self._progress_at + STALL_S if self._queue else None

    def offer(self, kind: FrameKind, payload: bytes, now: float) -> None:
        """Send a frame, queue it, or leave it to the next snapshot."""
        if self.stale:
            return
        if self._queue or not self._fits(kind, payload):
            self._queue.append((kind, payload))
            self.queued_bytes += _counted(kind, payload)
            return
        self._pass(kind, payload, now)

    def begin(self, snapshot: bytes, now: float) -> None:
        """Start over from a snapshot, which stands for everything that was offered before."""
        self._forget_queue()
        self.stale = False
        self._pass(FrameKind.SNAPSHOT, snapshot, now)

    def acked(self, count: int, now: float) -> None:
        """The UI has fed so many bytes."""
        self.unacked_bytes = max(0, self.unacked_bytes - count)
        self._progress_at = now
        while self._queue and self._fits(*self._queue[0]):
            kind, payload = self._queue.popleft()
            self.queued_bytes -= _counted(kind, payload)
            self._pass(kind, payload, now)

    def drop_if_stalled(self, now: float) -> bool:
        """Rule 4; True when the channel has just become stale."""
        if not self._queue or self.live(now):
            return False
        self._forget_queue()
        self.stale = True
        return True

    def _fits(self, kind: FrameKind, payload: bytes) -> bool:
        size = _counted(kind, payload)
        return not size or not self.unacked_bytes or self.unacked_bytes + size <= WINDOW_BYTES

    def _pass(self, kind: FrameKind, payload: bytes, now: float) -> None:
        size = _counted(kind, payload)
        if size and not self.unacked_bytes:
            self._progress_at = now
        self.unacked_bytes += size
        self._send(kind, payload)

    def _forget_queue(self) -> None:
        self._queue.clear()
        self.queued_bytes = 0


def _counted(kind: FrameKind, payload: bytes) -> int:
    return len(payload) if kind in COUNTED else 0
