"""A small dose of what `make fuzz` does at length."""

from __future__ import annotations

import pytest

from orca_tui.term.ghostty import GhosttyFactory
from tests.fuzz.attacks import ATTACKS
from tests.fuzz.ordeal import Ordeal

DOSE_BYTES = 100_000


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_attack_breaks_nothing_and_both_engines_stay_equal(name: str, seed: int) -> None:
    assert Ordeal(factory=GhosttyFactory(), attack=ATTACKS[name], seed=seed).run(DOSE_BYTES) >= DOSE_BYTES
