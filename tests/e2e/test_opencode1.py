"""A real OpenCode 1 in a pane: its status from the first prompt to its end."""

from __future__ import annotations

import subprocess

from tests.e2e.opencode import OpenCode
from tests.e2e.sandbox import Sandbox, poll_until

BASH = {"tool": "bash", "args": {"command": "echo ran", "description": "Say ran"}}
ANSWER = {"text": "finished"}
LONG_ANSWER = {"text": "word", "n": 600, "delay": 0.1}


def test_a_turn_with_a_permission_goes_working_waiting_working_done(
    sandbox: Sandbox, opencode: OpenCode
) -> None:
    pane = opencode.open()
    events = sandbox.follow()

    opencode.prompt(pane, BASH, ANSWER)
    sandbox.wait(pane, "working", timeout=60)
    asked = sandbox.wait(pane, "waiting", timeout=60)
    events.wait_for_rings(pane, 1)
    sandbox.run("keys", pane, "enter")
    done = sandbox.wait(pane, "done", timeout=60)
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
    sandbox.run("seen", pane)
    assert not sandbox.panes()[pane]["unread"]


def test_escape_twice_ends_the_turn_as_interrupted_without_a_bell(
    sandbox: Sandbox, opencode: OpenCode
) -> None:
    pane = opencode.open()
    events = sandbox.follow()

    opencode.prompt(pane, LONG_ANSWER)
    sandbox.wait(pane, "working", timeout=60)
    sandbox.shows(pane, "word 3", timeout=60)
    sandbox.run("keys", pane, "escape", "escape")
    stopped = sandbox.wait(pane, "idle")

    assert stopped["interrupted"]
    assert not stopped["unread"]
    assert events.rings(pane) == 0


def test_quitting_in_the_middle_of_a_turn_leaves_nothing_working(
    sandbox: Sandbox, opencode: OpenCode
) -> None:
    pane = opencode.open()
    events = sandbox.follow()

    opencode.prompt(pane, LONG_ANSWER)
    sandbox.wait(pane, "working", timeout=60)
    sandbox.run("keys", pane, "ctrl+d")
    gone = sandbox.wait(pane, "exited")

    assert gone["exit_code"] == 0
    assert "working>done" not in events.statuses(pane)


def test_opencode_run_goes_working_and_then_ends(sandbox: Sandbox, opencode: OpenCode) -> None:
    events = sandbox.follow()

    pane = sandbox.open(
        "--agent", "opencode", "--cwd", str(sandbox.project), "--", "opencode", "run", "say something"
    )
    gone = sandbox.wait(pane, "exited", timeout=90)

    assert gone["exit_code"] == 0
    assert gone["turns"] == 1
    assert "unknown>working" in events.statuses(pane) or "idle>working" in events.statuses(pane)


def test_a_new_server_leaves_the_plugin_file_alone(sandbox: Sandbox, opencode: OpenCode) -> None:
    opencode.open()
    before = opencode.plugin.stat()

    sandbox.run("server", "stop", "--yes")
    opencode.open()

    after = opencode.plugin.stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


def test_ten_panes_opened_at_once_leave_the_plugin_file_alone(sandbox: Sandbox, opencode: OpenCode) -> None:
    sandbox.open("--agent", "opencode", "--", "true")
    poll_until(opencode.plugin.exists, "the plugin is installed")
    before = opencode.plugin.stat()

    running = [
        subprocess.Popen(
            [*sandbox.command, "open", "--agent", "opencode", "--", "cat"],
            env=sandbox.env,
            cwd=sandbox.project,
        )
        for _ in range(10)
    ]
    assert [process.wait(timeout=60) for process in running] == [0] * 10

    after = opencode.plugin.stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)
