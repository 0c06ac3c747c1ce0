"""When the modes for keys are read, on a clock that stands and a real engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

import pytest

from orca_tui.server.key_modes import AHEAD_AFTER_S, KeyModes
from orca_tui.term.engine import InputModes, TerminalEngine
from orca_tui.term.ghostty import GhosttyFactory
from tests.fakes import FakeClock

APPLICATION_CURSOR_KEYS = b"\x1b[?1h"


@dataclass
class Watched:
    """A real engine whose modes are read through here."""

    engine: TerminalEngine = field(default_factory=lambda: GhosttyFactory().new(20, 5, scrollback_lines=0))
    reads: int = 0

    def modes(self) -> InputModes:
        self.reads += 1
        return self.engine.modes()


class Typist:
    """Somebody at a pane."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.watched = Watched()
        self.modes = KeyModes(cast(TerminalEngine, self.watched), self.clock.call_later)


@pytest.fixture
def typist() -> Typist:
    return Typist()


def test_what_a_program_sets_counts_for_the_next_key(typist: Typist) -> None:
    assert not typist.modes.now().cursor_keys
    typist.watched.engine.feed(APPLICATION_CURSOR_KEYS)

    assert typist.modes.now().cursor_keys


def test_the_modes_for_the_next_key_are_read_once_the_echo_is_through(typist: Typist) -> None:
    typist.modes.now()
    typist.modes.now()

    typist.clock.jump(AHEAD_AFTER_S)

    assert typist.watched.reads == 3
    assert typist.clock.timers == []


def test_a_pane_that_closes_reads_nothing_any_more(typist: Typist) -> None:
    typist.modes.now()

    typist.modes.stop()
    typist.clock.jump(AHEAD_AFTER_S)

    assert typist.watched.reads == 1
