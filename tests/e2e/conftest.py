"""Fixtures of the end-to-end tests: a user of their own, a fake model, a configured OpenCode."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.opencode import OpenCode
from tests.e2e.sandbox import Sandbox


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "/e2e/" in str(item.path):
            item.add_marker(pytest.mark.e2e)


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    box = Sandbox()
    yield box
    box.close()


@pytest.fixture
def opencode(sandbox: Sandbox) -> Iterator[OpenCode]:
    """OpenCode 1 in the sandbox, offline, with a fake model."""
    agent = OpenCode(sandbox)
    yield agent
    agent.close()
