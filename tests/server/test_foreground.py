"""Agents that are started by hand in a shell: found in its foreground, and missed when they leave."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psutil
import pytest

from orca_tui.commands.keys import KEYS, KeysRequest
from orca_tui.commands.type import TYPE, TypeRequest
from orca_tui.status.record import Status
from tests.server.running import Api, until

pytestmark = pytest.mark.anyio

AGENT = r"""#!/bin/sh
printf '\033]2;started\007'
printf '\033]7501;state=working\007'
while read -r line; do
  case $line in
    quit) exit ;;
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
