"""A real Claude Code in a pane."""

from __future__ import annotations

from tests.e2e.agents import CLAUDE
from tests.e2e.journey import Journey
from tests.e2e.scenarios import (
    ANSWER,
    DONE,
    WAITING,
    WORKING,
    Apart,
    Resumed,
    Together,
    TogetherAtTheEnd,
    TogetherWithErrors,
    TogetherWithQuestions,
)
from tests.hosts.scripts import Delegate, Run, Say

AGENT = CLAUDE


class TestTogether(Together):
    pass


class TestQuestions(TogetherWithQuestions):
    pass


class TestErrors(TogetherWithErrors):
    refused = WAITING  # It asks for /login.


class TestTasks:
    """What works on behind the answer."""

    def test_a_sub_agent_keeps_it_working_until_it_has_ended_too(self, journey: Journey) -> None:
        with journey.scenario(WORKING, DONE, rings=1):
            journey.prompt(Delegate("sub work", (Say("sub", pause_s=2),)), ANSWER)
            journey.until(WORKING)
            journey.shows("Waiting for 1 background agent")
            assert journey.record().subagents == 1
            journey.shows('Agent "sub work" finished')
            journey.until(DONE)

        assert journey.record().subagents == 0

    def test_a_background_shell_keeps_it_working_until_it_has_ended_too(self, journey: Journey) -> None:
        with journey.scenario(WORKING, WAITING, WORKING, DONE, rings=2):
            journey.prompt(Run("sleep 2; touch behind", background=True), ANSWER)
            journey.shows(CLAUDE.screen.asks)
            journey.promptly(WAITING)
            journey.until_rung()
            journey.answer("enter", dialog=CLAUDE.screen.asks)
            journey.until(WORKING)
            journey.shows("1 shell still running")
            journey.shows("Background command")
            journey.until(DONE)


class TestEnd(TogetherAtTheEnd):
    pass


class TestResumed(Resumed):
    pass


class TestApart(Apart):
    pass
