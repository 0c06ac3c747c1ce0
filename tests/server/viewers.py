"""A UI's side of pane streams without a screen: an engine that applies the frames it is sent."""

from __future__ import annotations

from collections import deque

import msgspec

from orca_tui.term.engine import EngineFactory, InputModes, TerminalEngine
from orca_tui.wire import SIZE, Exited, FrameKind, decode

Frame = tuple[int, bytes]


class Viewer:
    """Applies frames, counts what it must acknowledge. `take` queues a frame, `feed` applies what is queued."""

    def __init__(self, engines: EngineFactory) -> None:
        self._engines = engines
        self.waiting: deque[Frame] = deque()
        self.engine: TerminalEngine | None = None
        self.kinds: list[FrameKind] = []
        self.exit_code: int | None = None
        self.has_history = False

    def take(self, kind: int, payload: bytes) -> None:
        self.waiting.append((kind, payload))

    def feed(self, frames: int | None = None) -> int:
        """Apply so many of the frames that wait (None: all); returns the bytes to acknowledge."""
        count = 0
        for _ in range(len(self.waiting) if frames is None else min(frames, len(self.waiting))):
            count += self._apply(*self.waiting.popleft())
        return count

    def _apply(self, kind: int, payload: bytes) -> int:
        self.kinds.append(FrameKind(kind))
        match kind:
            case FrameKind.SNAPSHOT:
                if self.engine is not None:
                    self.engine.close()
                self.engine = self._engines.restore(payload[1:])
                self.has_history = payload[:1] == b"\x01"
                return len(payload)
            case FrameKind.OUTPUT:
                assert self.engine is not None
                self.engine.apply(payload)
                return len(payload)
            case FrameKind.RESIZED:
                assert self.engine is not None
                self.engine.resize(*SIZE.unpack(payload))
                return 0
            case FrameKind.EXITED:
                self.exit_code = decode(payload, Exited).exit_code
                return 0
        raise AssertionError(f"no pane frame: {kind}")


class Shown(msgspec.Struct, frozen=True):
    """What two engines of one pane must have in common."""

    size: tuple[int, int]
    rows: tuple[str, ...]
    cursor: object
    modes: InputModes
    held: bool


def shown(engine: TerminalEngine) -> Shown:
    return Shown(
        size=(engine.cols, engine.rows),
        rows=tuple(row.ansi for row in engine.all_rows()),
        cursor=engine.cursor(),
        modes=engine.modes(),
        held=engine.held(),
    )
