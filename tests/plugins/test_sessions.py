"""`ctx.session`: every operation against a real server, and nothing beside them."""

from __future__ import annotations

import pytest

from orca_tui.base.errors import InboxConflict, Invalid, NotFound, TimedOut
from orca_tui.commands.inbox import INBOX_LIST, InboxListRequest
from orca_tui.plugins.sessions import Inbox, Sessions
from orca_tui.wire import PLUGIN_ROLE
from tests.server.agents import Agent
from tests.server.running import LIMIT_S, Api, Server

pytestmark = pytest.mark.anyio


def public(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def test_there_is_what_the_table_of_operations_has_and_nothing_else() -> None:
    operations = {"synthetic", "prompt", "active", "wait", "interrupt", "get", "list", "context", "inbox"}

    assert public(Sessions) == operations
    assert public(Inbox) == {"cancel"}


async def test_notices_are_left_in_the_plugins_name_and_taken_back(server: Server, api: Api) -> None:
    agent = await Agent.open(api)
    await agent.works()
    sessions = Sessions(await server.client(role=f"{PLUGIN_ROLE}ci"))

    first = await sessions.synthetic(agent.pane, "one", id="n1")
    again = await sessions.synthetic(agent.pane, "one", id="n1")
    second = await sessions.prompt(agent.pane, "two", resume={"if_idle": True})

    assert (first.id, again.id, first.woke, first.reason) == ("n1", "n1", False, "busy")
    assert second.reason == "busy"
    listed = (await api.call(INBOX_LIST, InboxListRequest(pane=agent.pane))).notices
    assert [(one.text, one.origin.kind, one.origin.name, one.wakes) for one in listed] == [
        ("one", "plugin", "ci", True),
        ("two", "plugin", "ci", False),
    ]
    assert (await sessions.inbox.cancel(agent.pane, "n1")).state == "cancelled"
    with pytest.raises(InboxConflict):
        await sessions.inbox.cancel(agent.pane, "n1")


async def test_a_mistake_in_the_arguments_is_told(server: Server, api: Api) -> None:
    sessions = Sessions(await server.client())

    for wrong in ({"resume": "maybe"}, {"delivery": "now"}, {"id": "a b"}):
        with pytest.raises(Invalid):
            await sessions.synthetic("p1", "text", **wrong)  # type: ignore[arg-type]
    with pytest.raises(Invalid, match="sleepy"):
        await sessions.wait("p1", "sleepy")
    with pytest.raises(NotFound):
        await sessions.synthetic("p1", "text")


async def test_what_runs_can_be_seen_waited_for_and_interrupted(server: Server, api: Api) -> None:
    agent = await Agent.open(api)
    sessions = Sessions(await server.client())
    assert await sessions.active() == {}
    assert (await sessions.wait(agent.pane)).status == "idle"
    assert await sessions.interrupt(agent.pane) is False

    await agent.works()
    [running] = (await sessions.active()).values()
    assert running.pane == agent.pane
    with pytest.raises(TimedOut):
        await sessions.wait(agent.pane, timeout_s=0.01)
    assert await sessions.interrupt(agent.pane) is True
    assert (await sessions.wait(agent.pane, timeout_s=LIMIT_S)).status == "idle"


async def test_panes_are_found_by_their_sessions_and_their_words_read(server: Server, api: Api) -> None:
    pane = await api.open(
        "sh", "-c", "printf '\\033]26;CodeAgent=codex;SessionId=s-1;Status=idle\\033\\\\words'; cat"
    )
    await api.shows(pane, "words")
    sessions = Sessions(await server.client())

    assert [info.pane for info in await sessions.list()] == [pane]
    assert (await sessions.get(pane)).pane == pane
    assert "words" in await sessions.context(pane, lines=1)
    session = (await sessions.get(pane)).session_id
    if session is not None:
        assert (await sessions.get(session)).pane == pane
    with pytest.raises(NotFound):
        await sessions.get("no-such-session")
