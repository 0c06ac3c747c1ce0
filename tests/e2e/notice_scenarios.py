"""What agents with hooks do with notices, looked up in the log of their model: one running agent, in this order."""

from __future__ import annotations

from tests.e2e.hook_desk import HookDesk
from tests.e2e.scenarios import ANSWER, DONE, WAITING, WORKING
from tests.hosts.scripts import Run, Say

BUSY = Say("word", times=20, pause_s=0.1)
DRAFT = "half a thought"


class NoticeScenarios:
    def test_an_idle_agent_is_woken_once_on_its_condition(self, desk: HookDesk) -> None:
        with desk.journey.scenario(WORKING, DONE, rings=1):
            reply = desk.send("notice-idle", resume={"if_idle": True})
            row = desk.becomes(reply.id, "delivered")
            desk.journey.until(DONE)

        assert reply.woke
        assert reply.guard in ("held", "snapshot"), "snapshot when the machine took longer than a second"
        assert row.receipt is not None
        assert desk.asked("notice-idle") == 1

    def test_a_draft_keeps_a_condition_from_waking_at_any_moment(self, desk: HookDesk) -> None:
        with desk.journey.scenario(rings=0):
            desk.writer.paste(desk.pane, DRAFT)
            desk.journey.shows(DRAFT)
            reply = desk.send("notice-draft", resume={"if_idle": True})

        assert (reply.woke, reply.reason) == (False, "draft")
        assert DRAFT in desk.writer.screen(desk.pane)
        desk.cancel(reply.id)
        self.wakes_over_a_draft(desk)
        desk.writer.keys(desk.pane, *["backspace"] * len(DRAFT))
        assert desk.asked("notice-draft") == desk.asked(DRAFT) == 0

    def wakes_over_a_draft(self, desk: HookDesk) -> None:
        """What an agent does that need not be typed to."""

    def test_one_that_waits_for_the_end_of_a_turn_is_cancelled_and_another_arrives_once(
        self, desk: HookDesk
    ) -> None:
        with desk.journey.scenario(WORKING, DONE, rings=1):
            desk.journey.prompt(BUSY)
            desk.journey.until(WORKING)
            stale, fresh = desk.send("notice-stale"), desk.send("notice-fresh")
            desk.cancel(stale.id)
            row = desk.becomes(fresh.id, "delivered")
            desk.journey.until(DONE)

        assert (stale.reason, fresh.state) == ("busy", "pending")
        assert row.receipt is not None
        assert (desk.asked("notice-stale"), desk.asked("notice-fresh")) == (0, 1)

    def test_what_must_not_wake_comes_in_with_the_next_prompt_unless_it_is_taken_back(
        self, desk: HookDesk
    ) -> None:
        gone, rides = desk.send("notice-gone", resume=False), desk.send("notice-rides", resume=False)
        desk.cancel(gone.id)
        before = desk.asked("notice-rides")
        with desk.journey.scenario(WORKING, DONE, rings=1):
            desk.journey.prompt(ANSWER)
            desk.becomes(rides.id, "delivered")
            desk.journey.until(DONE)

        assert (rides.woke, rides.reason, before) == (False, "resume_false", 0)
        assert (desk.asked("notice-gone"), desk.asked("notice-rides")) == (0, 1)
        assert "notice-rides" not in desk.writer.screen(desk.pane)

    def test_a_steering_notice_appears_in_the_running_turn(self, desk: HookDesk) -> None:
        screen = desk.ground.agent.screen
        with desk.journey.scenario(WORKING, WAITING, WORKING, DONE, rings=2):
            desk.journey.prompt(Run("touch steered"), ANSWER)
            desk.journey.shows(screen.asks)
            desk.journey.until(WAITING)
            reply = desk.send("notice-steer", delivery="steer")
            conditional = desk.send("notice-waiting", resume={"if_idle": True})
            desk.cancel(conditional.id)
            desk.journey.until_rung()
            desk.journey.answer(*screen.yes, dialog=screen.asks)
            desk.becomes(reply.id, "delivered")
            desk.journey.until(DONE)

        assert (reply.delivery, reply.reason, conditional.reason) == ("steer", "waiting", "waiting")
        assert (desk.asked("notice-steer"), desk.asked("notice-waiting")) == (1, 0)

    def test_what_is_lost_with_an_interrupted_hook_is_sent_once_more(self, desk: HookDesk) -> None:
        lost = desk.send("notice-lost", resume=False)
        with desk.hooks("slow"):
            desk.submit("never heard of")
            desk.becomes(lost.id, "delivering")
            desk.journey.until(WORKING)
            desk.journey.stop()
            desk.becomes(lost.id, "pending")
        desk.writer.keys(desk.pane, "ctrl+u")  # It may have put the prompt back.
        before = desk.asked("notice-lost")

        desk.journey.prompt(ANSWER)
        desk.becomes(lost.id, "delivered")
        desk.journey.until(DONE)

        assert before == 0
        assert desk.asked("notice-lost") == 1
        assert desk.asked("never heard of") == 0
