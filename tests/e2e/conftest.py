"""Fixtures of the end-to-end tests: a user of their own, a fake model, a configured OpenCode."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

pytest.register_assert_rewrite(
    "tests.e2e.journey", "tests.e2e.notice_scenarios", "tests.e2e.scenarios"
)  # Before they are imported.

from tests.e2e.agents import RealAgent  # noqa: E402
from tests.e2e.ground import Ground  # noqa: E402
from tests.e2e.journey import Journey  # noqa: E402
from tests.e2e.opencode import OpenCode  # noqa: E402
from tests.e2e.sandbox import Sandbox  # noqa: E402


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "/e2e/" in str(item.path):
            item.add_marker(pytest.mark.e2e)


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    box = Sandbox()
    yield box
    box.close()


@pytest.fixture(scope="module")
def room() -> Iterator[Sandbox]:
    """A sandbox that the tests of a module share."""
    with closing(Sandbox()) as box:
        yield box


@pytest.fixture(scope="module")
def tenant(room: Sandbox) -> Iterator[OpenCode]:
    """OpenCode 1 in the room."""
    with closing(OpenCode(room)) as agent:
        yield agent


@pytest.fixture
def opencode(sandbox: Sandbox) -> Iterator[OpenCode]:
    """OpenCode 1 in the sandbox, offline, with a fake model."""
    agent = OpenCode(sandbox)
    yield agent
    agent.close()


@pytest.fixture(scope="module")
def agent(request: pytest.FixtureRequest) -> RealAgent:
    """The agent of a module of scenarios."""
    real: RealAgent = request.module.AGENT
    return real


@pytest.fixture(scope="module")
def ground(agent: RealAgent) -> Iterator[Ground]:
    """Where the panes of the module's agent are."""
    with Ground(agent) as prepared:
        yield prepared


@pytest.fixture(scope="module")
def journey(ground: Ground) -> Journey:
    """The one running agent that scenarios share, in their order."""
    return ground.start()


@pytest.fixture(scope="module")
def left(journey: Journey) -> Journey:
    """The agent whose session is resumed: it has said its last words, and was left."""
    return journey


@pytest.fixture(scope="module")
def resumed(ground: Ground, left: Journey) -> Journey:
    """The agent again, in the session that was left."""
    by_id = left.record().resume[1:]
    return ground.start(*(by_id or ground.agent.screen.resume))
