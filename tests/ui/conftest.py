"""Fixtures of the UI's tests."""

from __future__ import annotations

import pytest

from orca_tui.term.ghostty import GhosttyFactory


@pytest.fixture(scope="session")
def engines() -> GhosttyFactory:
    return GhosttyFactory()
