"""A server's engine and a UI's under attack: nothing raises, both stay equal, what comes out stays bounded.

Rule 1: the UI's engine, fed what the server's applied, cut anywhere, shows the same screen.
Rule 2: an engine restored from a snapshot shows the same screen, and goes on the same.
Rule 3: rows have the width of the terminal, however wide what is in them.
Rule 4: answers to the program are bounded by what it wrote.
Rule 5: whatever the size was, there is an exact snapshot as soon as no sequence is open.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from msgspec.msgpack import encode

from orca_tui.term.engine import FedOutput
from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.ghostty_engine import GhosttyEngine
from orca_tui.term.ghostty_snapshot import encode_snapshot
from tests.fuzz.attacks import Attack
from tests.term.terminals import screen

SIZES = (1, 2, 3, 24, 79, 80, 200, 500, 1000)
REPLY_PER_BYTE = 64
"""The longest answer, XTVERSION's or that to a palette query, is some 50 bytes for a question of 4."""
FACT_TEXT = 100 << 10
"""The longest text that a fact may carry: a clipboard."""


@dataclass(kw_only=True)
class Ordeal:
    """One terminal, from a seed; `run` feeds it so many bytes and checks."""

    factory: GhosttyFactory
    attack: Attack
    seed: int

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._bytes = self.attack(random.Random(self.seed + 1))
        cols, rows = self._random.choice(SIZES), self._random.choice(SIZES)
        self._server = self.factory.new(cols, rows, scrollback_lines=self._random.choice((0, 50, 2000)))
        snapshot = self._server.snapshot(with_history=False)
        assert snapshot is not None
        self._viewer = self.factory.restore(snapshot)

    def run(self, size_bytes: int) -> int:
        """Feed at least so many bytes; returns how many it were."""
        fed = 0
        while fed < size_bytes:
            data = next(self._bytes)
            fed += len(data)
            self._fed(data)
            if self._random.random() < 0.1:
                self._resize()
            if self._random.random() < 0.1:
                self._restore()
        self._check()
        self._server.close()
        self._viewer.close()
        return fed

    def _fed(self, data: bytes) -> None:
        at = 0
        while at < len(data):
            end = at + self._random.choice((1, 7, 4096, 16 << 10, len(data)))
            output = self._server.feed(data[at:end])
            self._check_output(output, len(data[at:end]))
            self._apply(output.applied)
            at = end

    def _check_output(self, output: FedOutput, length: int) -> None:
        assert len(output.replies) <= REPLY_PER_BYTE * (length + 16), "rule 4"
        assert all(len(encode(fact)) <= 2 * FACT_TEXT for fact in output.facts), "rule 4"

    def _apply(self, data: bytes) -> None:
        middle = self._random.randrange(len(data) + 1)
        self._viewer.apply(data[:middle])
        self._viewer.apply(data[middle:])

    def _resize(self) -> None:
        cols, rows = self._random.choice(SIZES), self._random.choice(SIZES)
        self._server.resize(cols, rows)
        self._viewer.resize(cols, rows)
        for engine in (self._server, self._viewer):
            # Asked of the library itself: the engine would tell one that is only about the same.
            exact = encode_snapshot(engine._library, engine._terminal, with_history=True)
            assert exact is not None or engine._modes.in_sequence(), "rule 5"
        if self._viewer.history_text(unwrap=True) != self._server.history_text(unwrap=True):
            # A full history is cut by pages of memory, which two engines fill differently: rows that come back
            # into view may be older in one of them, as in a UI that has not asked for the history.
            self._restore()

    def _restore(self) -> None:
        """Rule 2; there is no snapshot in the middle of an over-long sequence."""
        snapshot = self._server.snapshot(with_history=True)
        if snapshot is not None:
            self._viewer.close()
            self._viewer = self.factory.restore(snapshot)

    def _check(self) -> None:
        for engine in (self._server, self._viewer):
            _read_everything(engine)
        snapshot = self._server.snapshot(with_history=True)
        if snapshot is not None:
            restored = self.factory.restore(snapshot)
            assert screen(restored) == screen(self._server), "rule 2"
            restored.close()
        assert screen(self._viewer) == screen(self._server), "rule 1"


def _read_everything(engine: GhosttyEngine) -> None:
    """All that anybody ever asks of an engine."""
    list(engine.dirty_rows())
    rows = engine.all_rows()
    assert len(rows) == engine.rows, "rule 3"
    engine.history_text(unwrap=True)
    engine.screen_text(unwrap=False)
    engine.vt_text()
    engine.row_marks()
    engine.link_at(0, 0)
    engine.reset_modes_bytes()
    engine.scroll(engine.scrollback_rows() // 2)
    engine.all_rows()
    engine.scroll(0)
    engine.compress()
