"""Agents that keep their state in a file: a stand-in for Claude Code in panes of a running server."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from orca_tui.commands.type import TYPE, TypeRequest
from orca_tui.status.record import Source, Status
from tests.server.rooms import Rooms
from tests.server.running import Api, Server, until

pytestmark = pytest.mark.anyio

STAND_IN = """\
#!/bin/sh
[ "$1" = --version ] && echo "2.1.332 (Claude Code)" && exit
file="$CLAUDE_CONFIG_DIR/sessions/$$.json"
mkdir -p "$CLAUDE_CONFIG_DIR/sessions"
began=$(date +%s000)
while read -r status; do
  printf '{"sessionId": "s1", "startedAt": %s, "status": "%s"}' "$began" "$status" > "$file.new"
  mv "$file.new" "$file"
  echo "wrote $status"
done
"""
"""Writes into its session file what is typed."""


@pytest.fixture
def environment(server: Server) -> dict[str, str]:
    path = server.root / "bin" / "claude"
    path.parent.mkdir()
    path.write_text(STAND_IN)
    path.chmod(0o755)
    return {
        "PATH": f"{path.parent}:{os.environ['PATH']}",
        "HOME": str(server.root),
        "CLAUDE_CONFIG_DIR": str(server.root / "config of claude"),
        "SHELL": "/bin/sh",
        "PS1": "$ ",
    }


async def types(api: Api, pane: str, text: str) -> None:
    await api.call(TYPE, TypeRequest(pane=pane, text=text))


async def becomes(api: Api, pane: str, status: Status) -> None:
    async def become() -> bool:
        return (await api.info(pane)).status is status

    await until(become, f"{pane} is {status}")


async def test_a_panes_agent_is_followed_into_its_own_folder(api: Api, environment: dict[str, str]) -> None:
    pane = await api.open("claude", environment=environment)

    await types(api, pane, "busy\n")
    await becomes(api, pane, Status.WORKING)
    info = await api.info(pane)
    assert info.evidence is not None
    assert info.evidence.source is Source.SESSION_FILE

    await types(api, pane, "waiting\n")
    await becomes(api, pane, Status.WAITING)
    await types(api, pane, "idle\n")
    await becomes(
        api, pane, Status.UNKNOWN
    )  # The file does not tell how a turn ended, and nothing else does.


async def test_an_agent_that_was_typed_by_hand_is_followed_and_forgotten(
    api: Api, environment: dict[str, str]
) -> None:
    pane = await api.open(environment=environment)

    await types(api, pane, "claude\n")
    await types(api, pane, "busy\n")
    await becomes(api, pane, Status.WORKING)
    assert (await api.info(pane)).agent == "claude"
    assert (await api.info(pane)).session_id == "s1"

    folder = Path(environment["CLAUDE_CONFIG_DIR"]) / "sessions"
    (file,) = folder.iterdir()
    os.kill(int(file.stem), signal.SIGKILL)

    async def gone() -> bool:
        return (await api.info(pane)).agent is None

    await until(gone, "the agent is gone")
    assert (await api.info(pane)).status is not Status.WORKING


async def test_nothing_is_looked_at_without_such_an_agent(inside: Rooms) -> None:
    following = inside.session.following
    pane = inside.pane("codex")

    following.started(pane.id, {"HOME": "/nowhere"})

    assert following._followed == {}
    assert not following._looking


async def test_a_pane_is_followed_from_its_start_to_its_end(inside: Rooms) -> None:
    following = inside.session.following
    pane = inside.pane("claude")
    assert following._followed == {}

    following.started(pane.id, {"HOME": "/nowhere"})
    assert set(following._followed) == {pane.id}
    assert following._looking

    inside.session.remove(pane)
    assert following._followed == {}
    assert following._environments == {}


async def test_a_program_that_has_ended_is_not_followed(inside: Rooms) -> None:
    pane = inside.pane("claude")
    inside.session.following.started(pane.id, {"HOME": "/nowhere"})

    inside.observer.exited(pane, 0)

    assert pane.id not in inside.session.following._followed
