"""What every agent goes through in a pane, and what the pane is said to do meanwhile: exactly that, in that order.

`Together` goes from scenario to scenario with one running agent, `Resumed` goes on with its session in the next one,
and `Apart` starts one for each. A test module sets `AGENT`, and has a class of each kind that adds what only its agent
does.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from typing import ClassVar

from orca_tui.agents.registry import Agents
from orca_tui.term.engine import InputModes
from orca_tui.term.input_encoder import encode
from orca_tui.term.key_names import parse_key
from tests.e2e.agents import RealAgent
from tests.e2e.ground import Ground
from tests.e2e.journey import Journey
from tests.e2e.sandbox import poll_until
from tests.hosts.scripts import Ask, Fail, Run, Say

IDLE, WORKING, WAITING = "idle", "working", "waiting"
DONE, ERROR, EXITED = "done", "error", "exited"

ANSWER = Say("finished")
UNHURRIED_ANSWER = Say("finished", pause_s=1.0)
"""Work that begins with the agent itself is shown when it has lasted half a second."""
LONG_ANSWER = Say("word", times=600, pause_s=0.1)
LAST_WORDS = "last words"
LONG_COMMAND = "python3 -c 'import time; time.sleep(600)'"  # Claude Code runs no long `sleep`.


class Together:
    """Scenarios of one running agent, in this order."""

    cancelled: ClassVar[tuple[str, ...]] = (IDLE,)
    """What follows waiting when the user refuses or leaves the dialog."""

    def test_its_start_is_idle(self, agent: RealAgent, journey: Journey) -> None:
        with journey.scenario(IDLE, rings=0):
            journey.shows(agent.takes_prompt)
            journey.until(IDLE)

        assert journey.record().agent == agent.name

    def test_shift_enter_is_a_new_line_in_its_prompt_in_every_way_that_it_can_come(
        self, agent: RealAgent, journey: Journey
    ) -> None:
        adapter = Agents().by_name(agent.name)
        assert adapter is not None
        without_protocol = encode(parse_key(adapter.newline_key), InputModes()).decode()
        with journey.scenario(rings=0):
            for press in (
                lambda: journey.keys("shift+enter"),
                lambda: journey.keys(adapter.newline_key),
                lambda: journey.hand.type(journey.pane, without_protocol),
            ):
                journey.keys(*"upper")
                journey.shows("upper")
                press()
                journey.keys(*"lower")
                journey.shows_below("upper", "lower")
                journey.keys(*["backspace"] * len("upper lower"))
                assert journey.hand.has_hidden(journey.pane, "upper", 10)

        assert journey.model.asked == 0

    def test_a_prompt_is_worked_on_and_done(self, journey: Journey) -> None:
        with journey.scenario(WORKING, DONE, rings=1):
            journey.prompt(ANSWER)
            journey.until(WORKING)
            journey.answered()
            journey.until(DONE)

        assert journey.record().unread

    def test_a_permission_that_is_given_lets_it_work_on(self, agent: RealAgent, journey: Journey) -> None:
        with journey.scenario(WORKING, WAITING, WORKING, DONE, rings=2):
            journey.prompt(Run("touch allowed"), ANSWER)
            journey.shows(agent.screen.asks)
            journey.promptly(WAITING)
            assert journey.is_of_kind("permission")
            journey.until_rung()
            journey.answer(*agent.screen.yes, dialog=agent.screen.asks)
            journey.until(WORKING)
            journey.answered()
            journey.until(DONE)

    def test_a_permission_that_is_refused_ends_the_turn_as_interrupted(
        self, agent: RealAgent, journey: Journey
    ) -> None:
        with journey.scenario(WORKING, WAITING, *self.cancelled, rings=1):
            journey.prompt(Run("touch refused"), ANSWER)
            journey.shows(agent.screen.asks)
            journey.promptly(WAITING)
            journey.until_rung()
            journey.answer(*agent.screen.no, dialog=agent.screen.asks)
            journey.until(IDLE)

        assert journey.record().interrupted

    def test_escape_at_the_dialog_ends_the_turn_as_interrupted(
        self, agent: RealAgent, journey: Journey
    ) -> None:
        with journey.scenario(WORKING, WAITING, *self.cancelled, rings=1):
            journey.prompt(Run("touch escaped"), ANSWER)
            journey.shows(agent.screen.asks)
            journey.promptly(WAITING)
            journey.until_rung()
            journey.answer("escape", dialog=agent.screen.asks)
            journey.until(IDLE)

        assert journey.record().interrupted

    def test_escape_while_it_answers_ends_the_turn_as_interrupted(self, journey: Journey) -> None:
        with journey.scenario(WORKING, IDLE, rings=0):
            journey.prompt(LONG_ANSWER)
            journey.until(WORKING)
            journey.shows("word 5")
            journey.stop()

        assert journey.record().interrupted

    def test_escape_while_a_tool_runs_ends_the_turn_as_interrupted(
        self, agent: RealAgent, journey: Journey
    ) -> None:
        with journey.scenario(WORKING, WAITING, WORKING, IDLE, rings=1):
            journey.prompt(Run(LONG_COMMAND), ANSWER)
            journey.shows(agent.screen.asks)
            journey.promptly(WAITING)
            journey.until_rung()
            journey.answer(*agent.screen.yes, dialog=agent.screen.asks)
            journey.shows(agent.screen.runs.format(LONG_COMMAND))
            journey.until(WORKING)
            journey.stop()

        assert journey.record().interrupted


class TogetherWithQuestions:
    """For agents that have a tool to ask with."""

    def test_a_question_waits_for_its_answer(self, journey: Journey) -> None:
        with journey.scenario(WORKING, WAITING, WORKING, DONE, rings=2):
            journey.prompt(Ask("Which color?", ("Red", "Blue")), ANSWER)
            journey.shows("Enter to select")
            journey.promptly(WAITING)
            assert journey.is_of_kind("question")
            journey.until_rung()
            journey.answer("enter", dialog="Enter to select")
            journey.until(WORKING)
            journey.answered()
            journey.until(DONE)


class TogetherWithErrors:
    """For agents that give up when their model fails."""

    kinds: ClassVar[Mapping[int, str]] = {500: "api", 429: "rate_limit", 401: "auth"}
    """What kind of error an answer of the API is."""
    refused: ClassVar[str] = ERROR
    """What an API that wants a login makes of it."""

    def test_a_failing_model_is_an_error_once_it_has_given_up(
        self, agent: RealAgent, journey: Journey
    ) -> None:
        with journey.scenario(WORKING, ERROR, rings=1):
            journey.prompt(Fail(500))
            journey.until(WORKING)
            journey.shows(agent.screen.failed)
            failed = journey.promptly(ERROR)

        assert failed["kind"] == self.kinds[500]

    def test_a_reached_limit_is_an_error_that_says_so(self, journey: Journey) -> None:
        with journey.scenario(WORKING, ERROR, rings=1):
            journey.prompt(Fail(429, retry_after_s=1))
            journey.until(WORKING)
            failed = journey.until(ERROR)

        assert failed["kind"] == self.kinds[429]

    def test_an_api_that_wants_a_login_says_so(self, journey: Journey) -> None:
        with journey.scenario(WORKING, self.refused, rings=1):
            journey.prompt(Fail(401))
            journey.until(WORKING)
            refused = journey.until(self.refused)

        assert refused["kind"] == self.kinds[401]

    def test_a_retry_that_helps_is_no_error(self, journey: Journey) -> None:
        with journey.scenario(WORKING, DONE, rings=1):
            journey.prompt(Fail(500, times=1))
            journey.until(WORKING)
            journey.shows("recovered")
            journey.until(DONE)


class TogetherAtTheEnd:
    """The last scenarios of the running agent."""

    compaction: ClassVar[tuple[str, ...]] = (WORKING, DONE)
    boundary: ClassVar[tuple[str, ...]] = (IDLE,)
    """What follows the command that begins a new session."""

    def test_compaction_is_worked_on_and_done(self, agent: RealAgent, journey: Journey) -> None:
        with journey.scenario(*self.compaction, rings=self.compaction.count(DONE)):
            journey.command(agent.screen.compact)
            journey.shows(agent.screen.compacted)

    def test_a_new_session_is_idle_and_rings_for_nothing(self, agent: RealAgent, journey: Journey) -> None:
        with journey.scenario(*self.boundary, rings=0):
            journey.command(agent.screen.new_session)
            for status in self.boundary:
                journey.until(status)

        assert not journey.record().interrupted

    def test_a_prompt_in_the_new_session_is_worked_on_and_done(self, journey: Journey) -> None:
        with journey.scenario(WORKING, DONE, rings=1):
            journey.prompt(Say(LAST_WORDS))
            journey.until(WORKING)
            journey.answered()
            journey.until(DONE)

    def test_leaving_is_the_end(self, agent: RealAgent, journey: Journey) -> None:
        with journey.scenario(EXITED, rings=0):
            journey.leave(agent.screen.leave)

        assert journey.record().exit_code == 0


class Resumed:
    """Scenarios of the session that the running agent has left, in the next one."""

    def test_a_resumed_session_is_idle_until_its_next_prompt(self, left: Journey, resumed: Journey) -> None:
        with resumed.scenario(IDLE, WORKING, DONE, rings=1):
            resumed.shows(LAST_WORDS)
            resumed.until(IDLE)
            resumed.prompt(UNHURRIED_ANSWER)
            resumed.until(WORKING)
            resumed.answered()
            resumed.until(DONE)

        assert resumed.record().session_id == left.record().session_id

    def test_leaving_after_an_interrupt_is_the_end(self, agent: RealAgent, resumed: Journey) -> None:
        with resumed.scenario(WORKING, IDLE, rings=0):
            resumed.prompt(LONG_ANSWER)
            resumed.until(WORKING)
            resumed.shows("word 3")
            resumed.stop()

        with resumed.scenario(EXITED, rings=0):
            resumed.leave(agent.screen.leave)


class Apart:
    """Scenarios that end their agent, or begin with it."""

    def test_a_killed_agent_has_exited(self, ground: Ground) -> None:
        journey = self.answering(ground)

        with journey.scenario(EXITED, rings=0):
            os.kill(journey.pid(), signal.SIGKILL)
            journey.mark()
            journey.promptly(EXITED)

    def test_a_terminated_agent_has_exited(self, ground: Ground) -> None:
        journey = self.answering(ground)

        with journey.scenario(EXITED, rings=0):
            os.kill(journey.pid(), signal.SIGTERM)
            journey.mark()
            journey.promptly(EXITED)

    def test_the_shell_is_back_when_an_agent_that_was_typed_into_it_is_killed(self, ground: Ground) -> None:
        journey = ground.start_shell()
        with journey.scenario(IDLE, WORKING, rings=0):
            journey.command(" ".join(ground.agent.command))
            journey.shows(ground.agent.takes_prompt)
            journey.until(IDLE)
            journey.prompt(LONG_ANSWER)
            journey.until(WORKING)

        with journey.scenario(IDLE, rings=0):
            os.kill(journey.foreground_pid(), signal.SIGKILL)
            journey.mark()
            journey.promptly(IDLE)

        assert journey.record().agent in (None, "shell")
        poll_until(lambda: journey.foreground_pid() == journey.pid(), "the shell has the terminal")

    def answering(self, ground: Ground) -> Journey:
        """A new agent in the middle of a long answer."""
        journey = ground.start()
        with journey.scenario(IDLE, WORKING, rings=0):
            journey.shows(ground.agent.takes_prompt)
            journey.until(IDLE)
            journey.prompt(LONG_ANSWER)
            journey.until(WORKING)
            journey.shows("word 3")
        return journey
