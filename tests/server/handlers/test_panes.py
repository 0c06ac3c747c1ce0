"""open and close against a running server: places, conflicts, agents."""

from __future__ import annotations

import os

import pytest

from orca_tui.base.errors import Conflict, Invalid, NotFound
from orca_tui.commands.list import LIST
from orca_tui.commands.open import OPEN, OpenRequest
from orca_tui.commands.spec import Empty
from orca_tui.commands.targets import CLOSE, CloseRequest
from orca_tui.commands.type import TYPE, TypeRequest
from orca_tui.commands.wait import WAIT, WaitRequest
from orca_tui.status.record import Status
from tests.server.running import Api

pytestmark = pytest.mark.anyio

AGENT = 'while read -r state; do printf "\\033]7501;state=$state\\007"; done'


async def agent(api: Api, *states: str) -> str:
    """An agent that says what it is doing, one state after the other."""
    pane = await api.open("/bin/sh", "-c", AGENT, agent="claude")
    for state in states:
        await api.call(TYPE, TypeRequest(pane=pane, text=f"{state}\r"))
        wanted = {"blocked": Status.WAITING}.get(state) or Status(state)
        await api.call(WAIT, WaitRequest(pane=pane, status=(wanted,), timeout=20))
    return pane


async def close(api: Api, target: str, *, force: bool = False) -> tuple[str, ...]:
    return (await api.call(CLOSE, CloseRequest(target=target, force=force))).closed


async def test_open_tells_where_the_pane_stands(api: Api) -> None:
    reply = await api.call(OPEN, OpenRequest(command=("/bin/true",), cwd="/"))
    split = await api.call(OPEN, OpenRequest(command=("/bin/true",), cwd="/", split="right"))

    assert (reply.pane, reply.tab, reply.workspace) == ("p1", "t1", "w1")
    assert (split.pane, split.tab, split.workspace) == ("p2", "t1", "w1")


async def test_a_request_that_cannot_be_placed_opens_nothing(api: Api) -> None:
    with pytest.raises(NotFound):
        await api.open("/bin/true", split="right", beside="p9")
    with pytest.raises(Invalid):
        await api.open("/bin/true", agent="skynet")

    assert await api.panes() == {}
    assert await api.open("/bin/true") == "p1"


async def test_the_focused_pane_is_told_and_may_stay_the_same(api: Api) -> None:
    first = await api.open("/bin/sh", "-c", "read x")
    await api.open("/bin/sh", "-c", "read x", focus=False)
    assert (await api.call(LIST, Empty())).focused == first

    second = await api.open("/bin/sh", "-c", "read x")
    assert (await api.call(LIST, Empty())).focused == second


async def test_the_program_has_the_panes_environment_and_nothing_of_the_servers(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OF_THE_SERVER", "1")
    pane = await api.open(
        "/bin/sh",
        "-c",
        'echo "<$MINE|$ADDED|$OF_THE_SERVER|$CLAUDECODE|$ORCA_TUI_SERVER|$TERM>"',
        environment={"PATH": os.environ["PATH"], "MINE": "arrives", "CLAUDECODE": "1"},
        set_environment=(("ADDED", "too"),),
    )

    await api.shows(pane, "<arrives|too|||default|xterm-256color>")


async def test_an_agent_that_works_or_waits_is_closed_only_by_force(api: Api) -> None:
    for state in ("working", "blocked"):
        pane = await agent(api, state)

        with pytest.raises(Conflict) as caught:
            await close(api, pane)

        assert caught.value.facts["panes"] == [pane]
        assert pane in await api.panes()
        assert await close(api, pane, force=True) == (pane,)
        assert pane not in await api.panes()


@pytest.mark.parametrize("states", [("idle",), ("working", "done")])
async def test_an_agent_at_rest_and_a_shell_are_closed_without_asking(
    api: Api, states: tuple[str, ...]
) -> None:
    pane, shell = await agent(api, *states), await api.open()

    assert await close(api, pane) == (pane,)
    assert await close(api, shell) == (shell,)


async def test_a_tab_or_workspace_closes_with_all_its_panes_or_not_at_all(api: Api) -> None:
    busy = await agent(api, "working")
    quiet = await api.open("/bin/sh", "-c", "read x", split="right")
    other = await api.open("/bin/sh", "-c", "read x", workspace="new")

    with pytest.raises(Conflict):
        await close(api, "t1")
    assert set(await api.panes()) == {busy, quiet, other}

    assert set(await close(api, "t1", force=True)) == {busy, quiet}
    assert await close(api, "w2") == (other,)
    assert await api.panes() == {}


@pytest.mark.parametrize("target", ["p9", "t9", "w9", "x", ""])
async def test_closing_what_is_not_there_is_not_found(api: Api, target: str) -> None:
    with pytest.raises(NotFound):
        await close(api, target)
