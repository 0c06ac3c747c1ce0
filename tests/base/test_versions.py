"""Versions are compared by their numbers."""

from __future__ import annotations

import pytest

from orca_tui.base.versions import is_newer


@pytest.mark.parametrize(
    ("version", "than", "newer"),
    [
        ("2.1.332", "2.1.331", True),
        ("2.1.332", "2.1.332", False),
        ("2.1.9", "2.1.10", False),
        ("2.2", "2.1.332", True),
        ("3", "2.9.9", True),
        ("codex-cli 0.171.0", "0.169.0", True),
        ("1.0.0-beta.7", "1.0.0", False),
        ("unknown", "1.0", False),
    ],
)
def test_the_higher_number_is_newer(version: str, than: str, newer: bool) -> None:
    assert is_newer(version, than) is newer
