"""The verdicts on all recordings, each made once for all tests that need it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.accuracy.corpus import cases
from tests.accuracy.opencode import build_plugin
from tests.accuracy.running import Result, run


class Verdicts:
    """Replays a recording when somebody first asks for it."""

    def __init__(self, plugin: Path) -> None:
        self._plugin = plugin
        self._cases = cases()
        self._results: dict[str, list[Result]] = {}

    def of(self, name: str) -> list[Result]:
        """All passes of one recording."""
        if name not in self._results:
            self._results[name] = list(run(self._cases[name], self._plugin))
        return self._results[name]

    def all(self) -> list[Result]:
        return [result for name in self._cases for result in self.of(name)]


@pytest.fixture(scope="session")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Verdicts]:
    logging.disable(logging.WARNING)
    yield Verdicts(build_plugin(tmp_path_factory.mktemp("plugin")))
    logging.disable(logging.NOTSET)
