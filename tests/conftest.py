"""Fixtures that every test may use."""

from __future__ import annotations

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """Async tests run on asyncio, as the program does."""
    return "asyncio"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """End-to-end tests wait more than they work: begun first, they run beside all others."""
    items.sort(key=lambda item: "/e2e/" not in str(item.path))
