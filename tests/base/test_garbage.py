"""When Python looks for garbage."""

from __future__ import annotations

import gc

from orca_tui.base import garbage


def test_what_the_start_made_is_not_looked_at_again() -> None:
    threshold = gc.get_threshold()
    try:
        garbage.wait()
        assert not gc.isenabled()

        garbage.settle()

        assert gc.get_freeze_count() > 0
        assert gc.get_threshold() == garbage.THRESHOLD
        assert gc.isenabled()
    finally:
        gc.unfreeze()
        gc.set_threshold(*threshold)
