"""Notices for a real Codex whose user has agreed to its hooks: typed into an empty box only, else by hooks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.agents import CODEX
from tests.e2e.hook_desk import HookDesk, at_the_desk
from tests.e2e.notice_scenarios import NoticeScenarios


@pytest.fixture(scope="module")
def desk() -> Iterator[HookDesk]:
    with at_the_desk(CODEX, consent=True) as made:
        yield made


class TestNotices(NoticeScenarios):
    pass
