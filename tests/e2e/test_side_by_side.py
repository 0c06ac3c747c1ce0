"""Four agents at once in one UI."""

from __future__ import annotations

from tests.e2e.side_by_side import compare


def test_the_sidebar_is_right_at_every_step_of_four_agents_side_by_side() -> None:
    said: list[str] = []

    assert compare(said.append) == [], "\n".join(said)
