"""A terminal that the library makes no snapshot of is told by its text."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from orca_tui.term.ghostty import GhosttyFactory
from orca_tui.term.ghostty_engine import GhosttyEngine
from orca_tui.term.ghostty_snapshot import is_sound
from tests.term.terminals import UNSOUND, texts


@pytest.fixture
def engine(factory: GhosttyFactory) -> Iterator[GhosttyEngine]:
    made = factory.new(80, 24, scrollback_lines=1000)
    made.feed(b"earlier\r\n" * 50 + UNSOUND)
    made.resize(41, 24)
    assert not is_sound(made._library, made._terminal), "this test needs another terminal that cannot be told"
    yield made
    made.close()


@pytest.mark.parametrize("with_history", [True, False])
def test_it_shows_about_the_same_with_the_same_modes(
    factory: GhosttyFactory, engine: GhosttyEngine, with_history: bool
) -> None:
    engine.feed(b"\x1b[5;1Hhere\x1b[?2004h")
    snapshot = engine.snapshot(with_history=with_history)
    assert snapshot is not None
    restored = factory.restore(snapshot)

    assert "here" in texts(restored)
    assert restored.modes() == engine.modes()
    assert (restored.cols, restored.rows) == (41, 24)
    restored.close()


def test_one_with_history_has_it(factory: GhosttyFactory) -> None:
    engine = factory.new(80, 24, scrollback_lines=1000)
    engine.feed(b"\x1b[?47h" + UNSOUND + b"\x1b[?47l" + b"earlier\r\n" * 50)
    engine.resize(41, 24)
    snapshot = engine.snapshot(with_history=True)
    assert snapshot is not None
    restored = factory.restore(snapshot)

    assert restored.history_text(unwrap=True).split() == ["earlier"] * 50
    restored.close()
    engine.close()


def test_it_is_logged_once_and_without_what_is_on_the_screen(
    engine: GhosttyEngine, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            engine.snapshot(with_history=False)

    assert [record.getMessage() for record in caplog.records] == [
        "terminal without a snapshot: its text stands for it"
    ]


def test_there_is_none_in_the_middle_of_a_sequence(engine: GhosttyEngine) -> None:
    engine.feed(b"\x1b[3")

    assert engine.snapshot(with_history=False) is None
