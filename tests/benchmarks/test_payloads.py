"""The bytes that engines and panes are measured with."""

from __future__ import annotations

import pytest

from benchmarks.payloads import CLEAN, COLS, KINDS, ROWS, payload
from orca_tui.term.ghostty import GhosttyFactory

SIZE_BYTES = 200_000


@pytest.mark.parametrize("kind", KINDS)
def test_a_payload_is_the_same_at_every_run_and_about_as_long_as_asked(kind: str) -> None:
    data = payload(kind, SIZE_BYTES)

    assert data == payload(kind, SIZE_BYTES)
    assert 0.9 * SIZE_BYTES < len(data) < 1.1 * SIZE_BYTES


@pytest.mark.parametrize("kind", KINDS)
def test_a_payload_writes_on_the_screen_and_leaves_it_clean(kind: str) -> None:
    engine = GhosttyFactory().new(COLS, ROWS, scrollback_lines=100)
    data = payload(kind, SIZE_BYTES)

    engine.feed(data.removesuffix(CLEAN))
    assert engine.screen_text(unwrap=False).strip()

    engine.feed(CLEAN)
    assert not engine.screen_text(unwrap=False).strip()
    assert not engine.held()
