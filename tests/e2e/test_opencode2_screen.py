"""A screen of OpenCode 2 in a pane, whose server others use too: its status is that of what it shows."""

from __future__ import annotations

import json
from typing import Any

from tests.e2e.opencode2 import OpenCode2
from tests.e2e.sandbox import Sandbox


def test_the_status_is_that_of_the_session_that_the_screen_shows(sandbox: Sandbox) -> None:
    screen = OpenCode2(sandbox, "--host", "tui")
    events = sandbox.follow()
    for session in ("ses_root", "ses_other"):
        screen.say(cmd="create", sessionID=session)
    screen.say(cmd="show", route={"type": "session", "sessionID": "ses_root"})
    sandbox.wait(screen.pane, "idle")

    screen.start_turn("ses_other")
    screen.start_turn()
    working = sandbox.wait(screen.pane, "working")
    # In one breath, as a rule that allows it answers.
    asked, replied = asking("per_quick"), answering("per_quick")
    sandbox.type(screen.pane, f"{json.dumps(asked)}\r{json.dumps(replied)}\r")
    screen.say(**asking("per_slow"))
    waiting = sandbox.wait(screen.pane, "waiting")
    events.wait_for_rings(screen.pane, 1)
    screen.say(**answering("per_slow"))
    sandbox.wait(screen.pane, "working")
    screen.finish()
    done = sandbox.wait(screen.pane, "done")
    events.wait_for_rings(screen.pane, 2)

    assert working["session_id"] == "ses_root"
    assert (waiting["kind"], waiting["message"]) == ("permission", "shell")
    assert done["turns"] == 1
    events.wait_for_statuses(
        screen.pane,
        "idle>working",
        "working>waiting",
        "waiting>working",
        "working>done",
    )
    assert events.rings(screen.pane) == 2


def asking(permission: str) -> dict[str, Any]:
    data = {"id": permission, "sessionID": "ses_root", "action": "shell", "resources": []}
    return {"cmd": "emit", "event": {"type": "permission.asked", "data": data}}


def answering(permission: str) -> dict[str, Any]:
    data = {"requestID": permission, "sessionID": "ses_root", "reply": "once"}
    return {"cmd": "emit", "event": {"type": "permission.replied", "data": data}}


def test_a_screen_that_is_left_in_the_middle_of_a_turn_leaves_nothing_working(sandbox: Sandbox) -> None:
    screen = OpenCode2(sandbox, "--host", "tui")
    events = sandbox.follow()
    screen.say(cmd="create", sessionID="ses_root")
    screen.say(cmd="show", route={"type": "session", "sessionID": "ses_root"})
    screen.start_turn()
    sandbox.wait(screen.pane, "working")

    screen.say(cmd="close")
    sandbox.wait(screen.pane, "exited")

    assert not [change for change in events.statuses(screen.pane) if "done" in change]
    assert events.rings(screen.pane) == 0
