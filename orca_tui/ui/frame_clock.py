"""One clock for all panes: feeds them in turn, draws them together, and has them acknowledged.

The rules are in `pacing.py`. Knows no widget and no connection: it calls what it was handed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from orca_tui.base.clock import Clock
from orca_tui.base.errors import OrcaError
from orca_tui.base.timers import Timer
from orca_tui.ui import pacing
from orca_tui.wire import WINDOW_BYTES

ACKNOWLEDGE_AT_BYTES = WINDOW_BYTES // 4
"""Acknowledged at once; less waits for the frame. Waiting for the whole window would stop the stream."""


class Scheduler(Protocol):
    """What of an event loop is needed."""

    def call_soon(self, callback: Callable[[], object]) -> Timer: ...

    def call_later(self, delay: float, callback: Callable[[], object]) -> Timer: ...


class Paced(Protocol):
    """A pane as the clock sees it (`pane_model.py`)."""

    due: int

    @property
    def waiting(self) -> bool: ...

    @property
    def hold_ends(self) -> float | None: ...

    def feed(self, limit_bytes: int, until: float) -> int: ...

    def take(self, now: float) -> bool: ...


class FrameClock:
    """`draw` is handed the panes that changed, `acknowledge` one pane whose fed bytes are due.

    `failed` is told of a stream that cannot be read: no pane of this server can be trusted then.
    """

    def __init__(
        self,
        clock: Clock,
        scheduler: Scheduler,
        *,
        draw: Callable[[list[Paced]], None],
        acknowledge: Callable[[Paced], None],
        failed: Callable[[OrcaError], None],
    ) -> None:
        self._clock = clock
        self._scheduler = scheduler
        self._draw = draw
        self._acknowledge = acknowledge
        self._failed = failed
        self._meters: dict[Paced, pacing.Meter] = {}
        self._focused: Paced | None = None
        self._last_key = float("-inf")
        self._last_drawing = pacing.Drawing()
        self._dirty: set[Paced] = set()
        self._pumps: dict[Paced, Timer] = {}
        self._blocked: set[Paced] = set()
        """Panes with frames to feed that wait for the next frame."""
        self._tick: Timer | None = None
        self._tick_at = 0.0
        self._urgent: Timer | None = None
        self._soon: set[Paced] = set()
        """Panes that are drawn at the end of the floor (Rule 2)."""
        self._echo_overdue: Timer | None = None
        """Set while the echo of a key is awaited: then panes without the focus wait (Rule 5)."""

    def focus(self, pane: Paced | None) -> None:
        """Say which pane has the keyboard."""
        self._focused = pane

    def key_pressed(self, pane: Paced) -> None:
        """A key went to a pane; one without the focus, as under the wheel, answers at the frames like any other.

        While a key is without an echo, another one does not prolong the wait.
        """
        if pane is not self._focused:
            return
        self._last_key = self._clock.monotonic()
        if self._echo_overdue is None:
            self._echo_overdue = self._scheduler.call_later(pacing.ECHO_S, self._await_no_echo)

    def arrived(self, pane: Paced) -> None:
        """Frames arrived for a pane."""
        meter = self._meters.get(pane)
        if meter is None:
            meter = self._meters[pane] = pacing.Meter()
        meter.last_output = self._clock.monotonic()
        if pane not in self._pumps and pane not in self._blocked:
            self._pump(pane)

    def changed(self, pane: Paced) -> None:
        """A pane looks different without new output: it was scrolled."""
        self._mark(pane, urgent=True)

    def forget(self, pane: Paced) -> None:
        """The pane is not on screen any more."""
        if (timer := self._pumps.pop(pane, None)) is not None:
            timer.cancel()
        self._meters.pop(pane, None)
        for waiting in (self._dirty, self._blocked, self._soon):
            waiting.discard(pane)
        if self._focused is pane:
            self._focused = None

    def close(self) -> None:
        """Stop everything that is scheduled."""
        for timer in (*self._pumps.values(), self._tick, self._urgent, self._echo_overdue):
            if timer is not None:
                timer.cancel()
        self._pumps.clear()
        self._tick = self._urgent = self._echo_overdue = None

    def _pump(self, pane: Paced) -> None:
        """Feed one slice; go on soon, or at the next frame when the pane's allowance is used up."""
        self._pumps.pop(pane, None)
        if self._waits(pane):
            self._blocked.add(pane)
            return
        meter = self._meters[pane]
        started = self._clock.monotonic()
        allowed = self._allowance(pane, meter, started)
        if allowed <= 0:
            self._blocked.add(pane)
            self._mark(pane, urgent=False)
            return
        try:
            fed = pane.feed(allowed, started + pacing.SLICE_S)
        except OrcaError as error:
            self._failed(error)
            return
        now = self._clock.monotonic()
        meter.fed_bytes += fed
        meter.fed_s += now - started
        if pane.due >= ACKNOWLEDGE_AT_BYTES:
            self._acknowledge(pane)
        if pane.waiting:
            self._pump_soon(pane)
        focused = pane is self._focused
        echo = pacing.is_echo(focused=focused, fed_bytes=fed, now=now, last_key=self._last_key)
        self._mark(pane, urgent=echo)

    def _pump_soon(self, pane: Paced) -> None:
        self._pumps[pane] = self._scheduler.call_soon(lambda: self._pump(pane))

    def _allowance(self, pane: Paced, meter: pacing.Meter, now: float) -> int:
        others = (one.last_output for other, one in self._meters.items() if other is not pane)
        return pacing.allowance(
            meter,
            focused=pane is self._focused,
            now=now,
            last_key=self._last_key,
            others_last_output=max(others, default=float("-inf")),
        )

    def _waits(self, pane: Paced) -> bool:
        """Rule 5."""
        return self._echo_overdue is not None and pane is not self._focused

    def _await_no_echo(self) -> None:
        """The echo is drawn, or there is none: everybody is fed at once, so that no stream looks stalled."""
        if self._echo_overdue is not None:
            self._echo_overdue.cancel()
            self._echo_overdue = None
        for pane in self._dirty:
            self._tick_for(pane)
        self._begin_frame()

    def _mark(self, pane: Paced, *, urgent: bool) -> None:
        self._dirty.add(pane)
        if not urgent:
            self._tick_for(pane)
            return
        now = self._clock.monotonic()
        at = pacing.draw_echo_at(self._last_drawing, now=now)
        if at <= now:
            self._flush({pane}, now)
            return
        self._soon.add(pane)
        if self._urgent is None:
            self._urgent = self._scheduler.call_later(at - now, self._on_urgent)

    def _tick_for(self, pane: Paced) -> None:
        """Have the next frame begin when the pane may be drawn, or earlier."""
        if self._waits(pane):
            return
        now = self._clock.monotonic()
        focused = pane is self._focused
        self._tick_by(
            pacing.draw_at(self._last_drawing, now=now, focused=focused, last_key=self._last_key), now
        )

    def _tick_by(self, at: float, now: float) -> None:
        if self._tick is not None:
            if self._tick_at <= at:
                return
            self._tick.cancel()
        self._tick_at = at
        if at <= now:
            self._tick = self._scheduler.call_soon(self._on_tick)
        else:
            self._tick = self._scheduler.call_later(at - now, self._on_tick)

    def _on_urgent(self) -> None:
        self._urgent = None
        soon, self._soon = self._soon & self._dirty, set()
        self._flush(soon, self._clock.monotonic())

    def _on_tick(self) -> None:
        self._tick = None
        self._flush({pane for pane in self._dirty if not self._waits(pane)}, self._clock.monotonic())
        self._begin_frame()

    def _flush(self, panes: set[Paced], now: float) -> None:
        """Draw what changed; a held pane is looked at again when its time is over."""
        self._dirty -= panes
        ready = [pane for pane in panes if pane.take(now)]
        if ready:
            self._draw(ready)
            self._last_drawing = pacing.Drawing(began=now, took=self._clock.monotonic() - now)
        for pane in panes:  # Behind the drawing: nobody waits for it.
            if pane.due:
                self._acknowledge(pane)
        held = {pane: ends for pane in panes if (ends := pane.hold_ends) is not None and ends > now}
        if held:
            self._dirty |= held.keys()
            self._tick_by(min(held.values()), now)
        if self._focused in ready and self._echo_overdue is not None:
            self._await_no_echo()

    def _begin_frame(self) -> None:
        """Allowances start anew, and who waited goes on."""
        for meter in self._meters.values():
            meter.fed_bytes, meter.fed_s = 0, 0.0
        blocked, self._blocked = self._blocked, set()
        for pane in blocked:
            self._pump_soon(pane)
