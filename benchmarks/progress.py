"""Tells on standard error what is being measured, so that nobody takes minutes for a standstill."""

from __future__ import annotations

import sys
import time


class Progress:
    def __init__(self) -> None:
        self._started = time.monotonic()

    def __call__(self, text: str) -> None:
        elapsed = time.monotonic() - self._started
        print(f"[{elapsed:5.0f} s] {text} ...", file=sys.stderr, flush=True)
