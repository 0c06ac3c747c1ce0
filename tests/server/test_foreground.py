"""Agents that are started by hand in a shell: found in its foreground, and missed when they leave."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psutil
import pytest

from orca_tui.commands.keys import KEYS, KeysRequest
from orca_tui.commands.type import TYPE, TypeRequest
from orca_tui.server.foreground import ForegroundWatch, _Watched
from orca_tui.status.record import Status
from tests.server.rooms import Rooms
from tests.server.running import Api, until

pytestmark = pytest.mark.anyio

AGENT = r"""#!/bin/sh
printf '\033]2;started\007'
printf '\033]7501;state=working\007'
while read -r line; do
  case $line in
    quit) exit ;;
    flap) printf '\033]2;helper\007'; set -m; sh -c 'sleep 0.6; printf "\033]2;helped\007"'; set +m ;;
    child) printf '\033]2;child\007'; sh -c 'read -r x' ;;
  esac
  printf '\033]2;%s\007' "$line"
done
"""


@pytest.fixture
async def shell(api: Api) -> str:
    """A bash with job control, and a program named `claude` in its directory."""
    agent = api.root / "claude"
    agent.write_text(AGENT)
    agent.chmod(0o755)
    pane = await api.open("/bin/bash", "--norc", "--noprofile", "-i")
    await api.shows(pane, "$")
    return pane


async def type_(api: Api, pane: str, text: str) -> None:
    await api.call(TYPE, TypeRequest(pane=pane, text=text + "\r"))


async def becomes(api: Api, pane: str, agent: str | None) -> None:
    async def became() -> bool:
        return (await api.info(pane)).agent == agent

    await until(became, f"the pane's agent is {agent}")


async def test_an_agent_in_the_foreground_is_recognised_and_missed_when_it_quits(
    api: Api, shell: str
) -> None:
    await type_(api, shell, "./claude")
    await becomes(api, shell, "claude")

    await type_(api, shell, "quit")

    await becomes(api, shell, None)
    assert (await api.info(shell)).status not in (Status.WORKING, Status.WAITING, Status.DONE)
    assert (await api.info(shell)).exit_code is None


async def test_a_killed_agent_is_missed_within_a_second(api: Api, shell: str) -> None:
    await type_(api, shell, "./claude")
    await becomes(api, shell, "claude")
    pid = (await api.info(shell)).pid
    assert pid is not None
    (agent,) = psutil.Process(pid).children()

    agent.kill()
    async with asyncio.timeout(1.0):
        await becomes(api, shell, None)

    assert (await api.info(shell)).status is not Status.WORKING


async def test_an_agent_that_took_the_shells_place_is_recognised(api: Api, shell: str) -> None:
    await type_(api, shell, "exec ./claude")

    await becomes(api, shell, "claude")


async def test_a_stopped_agent_is_not_gone(api: Api, shell: str) -> None:
    await type_(api, shell, "./claude")
    await becomes(api, shell, "claude")

    await api.call(KEYS, KeysRequest(pane=shell, keys=("ctrl+z",)))
    await api.shows(shell, "Stopped")
    await type_(api, shell, r"printf '\033]2;look\007'; printf '\033]133;A\007'; echo looked")
    await api.shows(shell, "\nlooked")

    assert (await api.info(shell)).agent == "claude"


async def test_a_program_that_is_no_agent_is_none(api: Api, shell: str, tmp_path: Path) -> None:
    await type_(api, shell, rf"cd {tmp_path}; printf '\033]2;claude\007'; sleep 0.3; echo over")
    await api.shows(shell, "\nover")

    assert (await api.info(shell)).agent is None


@pytest.mark.parametrize("line", ["sh ./claude", "env A=1 ./claude", "nice ./claude", "bash -c ./claude"])
async def test_an_agent_is_recognised_behind_a_wrapper(api: Api, shell: str, line: str) -> None:
    await type_(api, shell, line)

    await becomes(api, shell, "claude")


async def test_a_directory_of_an_agents_name_is_no_agent(api: Api, shell: str) -> None:
    (api.root / "src" / "claude").mkdir(parents=True)

    await type_(
        api, shell, r"cd src/claude && printf '\033]2;there\007' && cat claude ./claude; echo no-such-file"
    )

    await api.shows(shell, "no-such-file")
    await type_(api, shell, r"printf '\033]2;still there\007'; sleep 0.3")
    assert (await api.info(shell)).agent is None


async def test_an_agent_keeps_the_pane_while_a_helper_of_its_has_the_terminal(api: Api, shell: str) -> None:
    await type_(api, shell, "./claude")
    await becomes(api, shell, "claude")

    await type_(api, shell, "flap")

    async def helped() -> bool:
        info = await api.info(shell)
        assert info.agent == "claude"
        return info.title == "flap"

    await until(helped, "the helper is through")


async def test_the_title_that_an_agent_leaves_behind_goes_with_it(api: Api, shell: str) -> None:
    await type_(api, shell, "./claude")
    await becomes(api, shell, "claude")
    assert (await api.info(shell)).title == "started"

    await type_(api, shell, "quit")

    await becomes(api, shell, None)
    await until(lambda: _titled(api, shell, ""), "no title")


async def test_the_title_that_the_shell_sets_after_an_agent_stays(api: Api, shell: str) -> None:
    await type_(api, shell, r"""PROMPT_COMMAND='printf "\033]2;my shell\007"'""")
    await until(lambda: _titled(api, shell, "my shell"), "the shell's own title")
    await type_(api, shell, "./claude")
    await until(lambda: _titled(api, shell, "started"), "the agent's title")
    await becomes(api, shell, "claude")

    await type_(api, shell, "quit")
    await becomes(api, shell, None)

    await until(lambda: _titled(api, shell, "my shell"), "the shell's own title")


async def _titled(api: Api, pane: str, title: str) -> bool:
    return (await api.info(pane)).title == title


async def test_a_pane_that_was_closed_meanwhile_is_not_looked_at(inside: Rooms) -> None:
    watch, pane = ForegroundWatch(inside.session), inside.pane()
    watched = watch._panes[pane.id] = _Watched()
    inside.session.remove(pane)

    watch._start_look(pane, watched)

    assert watch._panes == {}
