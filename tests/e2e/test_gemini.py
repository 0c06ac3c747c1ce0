"""A real Gemini CLI in a pane."""

from __future__ import annotations

from tests.e2e.agents import GEMINI
from tests.e2e.journey import Journey
from tests.e2e.scenarios import (
    ERROR,
    IDLE,
    WORKING,
    Apart,
    Together,
    TogetherAtTheEnd,
    TogetherWithQuestions,
)
from tests.hosts.scripts import Fail

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


class TestApart(Apart):
    pass
