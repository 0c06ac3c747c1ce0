"""The machine's clocks, as everything else is handed them."""

from __future__ import annotations

import time

from orca_tui.base.clock import SystemClock


def test_now_is_unix_time() -> None:
    before = time.time()

    now = SystemClock().now()

    assert before <= now <= time.time()


def test_monotonic_never_goes_back() -> None:
    clock = SystemClock()

    readings = [clock.monotonic() for _ in range(1000)]

    assert readings == sorted(readings)
