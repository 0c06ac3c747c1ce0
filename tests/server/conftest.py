"""Fixtures of the server's tests: the real engine, and a whole server in this process."""

from __future__ import annotations

import pytest

from orca_tui.term.ghostty import GhosttyFactory


@pytest.fixture(scope="session")
def engines() -> GhosttyFactory:
    return GhosttyFactory()
