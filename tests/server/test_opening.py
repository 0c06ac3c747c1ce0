"""Opening OpenCode panes in a running server: version, plugin, what is told when that fails; slow preparations."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from orca_tui.commands.explain import EXPLAIN, ExplainRequest
from orca_tui.commands.targets import CLOSE, CloseRequest
from status_plugin.generate import plugin_bytes
from tests.server.running import Api, Server, until

pytestmark = pytest.mark.anyio


def opencode(root: Path, version: str, before: str = "") -> dict[str, str]:
    """A program named `opencode` that prints its arguments and its environment; the environment to find it."""
    path = root / "opencode"
    path.write_text(
        f'#!/bin/sh\n{before}\n[ "$1" = --version ] && echo {version} && exit\necho "ran <$*>"; read x\n'
    )
    path.chmod(0o755)
    return {"PATH": f"{root}:{os.environ['PATH']}", "HOME": str(root), "XDG_CONFIG_HOME": str(root / "mine")}


async def test_opencode_2_is_started_with_a_server_of_its_own_and_our_plugin(api: Api) -> None:
    environment = opencode(api.root, "2.0.4")

    pane = await api.open(agent="opencode", environment=environment)

    await api.shows(pane, "ran <--standalone>")
    info = await api.info(pane)
    assert (info.agent, info.command) == ("opencode", ("opencode", "--standalone"))
    plugin = api.root / "mine" / "opencode" / "plugins" / "orca-tui-status.js"
    assert plugin.read_bytes() == plugin_bytes()


async def test_opencode_1_is_started_as_it_was_typed(api: Api) -> None:
    pane = await api.open("opencode", "--continue", environment=opencode(api.root, "1.18.33"))

    await api.shows(pane, "ran <--continue>")
    assert (await api.info(pane)).agent == "opencode"


async def test_a_plugin_that_cannot_be_installed_stops_no_pane_and_is_explained(api: Api) -> None:
    environment = opencode(api.root, "1.18.33")
    (api.root / "mine").write_text("a file in the way")

    pane = await api.open("opencode", environment=environment)

    await api.shows(pane, "ran <>")
    explained = await api.call(EXPLAIN, ExplainRequest(pane=pane))
    assert "the status plugin is not installed" in explained.verdict


@contextmanager
def pushed_open(gate: Path) -> Iterator[None]:
    """A line for whoever reads from a named pipe; opened both ways, it waits for no reader."""
    with os.fdopen(os.open(gate, os.O_RDWR), "wb", buffering=0) as opened:
        opened.write(b"\n")
        yield


async def test_a_pane_is_there_while_its_agent_is_still_being_prepared(server: Server, api: Api) -> None:
    gate = api.root / "gate"
    os.mkfifo(gate)
    environment = opencode(api.root, "1.18.33", before=f'[ "$1" = --version ] && read x <{gate}')
    opening = asyncio.gather(api.open("opencode", environment=environment))

    async def there() -> bool:
        return "p1" in await api.panes()

    await until(there, "the pane is listed")
    assert (await api.info("p1")).pid is None
    with pushed_open(gate):
        assert await opening == ["p1"]
        await api.shows("p1", "ran <>")


async def test_a_pane_closed_while_it_is_prepared_never_starts_and_does_not_hold_up_a_stop(
    server: Server, api: Api
) -> None:
    gate = api.root / "gate"
    os.mkfifo(gate)
    environment = opencode(api.root, "1.18.33", before=f'[ "$1" = --version ] && read x <{gate}')
    opening = asyncio.gather(api.open("opencode", environment=environment), return_exceptions=True)

    async def there() -> bool:
        return "p1" in await api.panes()

    await until(there, "the pane is listed")
    await api.call(CLOSE, CloseRequest(target="p1"))
    await api.stop()
    async with asyncio.timeout(5):
        await server.task
    assert isinstance((await opening)[0], Exception)
