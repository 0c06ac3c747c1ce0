"""When output is fed and when it is drawn: the numbers and the decisions. Pure; `frame_clock.py` obeys.

Rule 1: all panes are drawn together, at most 60 times a second, and drawing takes at most half of the time: what
        is drawn slowly is drawn less often. After a quiet frame the first change is drawn at once.
Rule 2: what the focused pane answers within 50 ms of a key is drawn at once, but not within 4 ms of the last
        drawing; then it waits for the end of these 4 ms and not for the next frame.
Rule 3: while others want the processor, a pane feeds at most 400 KB and 3 ms (with the focus 6 ms) a frame.
Rule 4: within 250 ms of a key a pane without the focus feeds at most 32 KiB a frame, and is drawn at most 30 times
        a second.
Rule 5: from a key until its echo is drawn, but for 50 ms at the most, panes without the focus are neither fed nor
        drawn: the echo finds nobody in its way.
Rule 6: a held screen (synchronized output) is drawn when it is released, or after 150 ms.
"""

from __future__ import annotations

import msgspec

SETTLED_AFTER_S = 1.0
"""By then the first picture is there, on a slow machine too."""
FRAME_S = 1 / 60
TYPING_FRAME_S = 1 / 30
URGENT_FLOOR_S = 0.004
ECHO_S = 0.05
"""An answer that comes later than this after a key is no echo of it."""
ECHO_BYTES = 4096
"""An echo is short; a flood in the focused pane is drawn at the frames."""
HOLD_S = 0.15
SLICE_S = 0.001
"""Feeding gives way to keys after this time."""
FRAME_BYTES = 400_000
FEED_S = 0.003
FOCUSED_FEED_S = 0.006
BUSY_S = 0.1
"""Who had output or a key within this time wants the processor again."""
TYPING_S = 0.25
TYPING_BYTES = 32 << 10
ALONE_BYTES = 4 << 20
"""No limit in practice: a slice ends long before."""


class Meter(msgspec.Struct):
    """What one pane has fed in this frame."""

    fed_bytes: int = 0
    fed_s: float = 0.0
    last_output: float = float("-inf")


def allowance(meter: Meter, *, focused: bool, now: float, last_key: float, others_last_output: float) -> int:
    """How many bytes a pane may feed now; 0 = it waits for the next frame (Rules 3 and 4)."""
    typing = now - last_key < TYPING_S
    if typing and not focused:
        return max(0, TYPING_BYTES - meter.fed_bytes)
    if now - last_key >= BUSY_S and now - others_last_output >= BUSY_S:
        return ALONE_BYTES
    if meter.fed_s >= (FOCUSED_FEED_S if focused else FEED_S):
        return 0
    return max(0, FRAME_BYTES - meter.fed_bytes)


def is_echo(*, focused: bool, fed_bytes: int, now: float, last_key: float) -> bool:
    """Whether this output looks like the answer to a key (Rule 2)."""
    return focused and fed_bytes <= ECHO_BYTES and now - last_key <= ECHO_S


class Drawing(msgspec.Struct, frozen=True, kw_only=True):
    """The last one."""

    began: float = float("-inf")
    took: float = 0.0


def draw_echo_at(last: Drawing, *, now: float) -> float:
    """When to draw an echo that is there now (Rule 2)."""
    return max(now, last.began + URGENT_FLOOR_S)


def draw_at(last: Drawing, *, now: float, focused: bool, last_key: float) -> float:
    """When to draw what has changed in a pane now (Rules 1 and 4)."""
    typing = now - last_key < TYPING_S and not focused
    return max(now, last.began + max(TYPING_FRAME_S if typing else FRAME_S, 2 * last.took))
