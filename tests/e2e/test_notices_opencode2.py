"""Notices for the OpenCode 2 double, with and without what later hosts can do by themselves."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.e2e.opencode2 import OpenCode2
from tests.e2e.sandbox import Sandbox, poll_until

SESSION = "ses_root"


@pytest.fixture(params=[(), ("--future",)], ids=["today", "future"])
def host(request: pytest.FixtureRequest, sandbox: Sandbox) -> OpenCode2:
    """A host whose session has one turn behind it."""
    made = OpenCode2(sandbox, *request.param, untyped=True)
    made.start_turn()
    sandbox.wait(made.pane, "working")
    made.finish()
    sandbox.wait(made.pane, "done")
    return made


def send(sandbox: Sandbox, pane: str, text: str, *options: str) -> dict[str, Any]:
    reply: dict[str, Any] = json.loads(sandbox.run("send", pane, text, "--json", *options))
    return reply


def state(sandbox: Sandbox, pane: str, notice: str) -> str:
    lines = sandbox.run("inbox", "list", pane, "--closed", "--json").splitlines()
    [row] = [one for one in map(json.loads, lines) if one["id"] == notice]
    return str(row["state"])


def becomes(sandbox: Sandbox, pane: str, notice: str, wanted: str) -> None:
    poll_until(lambda: state(sandbox, pane, notice) == wanted, f"{notice} is {wanted}", 20)


def asked(host: OpenCode2, text: str) -> int:
    """How many requests for the model hold a text."""
    return sum(
        record["rec"] == "request" and any(text in said for said in record["conversation"])
        for record in host.records()
    )


def is_future(host: OpenCode2) -> bool:
    return any(record.get("name") == "session.active" for record in host.records())


def test_an_idle_session_is_woken_once(sandbox: Sandbox, host: OpenCode2) -> None:
    reply = send(sandbox, host.pane, "notice-wake", "--wait", "done", "--timeout", "30")

    assert (reply["state"], reply["woke"]) == ("delivered", True)
    assert asked(host, "notice-wake") == 1


def test_a_conditional_wake_names_its_guard(sandbox: Sandbox, host: OpenCode2) -> None:
    reply = send(sandbox, host.pane, "notice-idle", "--agent-mode", "build")
    becomes(sandbox, host.pane, reply["id"], "delivered")

    assert reply["woke"]
    assert reply["guard"] in (("host",) if is_future(host) else ("held", "snapshot"))


def test_queued_while_busy_one_is_cancelled_and_one_arrives_once(sandbox: Sandbox, host: OpenCode2) -> None:
    host.start_turn()
    sandbox.wait(host.pane, "working")
    stale = send(sandbox, host.pane, "notice-stale")
    fresh = send(sandbox, host.pane, "notice-fresh")

    sandbox.run("inbox", "cancel", host.pane, stale["id"])
    host.finish()
    becomes(sandbox, host.pane, fresh["id"], "delivered")

    assert stale["reason"] == "busy"
    poll_until(lambda: asked(host, "notice-fresh") == 1, "the model was asked")
    assert asked(host, "notice-stale") == 0


def test_what_must_not_wake_comes_in_with_the_next_prompt_unless_it_is_taken_back(
    sandbox: Sandbox, host: OpenCode2
) -> None:
    gone = send(sandbox, host.pane, "notice-gone", "--no-resume")
    rides = send(sandbox, host.pane, "notice-rides", "--no-resume")
    sandbox.run("inbox", "cancel", host.pane, gone["id"])
    before = asked(host, "notice-rides")

    host.start_turn()
    becomes(sandbox, host.pane, rides["id"], "delivered")
    host.finish()
    sandbox.wait(host.pane, "done")

    assert before == 0
    assert asked(host, "notice-rides") >= 1
    assert asked(host, "notice-gone") == 0


def test_an_agent_that_was_switched_is_not_woken_nor_later(sandbox: Sandbox, host: OpenCode2) -> None:
    host.say(cmd="switch", sessionID=SESSION, agent="plan")
    reply = send(sandbox, host.pane, "notice-build", "--agent-mode", "build")

    assert (reply["woke"], reply["reason"], reply["state"]) == (False, "agent_mismatch", "pending")
    assert reply["guard"] is None
    host.say(cmd="active")
    host.wait_for("the host has answered", lambda record: record["rec"] == "active")
    assert asked(host, "notice-build") == 0
    assert (
        json.loads(sandbox.run("inbox", "cancel", host.pane, reply["id"], "--json"))["state"] == "cancelled"
    )


def test_a_reverted_session_is_not_woken(sandbox: Sandbox, host: OpenCode2) -> None:
    host.say(cmd="revert", sessionID=SESSION)

    reply = send(sandbox, host.pane, "notice-reverted", "--if-idle")

    assert (reply["woke"], reply["reason"]) == (False, "reverted")


def test_a_steering_notice_comes_into_the_running_turn(sandbox: Sandbox, host: OpenCode2) -> None:
    host.start_turn()
    sandbox.wait(host.pane, "working")
    reply = send(sandbox, host.pane, "notice-steer", "--steer")

    host.emit("session.tool.success", sessionID=SESSION, id="call_1")
    becomes(sandbox, host.pane, reply["id"], "delivering")
    host.finish()
    becomes(sandbox, host.pane, reply["id"], "delivered")

    assert reply["delivery"] == "steer"


def test_an_interrupt_ends_the_turn(sandbox: Sandbox, host: OpenCode2) -> None:
    host.start_turn()
    sandbox.wait(host.pane, "working")

    sandbox.run("interrupt", host.pane)

    assert sandbox.wait(host.pane, "idle")["interrupted"]
