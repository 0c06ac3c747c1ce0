"""Notices for a real OpenCode 1: what its model is asked, and what stays in the user's box.

All tests share one OpenCode and, after the first, one session. Each leaves it at rest, with an empty box and an empty
inbox; the last ones end the server, and OpenCode. The plugin that the documentation has as its example runs in it.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from orca_tui.base.errors import InboxConflict
from tests.e2e.desk import Desk
from tests.e2e.opencode import OpenCode
from tests.e2e.rebooting import kill_server
from tests.e2e.sandbox import Sandbox, poll_until
from tests.e2e.writer import TIMEOUT_S

PAUSE = {"tool": "bash", "args": {"command": "echo ran", "description": "Say ran"}}
ANSWER = {"text": "finished"}
PLAN_REMINDER = "plan mode"  # OpenCode writes it into every prompt of a session that runs as `plan`.
CHANGED_MODE = "operational mode has changed"
NOTICES_PAGE = Path(__file__).parents[2] / "docs" / "notices.md"
CHANGE = {"tool": "write", "args": {"filePath": "a", "content": "b"}}
TEST = {"tool": "bash", "args": {"command": "test", "description": "T"}}
"""Short: of a longer prompt OpenCode shows that it was pasted, and not what."""
REMINDER = "You have not run the tests yet."


@pytest.fixture(scope="module")
def opened(room: Sandbox, tenant: OpenCode) -> Iterator[Desk]:
    """OpenCode, which has no session before its first prompt."""
    example = re.search(r"```js\n(.*?)```", NOTICES_PAGE.read_text(), re.DOTALL)
    assert example is not None
    (tenant.config_dir / "plugins").mkdir(exist_ok=True)
    (tenant.config_dir / "plugins" / "remind-of-tests.js").write_text(example[1])
    desk = Desk(room, tenant)
    yield desk
    desk.writer.close()


@pytest.fixture
def desk(opened: Desk) -> Desk:
    """OpenCode at rest, in a session with a turn behind it."""
    if opened.writer.pane(opened.pane).session_id is None:
        opened.turn(ANSWER)
    opened.writer.waits(opened.pane, "idle", "done")
    return opened


def test_what_is_left_before_there_is_a_session_comes_once_after_its_first_prompt(opened: Desk) -> None:
    reply = opened.send("notice-early")
    before = opened.opencode.asked("notice-early")

    word = opened.prompt(ANSWER)
    opened.writer.becomes(opened.pane, reply.id, "delivered")
    poll_until(lambda: opened.opencode.asked("notice-early"), "the model is asked")
    opened.writer.waits(opened.pane, "done")

    assert (reply.state, before) == ("pending", [])
    assert opened.arrived_once("notice-early")
    [request] = opened.opencode.asked_last("notice-early")
    assert any(word in message for message in request["conversation"][:-1])


def test_an_idle_session_is_woken_and_its_draft_stays(desk: Desk) -> None:
    desk.writer.paste(desk.pane, "half a thought")
    desk.writer.shows(desk.pane, "half a thought")

    reply = desk.send("notice-wake", wait="done")

    assert (reply.state, reply.woke) == ("delivered", True)
    assert desk.arrived_once("notice-wake")
    assert desk.opencode.asked("half a thought") == []
    assert "half a thought" in desk.writer.screen(desk.pane)
    desk.empty_the_box()


def test_a_conditional_wake_is_held(desk: Desk) -> None:
    desk.nobody_types()
    turns = desk.writer.pane(desk.pane).turns

    reply = desk.send("notice-idle", resume={"if_idle": True, "agent": "build"})
    desk.writer.turns(desk.pane, turns + 1)

    assert reply.woke
    assert reply.guard in ("held", "snapshot"), "snapshot when the machine took longer than a second"
    assert desk.arrived_once("notice-idle")


def test_a_draft_stays_and_keeps_a_conditional_notice_from_ever_waking(desk: Desk) -> None:
    desk.writer.paste(desk.pane, "half a thought")
    desk.writer.shows(desk.pane, "half a thought")
    failed = desk.send("notice-draft", resume={"if_idle": True})
    left = desk.writer.screen(desk.pane)

    desk.empty_the_box()
    desk.send("another-wake", wait="done")  # It would come second, if the other one might wake too.

    assert (failed.woke, failed.reason, failed.state) == (False, "draft", "pending")
    assert "half a thought" in left
    assert desk.opencode.asked("notice-draft") == []
    assert desk.writer.cancel(desk.pane, failed.id).state == "cancelled"


def test_a_session_that_runs_as_another_agent_is_not_woken_nor_later(desk: Desk) -> None:
    desk.nobody_types()
    failed = desk.send("notice-mismatch", resume={"if_idle": True, "agent": "plan"})

    desk.send("another-wake", wait="done")  # It would come second, if the other one might wake too.

    assert (failed.woke, failed.reason, failed.state) == (False, "agent_mismatch", "pending")
    assert desk.opencode.asked("notice-mismatch") == []
    assert desk.writer.cancel(desk.pane, failed.id).state == "cancelled"


def test_queued_while_busy_one_is_cancelled_and_one_arrives_once(desk: Desk) -> None:
    turns = desk.writer.pane(desk.pane).turns
    desk.busy("queued")
    stale = desk.send("notice-stale")
    fresh = desk.send("notice-fresh")

    desk.writer.cancel(desk.pane, stale.id)
    desk.opencode.release("queued")
    delivered = desk.writer.becomes(desk.pane, fresh.id, "delivered")
    desk.writer.turns(desk.pane, turns + 2)

    assert (stale.reason, fresh.reason, fresh.state) == ("busy", "busy", "pending")
    assert delivered.receipt is not None
    assert desk.opencode.asked("notice-stale") == []
    assert desk.arrived_once("notice-fresh")
    with pytest.raises(InboxConflict) as conflict:
        desk.writer.cancel(desk.pane, fresh.id)
    assert conflict.value.facts["receipt"] is not None


def test_what_must_not_wake_comes_in_with_the_users_next_prompt_only(desk: Desk) -> None:
    gone = desk.send("notice-gone", resume=False)
    rides = desk.send("notice-rides", resume=False)
    desk.writer.cancel(desk.pane, gone.id)
    desk.send("another-wake", wait="done")  # A turn that no prompt of the user's starts.
    before = desk.opencode.asked("notice-rides")

    desk.turn({"text": "second"})

    assert (rides.woke, rides.reason, before) == (False, "resume_false", [])
    assert desk.writer.becomes(desk.pane, rides.id, "delivered").receipt is not None
    assert desk.arrived_once("notice-rides")
    assert desk.opencode.asked("notice-gone") == []
    assert "notice-rides" not in desk.writer.screen(desk.pane)


def test_a_steering_notice_appears_in_the_running_turn(desk: Desk) -> None:
    turns = desk.writer.pane(desk.pane).turns
    desk.prompt(PAUSE, ANSWER)
    desk.writer.waits(desk.pane, "waiting")
    steers = desk.send("notice-steer", delivery="steer")
    waiting = desk.send("notice-waiting", resume={"if_idle": True})
    desk.allow()

    desk.writer.becomes(desk.pane, steers.id, "delivered")
    desk.writer.turns(desk.pane, turns + 1)

    assert steers.delivery == "steer"
    assert waiting.reason == "waiting"
    assert desk.arrived_once("notice-steer")
    assert desk.writer.pane(desk.pane).turns == turns + 1
    assert desk.opencode.asked("notice-waiting") == []
    desk.writer.cancel(desk.pane, waiting.id)


def test_the_example_plugin_reminds_after_a_turn_and_takes_that_back_when_it_is_needless(desk: Desk) -> None:
    turns = desk.writer.pane(desk.pane).turns
    desk.prompt(CHANGE, TEST, {"text": "ok"})
    desk.allow()
    desk.writer.turns(desk.pane, turns + 1)
    desk.send("notice-behind", wait="done")
    needless = desk.opencode.asked(REMINDER)

    desk.prompt(CHANGE, ANSWER)
    desk.writer.turns(desk.pane, turns + 4)

    assert needless == []
    assert desk.arrived_once(REMINDER)


def test_a_plan_session_stays_in_plan(desk: Desk) -> None:
    desk.writer.keys(desk.pane, "tab")
    poll_until(lambda: "Plan" in desk.writer.screen(desk.pane), "the session is switched to plan")
    word = desk.turn(ANSWER)
    desk.nobody_types()

    reply = desk.send("notice-plan", resume={"if_idle": True, "agent": "plan"}, wait="done")

    assert reply.woke
    [prompted], [woken] = desk.opencode.asked_last(word), desk.opencode.asked_last("notice-plan")
    assert PLAN_REMINDER in prompted["conversation"][-1].lower()
    assert PLAN_REMINDER in woken["conversation"][-1].lower()
    assert not any(CHANGED_MODE in message for message in woken["conversation"])
    desk.writer.keys(desk.pane, "tab")
    desk.turn(ANSWER)


def test_a_session_that_was_rewound_is_not_woken(desk: Desk) -> None:
    desk.turn(ANSWER)
    desk.writer.keys(desk.pane, *"/undo")  # A pasted command is a prompt.
    desk.writer.shows(desk.pane, "/undo")
    desk.writer.keys(desk.pane, "enter")
    desk.writer.shows(desk.pane, "reverted")

    reply = desk.send("notice-reverted", resume={"if_idle": True}, allow_race=True)

    assert (reply.woke, reply.reason, reply.state) == (False, "reverted", "pending")
    assert desk.opencode.asked("notice-reverted") == []
    desk.writer.cancel(desk.pane, reply.id)
    desk.writer.keys(desk.pane, "ctrl+c")
    desk.turn(ANSWER)


def test_an_interrupt_ends_the_turn(desk: Desk) -> None:
    desk.busy("interrupted")
    session = desk.writer.pane(desk.pane).session_id

    active = desk.writer.active()
    desk.writer.interrupt(desk.pane)

    stopped = desk.writer.waits(desk.pane, "idle", "done", "error")
    assert (stopped.status, stopped.interrupted) == ("idle", True)
    assert active[session].pane == desk.pane
    assert desk.writer.active() == {}
    desk.opencode.release("interrupted")


def kill_server_on_the_way(desk: Desk, text: str) -> tuple[str, list[int]]:
    """OpenCode has been sent a notice that it has not looked at yet, when the server is killed; the notice, and the
    processes of OpenCode, which stand still."""
    program = psutil.Process(desk.writer.pane(desk.pane).pid or 0)
    pids = [process.pid for process in (program, *program.children(recursive=True))]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    reply = desk.send(text)
    assert (reply.woke, reply.state) == (True, "delivering")
    desk.writer.close()
    kill_server(desk.sandbox)
    desk.connect()
    return reply.id, pids


def test_evidence_of_what_was_on_its_way_counts_for_the_next_server(desk: Desk) -> None:
    notice, pids = kill_server_on_the_way(desk, "notice-proven")
    found = desk.writer.notice(desk.pane, notice)

    for pid in pids:
        os.kill(pid, signal.SIGCONT)
    delivered = desk.writer.becomes(desk.pane, notice, "delivered")
    poll_until(lambda: desk.opencode.asked("notice-proven"), "the model is asked")
    word = desk.prompt(ANSWER)
    poll_until(lambda: desk.opencode.asked(word), "the model is asked the next prompt", TIMEOUT_S)
    # What had ended before the new server first heard of OpenCode is no news to it: then it rests as idle.
    desk.writer.waits(desk.pane, "idle", "done")

    assert (found.state, found.why) == ("failed", "interrupted")
    assert delivered.receipt is not None
    assert desk.arrived_once("notice-proven")


def test_what_was_on_its_way_and_left_no_evidence_has_failed_and_is_not_sent_again(desk: Desk) -> None:
    session = desk.writer.pane(desk.pane).session_id
    assert session is not None
    notice, pids = kill_server_on_the_way(desk, "notice-lost")

    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    desk.writer.waits(desk.pane, "exited")
    desk.pane = desk.writer.open("opencode", "opencode", "--session", session)
    desk.writer.shows(desk.pane, "finished", 60)
    desk.turn(ANSWER)
    desk.send("notice-next", wait="done")

    found = desk.writer.notice(session, notice)
    assert desk.writer.pane(desk.pane).session_id == session
    assert (found.state, found.why) == ("failed", "interrupted")
    assert desk.opencode.asked("notice-lost") == []
    assert desk.arrived_once("notice-next")
