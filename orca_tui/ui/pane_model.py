"""What this UI knows of one pane's screen: its engine, its rows as strips, and what it has to acknowledge.

It outlives widgets and channels, draws nothing and sends nothing. The stream is applied in its order, so the
engine here is equal to the server's; its answers to the child's queries are thrown away.
"""

from __future__ import annotations

import asyncio
from collections import deque

from rich.cells import cell_len
from textual.strip import Strip

from orca_tui.base.clock import Clock
from orca_tui.base.errors import Invalid
from orca_tui.term.engine import Cursor, EngineFactory, InputModes, Row, RowMarks, TerminalEngine
from orca_tui.ui.copying.paper import Paper
from orca_tui.ui.frozen_pane import FrozenPane, url_at
from orca_tui.ui.pacing import FRAME_S, HOLD_S
from orca_tui.ui.selection import Spot
from orca_tui.ui.term_strip import StripMaker
from orca_tui.wire import COUNTED, SIZE, Exited, FrameKind, decode

BEGIN_HOLD = b"\x1b[?2026h"
"""Starts synchronized output: what the child drew before it is a whole picture."""

WITH_HISTORY = 1
"""The flag byte of a SNAPSHOT that has the scrollback in it."""

HIDDEN = Cursor(x=0, y=0, visible=False, shape="block", blinking=False)
NO_MODES = InputModes()


class PaneModel:
    """One pane, from the moment it was first shown until it is gone."""

    def __init__(self, pane: str, engines: EngineFactory, strip_of: StripMaker, clock: Clock) -> None:
        self.pane = pane
        self.channel: int | None = None
        self.cols = 0
        self.rows = 0
        self.strips: list[Strip] = []
        """What is to be drawn, top first: `rows` strips that are `cols` cells wide."""
        self.changed: set[int] = set()
        """Rows of `strips` that nobody has drawn yet."""
        self.cursor = HIDDEN
        """Where the cursor is on `strips`; invisible while the view does not reach down to it."""
        self.exited: Exited | None = None
        self.due = 0
        """Bytes fed and not acknowledged."""
        self.history_here = asyncio.Event()
        self._wanted_offset = 0
        self._drawn_offset = 0
        self._engines = engines
        self._strip_of = strip_of
        self._clock = clock
        self._engine: TerminalEngine | None = None
        self._texts: list[str] = []
        self._frames: deque[tuple[int, bytes]] = deque()
        self._held_since: float | None = None
        self._taken_at = 0.0
        self._all_changed = False

    @property
    def has_history(self) -> bool:
        """The scrollback is in the engine, not only the screen."""
        return self.history_here.is_set()

    # The stream

    def open(self, channel: int) -> None:
        """A new stream begins; the last picture stays until its snapshot is there."""
        self.close()
        self.channel = channel

    def close(self) -> None:
        """The pane is not on screen any more: give the engine back, keep the last picture."""
        self.channel = None
        self._frames.clear()
        self.due = self._wanted_offset = 0
        self.history_here.clear()
        self._held_since = None
        self.cursor = HIDDEN
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def received(self, kind: int, payload: bytes) -> None:
        """Queue one pane frame of this pane's channel."""
        if kind == FrameKind.SNAPSHOT:
            # Whatever waited is in the snapshot, and was sent: so it counts as fed.
            self.due += sum(len(data) for kind, data in self._frames if kind in COUNTED)
            self._frames.clear()
        self._frames.append((kind, payload))

    @property
    def waiting(self) -> bool:
        """Frames are there that were not fed."""
        return bool(self._frames)

    def feed(self, limit_bytes: int, until: float) -> int:
        """Apply frames, at least one, until so many bytes are reached or it is so late; the bytes applied."""
        fed = 0
        while self._frames and fed < limit_bytes:
            kind, payload = self._frames.popleft()
            fed += self._apply(kind, payload)
            if self._clock.monotonic() >= until:
                break
        self.due += fed
        return fed

    def _apply(self, kind: int, payload: bytes) -> int:
        match kind:
            case FrameKind.SNAPSHOT if payload:
                self._restore(payload)
                return len(payload)
            case FrameKind.OUTPUT:
                self._output(payload)
                return len(payload)
            case FrameKind.RESIZED if len(payload) == SIZE.size:
                self._resize(*SIZE.unpack(payload))
                return 0
            case FrameKind.EXITED:
                self.exited = decode(payload, Exited)
                return 0
            case _:
                raise Invalid(f"the server sent a pane frame of kind {kind} that cannot be read")

    def _restore(self, payload: bytes) -> None:
        engine = self._engines.restore(payload[1:])
        if self._engine is not None:
            self._engine.close()
        self._engine = engine
        self.exited = None  # What has ended is told right after.
        if payload[0] & WITH_HISTORY:
            self.history_here.set()
            engine.scroll(self._wanted_offset)
        else:
            self.history_here.clear()
        self.cols, self.rows = engine.cols, engine.rows
        self._held_since = None
        self._all_changed = True

    def _resize(self, cols: int, rows: int) -> None:
        if self._engine is None:
            return
        self._engine.resize(cols, rows)
        self.cols, self.rows = cols, rows
        self._all_changed = True

    def _output(self, data: bytes) -> None:
        """Feed bytes; a picture that is complete when the next one begins is kept (once a frame)."""
        if self._engine is None:
            return
        begin = data.rfind(BEGIN_HOLD)
        if begin > 0 and (now := self._clock.monotonic()) - self._taken_at >= FRAME_S:
            self._engine.apply(data[:begin])
            self.take(now)
            data = data[begin:]
        self._engine.apply(data)

    # The picture

    def take(self, now: float) -> bool:
        """Read what changed, unless the child holds its screen; True when something is to be drawn."""
        if self._engine is None or self._holds(now):
            return bool(self.changed)
        self._taken_at = now
        before = self.cursor, self._drawn_offset
        self.cursor, self._drawn_offset = self._engine.cursor(), self._engine.scroll_offset()
        if self._all_changed:
            self._all_changed = False
            self._take_all(self._engine)
        else:
            for y, row in self._engine.dirty_rows():
                self._take_row(y, row)
        return bool(self.changed) or (self.cursor, self._drawn_offset) != before

    def repicture(self) -> None:
        """What stands for its pictures is another thing now: read all rows again."""
        self._all_changed = True

    @property
    def hold_ends(self) -> float | None:
        """When a held screen is drawn all the same; None while it is not held."""
        return None if self._held_since is None else self._held_since + HOLD_S

    def drawn(self) -> set[int]:
        """The rows to draw now; from here on they count as drawn."""
        changed, self.changed = self.changed, set()
        return changed

    def _holds(self, now: float) -> bool:
        assert self._engine is not None
        if not self._engine.held():
            self._held_since = None
            return False
        if self._held_since is None:
            self._held_since = now
        return now < self._held_since + HOLD_S

    def _take_all(self, engine: TerminalEngine) -> None:
        for _ in engine.dirty_rows():
            pass  # They are clean from here on: all rows are read anyway.
        rows = engine.all_rows()
        self.strips = [self._strip_of(row, self.cols) for row in rows]
        self._texts = [row.text for row in rows]
        self.changed = set(range(len(rows)))

    def _take_row(self, y: int, row: Row) -> None:
        if y < len(self.strips):
            self.strips[y] = self._strip_of(row, self.cols)
            self._texts[y] = row.text
            self.changed.add(y)

    @property
    def first_line(self) -> int:
        """The line of the uppermost drawn row, counted from the oldest row of the scrollback."""
        return max(0, self.scrollback_rows() - self.offset)

    def text_of(self, line: int) -> str:
        """A line's text, wide characters once, trailing blanks kept; empty where there is none."""
        y = line - self.first_line
        if 0 <= y < len(self._texts):
            return self._texts[y]
        return self._text_elsewhere(line)

    def _text_elsewhere(self, line: int) -> str:
        """A line out of view: look there and come back."""
        engine = self._engine
        if engine is None or not 0 <= line < engine.scrollback_rows() + engine.rows:
            return ""
        offset = engine.scroll_offset()
        there = engine.scroll(max(0, engine.scrollback_rows() - line))
        y = line - (engine.scrollback_rows() - there)
        rows = engine.all_rows()
        engine.scroll(offset)
        self._all_changed = True
        return rows[y].text if 0 <= y < len(rows) else ""

    def freeze(self) -> FrozenPane | None:
        """The pane as it is now, in an engine of its own; None while nothing can be held still."""
        snapshot = self._engine.snapshot(with_history=True) if self._engine is not None else None
        return None if snapshot is None else FrozenPane(self._engines.restore(snapshot), self._strip_of)

    def link_at(self, x: int, y: int) -> str:
        """The link at a cell of the view: the program's own (OSC 8), else what reads as one."""
        own = self._engine.link_at(x, y) if self._engine is not None else ""
        if own or not 0 <= y < len(self._texts):
            return own
        full = [row for row, text in enumerate(self._texts) if cell_len(text.rstrip()) >= self.cols]
        return url_at(Paper(self._texts, self.cols, RowMarks(wrapped=tuple(full))), Spot(y, x))

    def modes(self) -> InputModes:
        return self._engine.modes() if self._engine is not None else NO_MODES

    # The scrollback

    def compress(self) -> bool:
        """Compress a part of it; True while there is more to do."""
        return self._engine is not None and self._engine.compress()

    @property
    def offset(self) -> int:
        """How many rows above the newest one the view is; 0 = live. Output grows it: the view stays put."""
        return self._engine.scroll_offset() if self._engine is not None else 0

    def scrollback_rows(self) -> int:
        return self._engine.scrollback_rows() if self._engine is not None else 0

    def scroll_to(self, offset: int) -> bool:
        """Show the view so many rows above the newest; True when the scrollback must be asked for first."""
        self._wanted_offset = max(0, offset)
        if self._engine is None:
            return False
        before = self._engine.scroll_offset()
        reached = self._engine.scroll(self._wanted_offset)
        if reached != before:
            self._all_changed = True
        return reached < self._wanted_offset and not self.has_history
