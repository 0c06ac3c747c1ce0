"""Notices for a real OpenCode 1: what its model is asked, and what stays in the user's box."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.e2e.opencode import OpenCode
from tests.e2e.sandbox import Sandbox, poll_until

PAUSE = {"tool": "bash", "args": {"command": "echo ran", "description": "Say ran"}}
ANSWER = {"text": "finished"}
LONG_ANSWER = {"text": "word", "n": 30, "delay": 0.1}


@pytest.fixture
def pane(sandbox: Sandbox, opencode: OpenCode) -> str:
    """OpenCode at rest, in a session with one turn behind it."""
    opened = opencode.open()
    opencode.prompt(opened, ANSWER)
    sandbox.wait(opened, "done", timeout=60)
    return opened


def send(sandbox: Sandbox, pane: str, text: str, *options: str) -> dict[str, Any]:
    reply: dict[str, Any] = json.loads(sandbox.run("send", pane, text, "--json", *options))
    return reply


def becomes(sandbox: Sandbox, pane: str, notice: str, state: str) -> dict[str, Any]:
    """Wait until a notice has a state."""

    def found() -> dict[str, Any]:
        lines = sandbox.run("inbox", "list", pane, "--closed", "--json").splitlines()
        [row] = [one for one in map(json.loads, lines) if one["id"] == notice]
        return row  # type: ignore[no-any-return]

    poll_until(lambda: found()["state"] == state, f"{notice} is {state}, not {found()}", 40)
    return found()


def busy(sandbox: Sandbox, opencode: OpenCode, pane: str) -> None:
    opencode.prompt(pane, LONG_ANSWER)
    sandbox.wait(pane, "working", timeout=60)


def test_an_idle_session_is_woken_and_its_draft_stays(
    sandbox: Sandbox, opencode: OpenCode, pane: str
) -> None:
    sandbox.run("type", pane, "half a thought")
    sandbox.shows(pane, "half a thought")

    reply = send(sandbox, pane, "notice-wake", "--wait", "done", "--timeout", "30")

    assert (reply["state"], reply["woke"]) == ("delivered", True)
    assert len(opencode.asked("notice-wake")) == 1
    assert opencode.asked("half a thought") == []
    assert "half a thought" in sandbox.run("read", pane)


def test_a_conditional_wake_is_held_and_a_draft_keeps_it_from_ever_waking(
    sandbox: Sandbox, opencode: OpenCode, pane: str
) -> None:
    woke = send(sandbox, pane, "notice-idle", "--if-idle", "--agent-mode", "build")
    sandbox.wait(pane, "done", timeout=30)
    becomes(sandbox, pane, woke["id"], "delivered")
    sandbox.run("type", pane, "half a thought")
    draft = send(sandbox, pane, "notice-draft", "--if-idle")
    sandbox.run("keys", pane, "ctrl+c")
    mismatch = send(sandbox, pane, "notice-plan", "--agent-mode", "plan")

    assert woke["woke"]
    assert woke["guard"] in ("held", "snapshot"), "snapshot when the machine took longer than a second"
    assert (draft["woke"], draft["reason"], draft["state"]) == (False, "draft", "pending")
    assert (mismatch["woke"], mismatch["state"]) == (False, "pending")
    assert opencode.asked("notice-draft") == []


def test_queued_while_busy_one_is_cancelled_and_one_arrives_once(
    sandbox: Sandbox, opencode: OpenCode, pane: str
) -> None:
    busy(sandbox, opencode, pane)
    stale = send(sandbox, pane, "notice-stale")
    fresh = send(sandbox, pane, "notice-fresh")

    sandbox.run("inbox", "cancel", pane, stale["id"])
    delivered = becomes(sandbox, pane, fresh["id"], "delivered")

    assert (stale["reason"], fresh["state"]) == ("busy", "pending")
    assert delivered["receipt"] is not None
    sandbox.wait(pane, "done", timeout=30)
    assert opencode.asked("notice-stale") == []
    assert len(opencode.asked_last("notice-fresh")) == 1


def test_what_must_not_wake_comes_in_with_the_next_prompt_unless_it_is_taken_back(
    sandbox: Sandbox, opencode: OpenCode, pane: str
) -> None:
    gone = send(sandbox, pane, "notice-gone", "--no-resume")
    rides = send(sandbox, pane, "notice-rides", "--no-resume")
    sandbox.run("inbox", "cancel", pane, gone["id"])
    before = opencode.asked("notice-rides")

    opencode.prompt(pane, {"text": "second"})
    becomes(sandbox, pane, rides["id"], "delivered")
    sandbox.wait(pane, "done", timeout=30)

    assert (rides["woke"], rides["reason"], before) == (False, "resume_false", [])
    assert len(opencode.asked("notice-rides")) == 1
    assert opencode.asked("notice-gone") == []
    assert "notice-rides" not in sandbox.run("read", pane)


def test_a_steering_notice_appears_in_the_running_turn(
    sandbox: Sandbox, opencode: OpenCode, pane: str
) -> None:
    opencode.prompt(pane, PAUSE, ANSWER)
    sandbox.wait(pane, "waiting", timeout=60)
    reply = send(sandbox, pane, "notice-steer", "--steer")
    waiting = send(sandbox, pane, "notice-waiting", "--if-idle")
    sandbox.run("keys", pane, "enter")

    becomes(sandbox, pane, reply["id"], "delivered")
    done = sandbox.wait(pane, "done", timeout=60)

    assert reply["delivery"] == "steer"
    assert waiting["reason"] == "waiting"
    assert done["turns"] == 2, "of the first prompt and of this one"
    assert len(opencode.asked("notice-steer")) == 1
    assert opencode.asked("notice-waiting") == []


def test_what_is_left_before_there_is_a_session_follows_its_first_turn(
    sandbox: Sandbox, opencode: OpenCode
) -> None:
    pane = opencode.open()
    reply = send(sandbox, pane, "notice-early")
    before = opencode.asked("notice-early")

    opencode.prompt(pane, ANSWER)
    becomes(sandbox, pane, reply["id"], "delivered")

    assert (reply["state"], before) == ("pending", [])
    poll_until(lambda: len(opencode.asked_last("notice-early")) == 1, "the model was asked once")


def test_an_interrupt_ends_the_turn(sandbox: Sandbox, opencode: OpenCode, pane: str) -> None:
    busy(sandbox, opencode, pane)

    sandbox.run("interrupt", pane)
    stopped = sandbox.wait(pane, "idle", timeout=30)

    assert stopped["interrupted"]
