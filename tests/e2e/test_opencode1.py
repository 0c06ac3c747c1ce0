"""A real OpenCode 1 in a pane: its status from the first prompt to its end, and what servers do with its plugin.

All tests share one sandbox, and the first ones one running OpenCode, in this order.
"""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.e2e.opencode import OpenCode
from tests.e2e.sandbox import Follower, Sandbox, poll_until

BASH = {"tool": "bash", "args": {"command": "echo ran", "description": "Say ran"}}
ANSWER = {"text": "finished"}
LONG_ANSWER = {"text": "word", "n": 600, "delay": 0.1}


@pytest.fixture(scope="module")
def events(room: Sandbox) -> Follower:
    return room.follow()


@pytest.fixture(scope="module")
def pane(tenant: OpenCode, events: Follower) -> str:
    """That of the running OpenCode, followed from its beginning."""
    return tenant.open()


def test_a_turn_with_a_permission_goes_working_waiting_working_done(
    room: Sandbox, tenant: OpenCode, events: Follower, pane: str
) -> None:
    tenant.prompt(pane, BASH, ANSWER)
    room.wait(pane, "working", timeout=60)
    asked = room.wait(pane, "waiting", timeout=60)
    events.wait_for_rings(pane, 1)
    room.run("keys", pane, "enter")
    done = room.wait(pane, "done", timeout=60)
    events.wait_for_rings(pane, 2)

    assert asked["kind"] == "permission"
    assert asked["agent"] == "opencode"
    assert done["unread"]
    assert not done["interrupted"]
    assert done["turns"] == 1
    assert done["session_id"].startswith("ses_")
    changes = events.statuses(pane)
    assert changes[-4:] == ["idle>working", "working>waiting", "waiting>working", "working>done"]
    assert events.rings(pane) == 2  # The ask, and the end.
    room.run("seen", pane)
    assert not room.panes()[pane]["unread"]


def test_escape_twice_ends_the_turn_as_interrupted_without_a_bell(
    room: Sandbox, tenant: OpenCode, events: Follower, pane: str
) -> None:
    rang = events.rings(pane)

    tenant.prompt(pane, LONG_ANSWER)
    room.wait(pane, "working", timeout=60)
    room.shows(pane, "word 3", timeout=60)
    room.run("keys", pane, "escape", "escape")
    stopped = room.wait(pane, "idle")

    assert stopped["interrupted"]
    assert not stopped["unread"]
    events.wait_for_statuses(pane, "done>working", "working>idle")
    assert events.rings(pane) == rang


def test_quitting_in_the_middle_of_a_turn_leaves_nothing_working(
    room: Sandbox, tenant: OpenCode, events: Follower, pane: str
) -> None:
    before = len(events.statuses(pane))

    tenant.prompt(pane, LONG_ANSWER)
    room.wait(pane, "working", timeout=60)
    room.run("keys", pane, "ctrl+d")
    gone = room.wait(pane, "exited")

    assert gone["exit_code"] == 0
    events.wait_for(lambda: events.statuses(pane)[-1].endswith(">exited"))
    changes = events.statuses(pane)[before:]
    assert changes[0] == "idle>working"
    assert "working>done" not in changes


def test_opencode_run_goes_working_and_then_ends(room: Sandbox, tenant: OpenCode, events: Follower) -> None:
    pane = room.open(
        "--agent", "opencode", "--cwd", str(room.project), "--", "opencode", "run", "say something"
    )
    gone = room.wait(pane, "exited", timeout=90)

    assert gone["exit_code"] == 0
    assert gone["turns"] == 1
    assert "unknown>working" in events.statuses(pane) or "idle>working" in events.statuses(pane)


def identity(stat: os.stat_result) -> tuple[int, int]:
    """What changes when a file is written anew."""
    return stat.st_mtime_ns, stat.st_ino


def test_a_new_server_leaves_the_plugin_file_alone(room: Sandbox, tenant: OpenCode) -> None:
    room.open("--agent", "opencode", "--", "true")
    before = identity(tenant.plugin.stat())

    room.run("server", "stop", "--yes")
    room.wait(room.open("--agent", "opencode", "--", "true"), "exited")

    assert identity(tenant.plugin.stat()) == before


def test_ten_panes_opened_at_once_leave_the_plugin_file_alone(room: Sandbox, tenant: OpenCode) -> None:
    room.open("--agent", "opencode", "--", "true")
    poll_until(tenant.plugin.exists, "the plugin is installed")
    before = identity(tenant.plugin.stat())

    running = [
        subprocess.Popen(
            [*room.command, "open", "--agent", "opencode", "--", "cat"],
            env=room.env,
            cwd=room.project,
        )
        for _ in range(10)
    ]
    assert [process.wait(timeout=60) for process in running] == [0] * 10

    assert identity(tenant.plugin.stat()) == before
