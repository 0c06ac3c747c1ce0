"""The MCP server, with the SDK's own client over standard input and output."""

from __future__ import annotations

import asyncio
import importlib.metadata
import json
import os
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import CallToolRequestParams

import orca_tui
from orca_tui.cli.mcp import INSTALL
from orca_tui.cli.mcp_server import TOOLS, Tools, schema_of, speaking
from tests.cli.conftest import ROOT, Home, Orca
from tests.client.scripted import Peer, scripted_beside
from tests.server.agents import Agent
from tests.server.insiders import Insider
from tests.server.running import LIMIT_S, Api, Server, running_server

pytestmark = pytest.mark.anyio


def variables(server: Server) -> dict[str, str]:
    """The environment of the MCP server: no token, so that it is the kernel who tells where it is."""
    own = {name: value for name, value in server.parts.environment.variables.items() if name != "PATH"}
    return {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **own}


def started(server: Server) -> StdioServerParameters:
    """The MCP server as a program of its own."""
    return StdioServerParameters(
        command=sys.executable, args=["-m", "orca_tui", "mcp"], env=variables(server)
    )


def spoken(server: Server) -> Any:
    """The same in this process."""
    return speaking(Tools(server.parts.sockets().wire, None))


@pytest.fixture
async def server(anyio_backend: str) -> AsyncIterator[Server]:
    async with running_server() as running:
        yield running


@pytest.fixture
async def api(server: Server) -> Api:
    return Api(await server.client(), server.root)


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    """What a tool gives; its error as (code, facts)."""
    answer = await client.call_tool(tool, arguments)
    told = answer.structured_content
    return (told["code"], told) if answer.is_error else told


async def test_the_tools_do_what_the_commands_do_over_standard_input_and_output(
    server: Server, api: Api
) -> None:
    """In the protocol's older form, which most agents speak; the other tests speak the newer one."""
    agent = await Agent.open(api)
    async with Client(started(server), mode="legacy") as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        [listed] = (await call(client, "list"))["panes"]
        sent = await call(client, "send", pane=agent.pane, text="go", wait="receipt")
        await agent.ends()
        waited = await call(client, "wait", pane=agent.pane, status=["done"], timeout=20)
        shown = await client.call_tool("read", {"pane": agent.pane, "source": "all"})

    assert list(tools) == ["list", "read", "send", "wait", "cancel"]
    assert (listed["pane"], listed["agent"]) == (agent.pane, "claude")
    assert (sent["state"], sent["woke"], sent["receipt"] is not None) == ("delivered", True, True)
    assert waited["status"] == "done"
    assert agent.prompts() == ["go"]
    assert "working" in shown.content[0].text
    assert shown.structured_content == {"text": shown.content[0].text}


async def test_a_notice_is_cancelled_once_and_then_there_is_a_typed_conflict(
    server: Server, api: Api
) -> None:
    agent = await Agent.open(api)
    await agent.works()
    async with Client(spoken(server)) as client:
        sent = await call(client, "send", pane=agent.pane, text="stale")
        removed = await call(client, "cancel", pane=agent.pane, id=sent["id"])
        code, facts = await call(client, "cancel", pane=agent.pane, id=sent["id"])

    assert (sent["state"], removed["state"]) == ("pending", "cancelled")
    assert (code, facts["id"], facts["receipt"]) == ("inbox_conflict", sent["id"], None)


async def test_errors_say_what_is_wrong(server: Server, api: Api) -> None:
    async with Client(spoken(server)) as client:
        gone, _ = await call(client, "read", pane="p99")
        wrong, facts = await call(client, "read", pane="p1", unknown=1)
        late, _ = await call(client, "wait", pane=await api.open("cat"), status=["done"], timeout=0)
        with pytest.raises(MCPError, match="there are list, read, send, wait, cancel"):
            await client.call_tool("close", {})

    assert (gone, wrong, late) == ("not_found", "invalid", "timeout")
    assert "unknown" in facts["message"]


async def test_without_a_server_the_error_says_so(server: Server, api: Api) -> None:
    async with Client(spoken(server)) as client:
        await api.stop()
        await server.task
        code, _ = await call(client, "list")

    assert code == "unavailable"


async def test_a_call_that_is_given_up_leaves_the_server(tmp_path: Path) -> None:
    asked, left = threading.Event(), threading.Event()

    def script(peer: Peer) -> None:
        peer.welcome()
        peer.request()
        asked.set()
        with suppress(EOFError):
            while True:
                peer.receive()
        left.set()

    tools = Tools(tmp_path / "w", None)
    async with scripted_beside(tmp_path / "w", script):
        async with asyncio.TaskGroup() as group:
            params = CallToolRequestParams(name="wait", arguments={"pane": "p1", "status": ["done"]})
            waiting = group.create_task(tools.called(None, params))
            await asyncio.to_thread(asked.wait, LIMIT_S)
            waiting.cancel()
        assert await asyncio.to_thread(left.wait, LIMIT_S)


async def test_the_limits_of_its_pane_hold(server: Server, api: Api) -> None:
    """The MCP server is started by a program in a pane, as an agent does; the test speaks through that program."""
    other = await api.open("cat")
    insider = await Insider.open(server, api)
    script = TALK.format(own=insider.pane, other=other)

    done = await insider.program(sys.executable, "-c", script, variables=variables(server))

    assert done.code == 0, done.err
    refused, read = json.loads(done.out)
    assert (refused["code"], refused["grant"]) == ("refused", f"orca-tui grant {insider.pane} {other}")
    assert "inside" in read["text"]


TALK = """
import asyncio, json, os, sys
from mcp import Client, StdioServerParameters
async def main():
    parameters = StdioServerParameters(command=sys.executable, args=["-m", "orca_tui", "mcp"], env=dict(os.environ))
    async with Client(parameters) as client:
        refused = await client.call_tool("send", {{"pane": "{other}", "text": "x"}})
        read = await client.call_tool("read", {{"pane": "{own}"}})
    print(json.dumps([refused.structured_content, read.structured_content]))
asyncio.run(main())
"""


def test_every_field_of_a_request_is_explained_to_models() -> None:
    for name, spec in TOOLS.items():
        fields = {field.name for field in msgspec.structs.fields(spec.command.request)}
        schema = schema_of(spec)

        assert set(spec.fields) == fields, name
        assert schema["type"] == "object"
        assert all("description" in one for one in schema["properties"].values())


def test_without_the_sdk_it_says_how_to_install_it(
    home: Home, orca: Orca, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "mcp"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.delitem(sys.modules, "orca_tui.cli.mcp_server", raising=False)
    monkeypatch.delattr(orca_tui.cli, "mcp_server", raising=False)

    done = orca("mcp", "--json")

    assert (done.code, done.error()["code"]) == (1, "unsupported")
    assert done.error()["install"] == INSTALL
    bounds = next(r for r in importlib.metadata.requires("orca-tui") or [] if r.startswith("mcp"))
    assert sorted(bounds.partition(";")[0].strip().removeprefix("mcp").split(",")) == sorted(
        INSTALL.split("'")[1].removeprefix("mcp").split(",")
    )
