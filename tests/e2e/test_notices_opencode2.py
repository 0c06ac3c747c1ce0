"""Notices for the OpenCode 2 double, with and without what later hosts can do by themselves.

The tests of one kind of host share it and its session. Each leaves it at rest, as agent `build`, with empty inboxes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from orca_tui.base.errors import InboxConflict
from orca_tui.commands.send import SendReply
from tests.e2e.opencode2 import OpenCode2
from tests.e2e.sandbox import Sandbox, poll_until
from tests.e2e.writer import Writer

SESSION = "ses_root"


class Desk:
    """One host in one pane, with who leaves notices for it."""

    def __init__(self, sandbox: Sandbox, *, future: bool) -> None:
        self.future = future
        self.host = OpenCode2(sandbox, *(("--future",) if future else ()), untyped=True)
        self.pane = self.host.pane
        self.writer = Writer(sandbox)

    def send(self, text: str, **fields: Any) -> SendReply:
        return self.writer.send(self.pane, text, **fields)

    def works(self) -> int:
        """Have it work until `host.finish()`; how many turns it had before."""
        turns = self.writer.pane(self.pane).turns
        self.host.start_turn()
        self.writer.waits(self.pane, "working")
        return turns

    def ends(self) -> None:
        turns = self.writer.pane(self.pane).turns
        self.host.finish()
        self.writer.turns(self.pane, turns + 1)

    def requests(self) -> list[list[str]]:
        """The conversations that the model was asked with."""
        return [record["conversation"] for record in self.host.records() if record["rec"] == "request"]

    def times(self, text: str) -> int:
        """How often the conversation holds a text by now."""
        return sum(text in said for said in self.requests()[-1])

    def calls(self, name: str, text: str) -> list[dict[str, Any]]:
        """What our plugin has called the host for, about a notice of that text."""
        calls = [record for record in self.host.records() if record["rec"] == "call"]
        ids = {call["input"].get("id") for call in calls if call["input"].get("text") == text}
        return [
            call
            for call in calls
            if call["name"] == name and (call["input"].get("inboxID") or call["input"].get("id")) in ids
        ]

    def starts_nothing(self, reply: SendReply, text: str) -> None:
        """A later notice goes past one whose condition failed, whose text the model never sees."""
        self.send("nobody works now", wait="done")
        assert (reply.woke, reply.state, reply.guard) == (False, "pending", None)
        assert self.times(text) == 0
        assert self.writer.cancel(self.pane, reply.id).state == "cancelled"


@pytest.fixture(scope="module", params=[False, True], ids=["today", "future"])
def opened(request: pytest.FixtureRequest) -> Iterator[Desk]:
    sandbox = Sandbox()
    try:
        desk = Desk(sandbox, future=request.param)
        desk.works()
        desk.ends()
        yield desk
        desk.writer.close()
    finally:
        sandbox.close()


@pytest.fixture
def desk(opened: Desk) -> Desk:
    """The host at rest, with a turn behind it."""
    opened.writer.waits(opened.pane, "idle", "done")
    return opened


def test_an_idle_session_is_woken_once(desk: Desk) -> None:
    reply = desk.send("notice-wake", wait="done")

    assert (reply.state, reply.woke) == ("delivered", True)
    assert desk.times("notice-wake") == 1


def test_a_conditional_wake_names_its_guard_and_uses_what_the_host_has(desk: Desk) -> None:
    reply = desk.send("notice-idle", resume={"if_idle": True, "agent": "build"}, wait="done")

    assert reply.woke
    assert reply.guard in (("host",) if desk.future else ("held", "snapshot"))
    [call] = desk.calls("session.synthetic", "notice-idle")
    assert call["input"]["resume"] == ({"ifIdle": True, "agent": "build"} if desk.future else True)
    assert call["input"]["delivery"] == "queue"
    assert desk.times("notice-idle") == 1


def test_queued_while_busy_one_is_cancelled_and_one_arrives_once(desk: Desk) -> None:
    turns = desk.works()
    stale = desk.send("notice-stale")
    fresh = desk.send("notice-fresh")

    desk.writer.cancel(desk.pane, stale.id)
    left = desk.calls("session.synthetic", "notice-fresh")
    desk.host.finish()
    desk.writer.becomes(desk.pane, fresh.id, "delivered")
    desk.writer.turns(desk.pane, turns + 2)

    assert (stale.reason, fresh.reason) == ("busy", "busy")
    assert left == [], "it waits with us, not in the host's inbox"
    assert desk.times("notice-fresh") == 1
    assert desk.times("notice-stale") == 0
    with pytest.raises(InboxConflict) as conflict:
        desk.writer.cancel(desk.pane, fresh.id)
    assert conflict.value.facts["receipt"] is not None


def test_what_must_not_wake_comes_in_with_the_users_next_prompt_only(desk: Desk) -> None:
    gone = desk.send("notice-gone", resume=False)
    rides = desk.send("notice-rides", resume=False)
    desk.writer.cancel(desk.pane, gone.id)
    desk.send("another-wake", wait="done")  # A turn that no prompt of the user's starts.
    before = desk.times("notice-rides")

    desk.works()
    desk.writer.becomes(desk.pane, rides.id, "delivered")
    desk.ends()

    assert (rides.woke, rides.reason, before) == (False, "resume_false", 0)
    assert desk.times("notice-rides") == 1
    assert desk.times("notice-gone") == 0


def test_an_agent_that_was_switched_is_not_woken_nor_later(desk: Desk) -> None:
    desk.host.does(cmd="switch", sessionID=SESSION, agent="plan")
    reply = desk.send("notice-build", resume={"if_idle": True, "agent": "build"})

    assert reply.reason == "agent_mismatch"
    desk.starts_nothing(reply, "notice-build")
    desk.host.does(cmd="switch", sessionID=SESSION, agent="build")
    desk.works()
    desk.ends()


def test_a_session_that_was_rewound_is_not_woken_nor_later(desk: Desk) -> None:
    desk.host.does(cmd="revert", sessionID=SESSION)

    reply = desk.send("notice-reverted", resume={"if_idle": True})
    desk.writer.cancel(desk.pane, reply.id)
    desk.works()
    desk.ends()

    assert (reply.woke, reply.reason, reply.state) == (False, "reverted", "pending")
    assert desk.times("notice-reverted") == 0


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ({"cmd": "prompt", "sessionID": SESSION, "text": "faster", "ms": 600_000}, "busy"),
        ({"cmd": "switch", "sessionID": SESSION, "agent": "plan"}, "agent_mismatch"),
        ({"cmd": "revert", "sessionID": SESSION}, "reverted"),
    ],
    ids=["prompt", "switch", "revert"],
)
def test_what_comes_between_the_look_and_the_wake_keeps_it_from_ever_waking(
    desk: Desk, what: dict[str, Any], reason: str
) -> None:
    """Between our plugin's look and its call it can only come where the host decides in the call itself."""
    call = "session.synthetic" if desk.future else "session.get"
    text = f"notice-between-{what['cmd']}"
    desk.host.does(cmd="before", call=call, do=what)

    reply = desk.send(text, resume={"if_idle": True, "agent": "build"})

    assert (reply.woke, reply.reason, reply.guard) == (False, reason, None)
    assert len(desk.calls("session.synthetic", text)) == len(desk.calls("session.inbox.cancel", text))
    assert bool(desk.calls("session.inbox.cancel", text)) == desk.future
    if reason == "busy":
        desk.writer.waits(desk.pane, "working")
        desk.ends()
    desk.host.does(cmd="switch", sessionID=SESSION, agent="build")
    desk.writer.cancel(desk.pane, reply.id)
    desk.works()
    desk.ends()
    assert desk.times(text) == 0


def test_a_steering_notice_comes_into_the_running_turn(desk: Desk) -> None:
    desk.works()
    reply = desk.send("notice-steer", delivery="steer")

    desk.host.emit("session.tool.success", sessionID=SESSION, id="call_1")
    desk.writer.becomes(desk.pane, reply.id, "delivering")
    desk.host.finish()
    desk.writer.becomes(desk.pane, reply.id, "delivered")
    desk.writer.waits(desk.pane, "done")

    assert reply.delivery == "steer"
    assert desk.times("notice-steer") == 1


def test_an_interrupt_ends_the_turn(desk: Desk) -> None:
    desk.works()
    active = desk.writer.active()

    desk.writer.interrupt(desk.pane)

    assert desk.writer.waits(desk.pane, "idle").interrupted
    assert list(active) == [SESSION]
    poll_until(lambda: desk.writer.active() == {}, "nothing runs")
