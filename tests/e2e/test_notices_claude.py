"""Notices for a real Claude Code: by its own hooks, without a key, whatever stands in its box."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.agents import CLAUDE
from tests.e2e.hook_desk import HookDesk, at_the_desk
from tests.e2e.notice_scenarios import DRAFT, NoticeScenarios
from tests.e2e.scenarios import DONE, WORKING


@pytest.fixture(scope="module")
def desk() -> Iterator[HookDesk]:
    with at_the_desk(CLAUDE, consent=False) as made:
        yield made


class TestNotices(NoticeScenarios):
    def wakes_over_a_draft(self, desk: HookDesk) -> None:
        with desk.journey.scenario(WORKING, DONE, rings=1):
            reply = desk.send("notice-wake")
            desk.becomes(reply.id, "delivered")
            desk.journey.until(DONE)

        assert reply.woke
        assert desk.asked("notice-wake") == 1
        assert DRAFT in desk.writer.screen(desk.pane)

    def test_what_is_taken_back_after_the_doorbell_makes_no_request(self, desk: HookDesk) -> None:
        before = len(desk.requests())
        with desk.hooks("late"):
            reply = desk.send("notice-back")
            desk.cancel(reply.id)
            desk.journey.shows("The message was taken back.")

        assert (reply.woke, reply.state) == (True, "pending")
        assert len(desk.requests()) == before
        assert desk.journey.record().status in ("done", "idle")
