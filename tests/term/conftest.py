"""One factory for all tests of the engine: loading and checking the library once is enough."""

from __future__ import annotations

import pytest

from orca_tui.term.ghostty import GhosttyFactory


@pytest.fixture(scope="session")
def factory() -> GhosttyFactory:
    return GhosttyFactory(version="9.9", hostname="workstation")
