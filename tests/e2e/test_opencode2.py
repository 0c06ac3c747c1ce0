"""OpenCode 2 disposes of its plugins and sets them up again while turns run: what the pane shows meanwhile."""

from __future__ import annotations

import pytest

from tests.e2e.opencode2 import OpenCode2
from tests.e2e.sandbox import Sandbox, poll_until


@pytest.fixture
def host(sandbox: Sandbox) -> OpenCode2:
    return OpenCode2(sandbox)


def test_a_reload_mid_turn_keeps_the_pane_working_and_done_comes_once(
    sandbox: Sandbox, host: OpenCode2
) -> None:
    events = sandbox.follow()
    host.start_turn()
    sandbox.wait(host.pane, "working")
    setups = host.count("setup")

    host.edit_plugin()
    host.wait_for_reload(setups)
    during = sandbox.panes()[host.pane]
    host.finish()
    done = sandbox.wait(host.pane, "done")

    assert during["status"] == "working"
    assert host.count("dispose") == 1
    events.wait_for_statuses(host.pane, "working>done")
    assert [change for change in events.statuses(host.pane) if "done" in change] == ["working>done"]
    events.wait_for_rings(host.pane, 1)
    assert events.rings(host.pane) == 1
    assert done["turns"] == 1


def test_a_permission_answered_after_a_reload_lets_the_pane_work_again(
    sandbox: Sandbox, host: OpenCode2
) -> None:
    events = sandbox.follow()
    host.start_turn()
    sandbox.wait(host.pane, "working")
    host.emit("permission.asked", id="per_1", sessionID="ses_root", action="bash", resources=["git push"])
    asked = sandbox.wait(host.pane, "waiting")
    events.wait_for_rings(host.pane, 1)
    setups = host.count("setup")

    host.edit_plugin()
    host.wait_for_reload(setups)
    during = sandbox.panes()[host.pane]
    host.emit("permission.replied", sessionID="ses_root", requestID="per_1", reply="once")
    sandbox.wait(host.pane, "working")
    host.finish()
    sandbox.wait(host.pane, "done")

    assert asked["kind"] == "permission"
    assert during["status"] == "waiting"
    events.wait_for_statuses(host.pane, "working>waiting", "waiting>working", "working>done")
    events.wait_for_rings(host.pane, 2)
    assert events.rings(host.pane) == 2


def test_a_root_that_ends_after_a_reload_is_not_done_while_its_child_works(
    sandbox: Sandbox, host: OpenCode2
) -> None:
    events = sandbox.follow()
    host.start_turn("ses_root")
    sandbox.wait(host.pane, "working")
    host.say(cmd="create", sessionID="ses_child", parentID="ses_root")
    host.start_turn("ses_child")
    poll_until(lambda: sandbox.panes()[host.pane]["subagents"] == 1, "the child is counted")
    setups = host.count("setup")

    host.edit_plugin()
    host.wait_for_reload(setups)
    host.finish("ses_root")
    host.wait_for("the root has ended", ended("ses_root"))
    between = sandbox.panes()[host.pane]
    host.finish("ses_child")
    sandbox.wait(host.pane, "done")

    assert between["status"] == "working"
    events.wait_for_statuses(host.pane, "working>done")
    events.wait_for_rings(host.pane, 1)
    assert events.rings(host.pane) == 1


def ended(session: str):  # type: ignore[no-untyped-def]
    """Whether a record says that a session's execution succeeded."""

    def matches(record: dict) -> bool:  # type: ignore[type-arg]
        event = record.get("event", {})
        return event.get("type") == "session.execution.succeeded" and event["data"]["sessionID"] == session

    return matches


@pytest.mark.parametrize("options", [(), ("--future",)], ids=["wait", "active"])
def test_a_turn_that_ends_between_dispose_and_setup_is_done_once(
    sandbox: Sandbox, options: tuple[str, ...]
) -> None:
    gate = sandbox.root / "gate"
    slow = slow_plugin(str(gate))
    plugins = sandbox.root / "config" / "opencode" / "plugins"
    plugins.mkdir(parents=True)
    gate.touch()
    (plugins / "aaa-slow.js").write_text(slow)
    host = OpenCode2(sandbox, *options)
    events = sandbox.follow()
    host.start_turn()
    sandbox.wait(host.pane, "working")
    setups = host.count("setup")

    gate.unlink()
    (plugins / "aaa-slow.js").write_text(slow + "// edited\n")
    host.wait_for("our plugin is disposed of", lambda record: record["rec"] == "dispose")
    host.finish()
    host.wait_for("the turn has ended", ended("ses_root"))
    during = sandbox.panes()[host.pane]
    gate.touch()
    host.wait_for_reload(setups)
    sandbox.wait(host.pane, "done")

    assert during["status"] == "working"
    events.wait_for_statuses(host.pane, "working>done")
    events.wait_for_rings(host.pane, 1)
    assert events.rings(host.pane) == 1


def slow_plugin(gate: str) -> str:
    """A plugin that loads before ours and is set up only while a file exists."""
    return f"""import fs from "node:fs"
export default {{ id: "aaa-slow", setup: async () => {{
  while (!fs.existsSync({gate!r})) await new Promise((resolve) => setTimeout(resolve, 10))
}} }}
"""


def test_a_broken_edit_of_the_plugin_ends_in_unknown_and_never_in_done(
    sandbox: Sandbox, host: OpenCode2
) -> None:
    events = sandbox.follow()
    host.start_turn()
    sandbox.wait(host.pane, "working")

    host.plugin.write_text("this is no JavaScript (\n")
    host.wait_for("the plugin could not be loaded", lambda record: record["rec"] == "failed")
    poll_until(lambda: not sandbox.panes()[host.pane]["confirmed"], "unconfirmed", timeout=30)
    unconfirmed = sandbox.panes()[host.pane]
    sandbox.wait(host.pane, "unknown", timeout=60)

    assert unconfirmed["status"] == "working"
    assert not [change for change in events.statuses(host.pane) if "done" in change]
    assert events.rings(host.pane) == 0


def test_panes_opened_mid_turn_cause_no_reload(sandbox: Sandbox, host: OpenCode2) -> None:
    host.start_turn()
    sandbox.wait(host.pane, "working")
    before = host.plugin.stat()

    opened = [sandbox.open("--agent", "opencode", "--", "sleep", "1000") for _ in range(3)]

    after = host.plugin.stat()
    assert len(set(opened)) == 3
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)
    # A reload would need a changed file; that none happens is also seen after one more round trip of the host.
    host.say(cmd="reload")
    host.wait_for("the host has looked", lambda record: record["rec"] == "reloaded")
    assert host.count("dispose") == 0
    assert sandbox.panes()[host.pane]["status"] == "working"
