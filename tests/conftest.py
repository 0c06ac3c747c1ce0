"""Fixtures that every test may use, and the order of all tests."""

from __future__ import annotations

import math
import signal
from collections.abc import Iterable
from pathlib import Path

import pytest

WAITING = frozenset(
    {
        "test_claude.py",
        "test_codex.py",
        "test_notices_claude.py",
        "test_notices_codex.py",
        "test_opencode2.py",
    }
)
"""End-to-end tests that wait for the most part; two of them side by side would leave the cores idle."""


# A runner in the background ignores them (`nohup`, `&`), and so would every program that a test ends by them.
for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)


@pytest.fixture
def anyio_backend() -> str:
    """Async tests run on asyncio, as the program does."""
    return "asyncio"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """End-to-end tests are the longest: begun first, nobody waits for them in the end."""
    ranks = ranked(dict.fromkeys(item.path for item in items))
    items.sort(key=lambda item: ranks.get(item.path, math.inf))


def ranked(files: Iterable[Path]) -> dict[Path, float]:
    """Where each end-to-end file comes; those that wait are spread among those that take the cores."""
    found = [file for file in files if file.parent.name == "e2e"]
    waiting = [file for file in found if file.name in WAITING]
    busy = [file for file in found if file.name not in WAITING]
    every = len(busy) / max(len(waiting), 1)
    spread = {file: (at + 0.5) * every for at, file in enumerate(waiting)}
    return spread | {file: float(at) for at, file in enumerate(busy)}
