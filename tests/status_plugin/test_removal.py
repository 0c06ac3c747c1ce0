"""A removal that is remembered."""

from __future__ import annotations

from pathlib import Path

from status_plugin.removal import forget_removal, is_removed, mark_removed


def test_a_removal_is_remembered_until_it_is_forgotten(tmp_path: Path) -> None:
    state = tmp_path / "state"
    assert not is_removed(state)

    mark_removed(state)
    mark_removed(state)
    assert is_removed(state)
    assert state.stat().st_mode & 0o777 == 0o700

    forget_removal(state)
    forget_removal(state)
    assert not is_removed(state)
