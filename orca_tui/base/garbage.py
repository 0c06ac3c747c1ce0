"""When Python looks for garbage: not while panes flood, since that would be a pause in the echo of keys."""

from __future__ import annotations

import gc

THRESHOLD = (50_000, 20, 100)
"""What frames make is freed by counting; cycles come from dialogs and requests, which are few."""


def wait() -> None:
    """Do not look while the program starts: nearly everything that is made then stays."""
    gc.disable()


def settle() -> None:
    """The start is over: what it has made is never looked at, not even once.

    That would be a pause of 50 ms, to find a thousand objects.
    """
    gc.freeze()
    gc.set_threshold(*THRESHOLD)
    gc.enable()
