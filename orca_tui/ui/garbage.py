"""When Python looks for garbage: not while panes flood, since that would be a pause in the echo of keys."""

from __future__ import annotations

import gc

THRESHOLD = (50_000, 20, 100)
"""What frames make is freed by counting; cycles come from dialogs, which are few."""


def settle() -> None:
    """What the start has made stays, and need not be looked at again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLD)
