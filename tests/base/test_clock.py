"""The machine's clocks, as everything else is handed them."""

from __future__ import annotations

import time

import pytest

from orca_tui.base.clock import SystemClock, unix_seconds


def test_now_is_unix_time() -> None:
    before = time.time()

    now = SystemClock().now()

    assert before <= now <= time.time()


def test_monotonic_never_goes_back() -> None:
    clock = SystemClock()

    readings = [clock.monotonic() for _ in range(1000)]

    assert readings == sorted(readings)


@pytest.mark.parametrize("text", ["1970-01-01T00:01:00.250Z", "1970-01-01T02:01:00.250+02:00"])
def test_a_written_moment_is_read_as_unix_time(text: str) -> None:
    assert unix_seconds(text) == 60.25


@pytest.mark.parametrize("text", ["", "yesterday", "1970-01-01T00:01:00", "99999-01-01T00:00:00Z"])
def test_a_text_that_is_no_moment_is_none(text: str) -> None:
    assert unix_seconds(text) is None
