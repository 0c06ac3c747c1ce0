"""A real Gemini CLI in a pane."""

from __future__ import annotations

import pytest

from tests.e2e.agents import GEMINI
from tests.e2e.ground import Ground
from tests.e2e.journey import Journey
from tests.e2e.scenarios import (
    DONE,
    ERROR,
    EXITED,
    IDLE,
    LAST_WORDS,
    WORKING,
    Apart,
    Resumed,
    Together,
    TogetherAtTheEnd,
    TogetherWithQuestions,
)
from tests.hosts.scripts import Fail, Say

AGENT = GEMINI


class TestTogether(Together):
    pass


class TestQuestions(TogetherWithQuestions):
    pass


class TestErrors:
    """It never gives up on a server that fails: it tries again until it is stopped."""

    def test_retries_are_work_until_escape(self, journey: Journey) -> None:
        with journey.scenario(WORKING, IDLE, rings=0):
            journey.prompt(Fail(500))
            journey.until(WORKING)
            assert journey.model.wait_until_asked(journey.model.asked + 1, timeout=20)
            journey.stop()

    def test_an_api_that_refuses_is_an_error(self, journey: Journey) -> None:
        with journey.scenario(WORKING, ERROR, rings=1):
            journey.prompt(Fail(401))
            journey.until(WORKING)
            journey.shows(GEMINI.screen.failed)
            failed = journey.promptly(ERROR)

        assert failed["kind"] in ("auth", "api")


class TestEnd(TogetherAtTheEnd):
    """Its title tells nothing of either, and how the last turn ended stays true."""

    compaction = ()
    boundary = ()


@pytest.fixture(scope="module")
def left(ground: Ground) -> Journey:
    """Another one: after `/clear`, its latest session is the one before."""
    left = ground.start()
    with left.scenario(IDLE, WORKING, DONE, EXITED, rings=1):
        left.shows(GEMINI.takes_prompt)
        left.until(IDLE)
        left.prompt(Say(LAST_WORDS))
        left.until(DONE)
        left.leave(GEMINI.screen.leave)
    return left


class TestResumed(Resumed):
    pass


class TestApart(Apart):
    pass
