"""A server that ends under load, in whichever way, takes nothing along: the next one goes on in the middle."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

import orca_tui
from tests.e2e.load import Load
from tests.e2e.opencode import OpenCode
from tests.e2e.rebooting import server_pid
from tests.e2e.sandbox import Sandbox

NEWER = "99.0"


@pytest.fixture(scope="module")
def load(room: Sandbox, tenant: OpenCode) -> Iterator[Load]:
    """The same programs live through every test of the module."""
    with closing(Load(room, tenant)) as load:
        yield load


def kill(load: Load) -> None:
    os.kill(server_pid(load.sandbox), signal.SIGKILL)


def restart(load: Load) -> None:
    load.sandbox.run("server", "restart")


def upgrade(load: Load) -> None:
    """Install another version beside this one, and have it replace the server."""
    package = load.sandbox.root / "newer" / "orca_tui"
    shutil.copytree(Path(orca_tui.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    init = package / "__init__.py"
    text = init.read_text()
    init.write_text(text.replace(orca_tui.__version__, NEWER))
    load.sandbox.env["PYTHONPATH"] = str(package.parent)
    assert f"version {NEWER}" in load.sandbox.run("server", "restart")


@pytest.mark.parametrize("end", [kill, restart, upgrade])
def test_programs_screens_and_statuses_go_on_under_the_next_server(
    load: Load, end: Callable[[Load], None]
) -> None:
    sandbox = load.sandbox
    counted = load.numbers()[-1]
    load.begin()
    before, screens, pid = sandbox.panes(), load.screens(), server_pid(sandbox)
    assert before[load.agent]["status"] == "working"

    ended_at = time.monotonic()
    end(load)
    load.meet_next_server()
    print(f"{end.__name__}: the UI was back after {time.monotonic() - ended_at:.2f} s")
    after = sandbox.panes()
    load.end_flood()
    events = sandbox.follow()

    assert server_pid(sandbox) != pid
    for pane, info in before.items():
        assert {name: after[pane][name] for name in STAYS} == {name: info[name] for name in STAYS}
    assert load.screens() == screens
    assert after[load.agent]["status"] == "working"
    load.use()
    assert {pane: events.rings(pane) for pane in before} == dict.fromkeys(before, 0)

    load.finish_turn()
    done = sandbox.wait(load.agent, "done", timeout=60)
    events.wait_for_rings(load.agent, 1)
    assert done["confirmed"]
    events.wait_for_statuses(load.agent, "working>done")
    assert events.statuses(load.agent) == ["working>done"]

    numbers = load.numbers()
    assert numbers[0] <= counted < numbers[-1]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    load.terminal.hides("has taken over")  # The next test waits for it.


STAYS = ("pid", "size", "tab", "workspace", "session_id", "name")
