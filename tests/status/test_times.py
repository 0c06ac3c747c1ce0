"""Times that others claim."""

from __future__ import annotations

import pytest

from orca_tui.status.times import MAX_LATE_S, trusted_at

NOW = 1000.0


@pytest.mark.parametrize("claimed", [NOW, NOW - 1, NOW - MAX_LATE_S])
def test_a_time_just_before_is_believed(claimed: float) -> None:
    assert trusted_at(claimed, NOW) == claimed


@pytest.mark.parametrize("claimed", [None, NOW + 0.1, NOW - MAX_LATE_S - 0.1, NOW + 1e9, -1.0])
def test_what_cannot_be_was_now(claimed: float | None) -> None:
    assert trusted_at(claimed, NOW) == NOW


def test_a_claim_that_is_no_number_was_now() -> None:
    assert trusted_at(float("nan"), NOW) == NOW
