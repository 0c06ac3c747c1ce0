"""The same cases on every surface: HTTP, the two Python clients, the command line and plugins keep the conflict."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import pytest

from orca_tui.base.errors import InboxConflict
from orca_tui.client.blocking import Client
from orca_tui.commands.active import ACTIVE
from orca_tui.commands.inbox import INBOX_CANCEL, InboxCancelRequest
from orca_tui.commands.plugins import RUN, RunRequest
from orca_tui.commands.send import SEND, SendRequest
from orca_tui.commands.spec import Empty
from status_plugin.generate import plugin_bytes
from tests.server.agents import Agent
from tests.server.plugin_files import Plugins
from tests.server.running import Api, Server, running_server
from tests.server.unix_http import ask

pytestmark = pytest.mark.anyio

PLUGIN_CLIENT = Path(__file__).parent.parent / "hosts" / "plugin_client.mjs"
NOTHING_REMOVED = "this cancellation removed nothing"


class Http:
    """`curl --unix-socket`, as it were."""

    def __init__(self, server: Server) -> None:
        self._door = server.parts.sockets().http

    async def send(self, pane: str, text: str, **fields: Any) -> dict[str, Any]:
        answer = await ask(self._door, "POST", f"/v1/panes/{pane}/notices", {"text": text, **fields})
        assert answer.status == 200, answer.body
        return msgspec.json.decode(answer.body)  # type: ignore[no-any-return]

    async def cancel(self, pane: str, notice: str) -> dict[str, Any] | None:
        """None when it was removed, else the facts of the conflict."""
        answer = await ask(self._door, "DELETE", f"/v1/panes/{pane}/notices/{notice}")
        if answer.status == 200:
            return None
        assert answer.status == 409
        body = msgspec.json.decode(answer.body)["error"]
        assert (body["code"], body["message"]) == ("inbox_conflict", NOTHING_REMOVED)
        return body  # type: ignore[no-any-return]

    async def active(self) -> dict[str, Any]:
        return msgspec.json.decode((await ask(self._door, "GET", "/v1/active")).body)["sessions"]  # type: ignore[no-any-return]


class Asynchronous:
    def __init__(self, server: Server) -> None:
        self._server = server

    async def send(self, pane: str, text: str, **fields: Any) -> dict[str, Any]:
        request = msgspec.convert({"pane": pane, "text": text, **fields}, SendRequest)
        return msgspec.to_builtins(await self._call(lambda client: client.call(SEND, request)))  # type: ignore[no-any-return]

    async def cancel(self, pane: str, notice: str) -> dict[str, Any] | None:
        request = InboxCancelRequest(pane=pane, id=notice)
        try:
            await self._call(lambda client: client.call(INBOX_CANCEL, request))
        except InboxConflict as conflict:
            return conflict.facts if conflict.message == NOTHING_REMOVED else None
        return None

    async def active(self) -> dict[str, Any]:
        reply = await self._call(lambda client: client.call(ACTIVE, Empty()))
        return msgspec.to_builtins(reply.sessions)  # type: ignore[no-any-return]

    async def _call(self, run: Callable[[Any], Coroutine[Any, Any, Any]]) -> Any:
        return await run(await self._server.client())


class Blocking(Asynchronous):
    """The same on the client without a loop, in a thread."""

    async def _call(self, run: Callable[[Any], Any]) -> Any:
        def call() -> Any:
            with Client(self._server.parts.sockets().wire) as client:
                return run(client)

        return await asyncio.to_thread(call)


class CommandLine:
    def __init__(self, server: Server) -> None:
        self._environment = {
            "PATH": os.environ["PATH"],
            **{name: value for name, value in server.parts.environment.variables.items() if name != "PATH"},
        }

    async def send(self, pane: str, text: str, **fields: Any) -> dict[str, Any]:
        options = {"resume": {False: "--no-resume", True: "--if-idle"}.get(fields.get("resume") is not False)}
        words = [options["resume"]] if "resume" in fields else []
        code, out, err = await self._run("send", pane, text, *map(str, words))
        assert code == 0, err
        return json.loads(out)  # type: ignore[no-any-return]

    async def cancel(self, pane: str, notice: str) -> dict[str, Any] | None:
        code, _, err = await self._run("inbox", "cancel", pane, notice)
        if code == 0:
            return None
        assert code == 3
        body = json.loads(err)["error"]
        assert (body["code"], body["message"]) == ("inbox_conflict", NOTHING_REMOVED)
        return body  # type: ignore[no-any-return]

    async def active(self) -> dict[str, Any]:
        _, out, _ = await self._run("active")
        return json.loads(out)["sessions"]  # type: ignore[no-any-return]

    async def _run(self, *words: str) -> tuple[int | None, str, str]:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "orca_tui",
            *words,
            "--json",
            env=self._environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await process.communicate()
        return process.returncode, out.decode(), err.decode()


class JavaScript:
    """What the status plugin offers the other plugins of its host."""

    def __init__(self, server: Server) -> None:
        self._plugin = server.root / "orca-tui-status.mjs"
        self._plugin.write_bytes(plugin_bytes())
        self._environment = {
            "PATH": os.environ["PATH"],
            "ORCA_TUI_PANE": "p1",
            "ORCA_TUI_TOKEN": "of-no-pane",
            "ORCA_TUI_INTAKE": str(server.root / "nobody-listens"),
            "ORCA_TUI_API": str(server.parts.sockets().http),
        }

    async def send(self, pane: str, text: str, **fields: Any) -> dict[str, Any]:
        resume = {"resume": {"ifIdle": True}} if "resume" in fields else {}
        told = await self._call("synthetic", sessionID=pane, text=text, **resume)
        return told["value"]  # type: ignore[no-any-return]

    async def cancel(self, pane: str, notice: str) -> dict[str, Any] | None:
        told = await self._call("inbox.cancel", sessionID=pane, id=notice)
        if "value" in told:
            return None
        error = told["error"]
        assert (error["name"], error["message"]) == ("InboxConflict", NOTHING_REMOVED)
        return error  # type: ignore[no-any-return]

    async def active(self) -> dict[str, Any]:
        return (await self._call("active"))["value"]  # type: ignore[no-any-return]

    async def _call(self, operation: str, **fields: Any) -> dict[str, Any]:
        node = shutil.which("node")
        assert node is not None, "the plugin's tests need Node"
        process = await asyncio.create_subprocess_exec(
            node,
            str(PLUGIN_CLIENT),
            str(self._plugin),
            operation,
            json.dumps(fields),
            env=self._environment,
            stdout=asyncio.subprocess.PIPE,
        )
        out, _ = await process.communicate()
        return json.loads(out)  # type: ignore[no-any-return]


PLUGIN = """
import json
from pathlib import Path

import msgspec

from orca_tui.plugins import InboxConflict

id = "hand"
HERE = Path(__file__).parent


async def setup(ctx):
    async def act(pane):
        work, *arguments, more = json.loads((HERE / "work.json").read_text())
        (HERE / "done.json").write_bytes(msgspec.json.encode(await getattr(hand, work)(*arguments, **more)))

    hand = Hand(ctx)
    ctx.command.register("act", "Do what work.json says", act)


class Hand:
    def __init__(self, ctx):
        self.session = ctx.session

    async def send(self, pane, text, **fields):
        return await self.session.synthetic(pane, text, **fields)

    async def cancel(self, pane, notice):
        try:
            await self.session.inbox.cancel(pane, notice)
        except InboxConflict as conflict:
            return {"message": conflict.message, **conflict.facts}

    async def active(self):
        return await self.session.active()
"""


class Hosted:
    """A plugin in the plugin host, which does what it is told by a file."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._folder = server.parts.paths.plugins_dir

    async def send(self, pane: str, text: str, **fields: Any) -> dict[str, Any]:
        return await self._act("send", pane, text, **fields)  # type: ignore[no-any-return]

    async def cancel(self, pane: str, notice: str) -> dict[str, Any] | None:
        conflict = await self._act("cancel", pane, notice)
        assert conflict is None or conflict["message"] == NOTHING_REMOVED
        return conflict  # type: ignore[no-any-return]

    async def active(self) -> dict[str, Any]:
        return await self._act("active")  # type: ignore[no-any-return]

    async def _act(self, *work: str, **more: Any) -> Any:
        api = Api(await self._server.client(), self._server.root)
        plugins = Plugins(self._server, api)
        if not (self._folder / "hand.py").exists():
            plugins.write("hand.py", PLUGIN)
            await plugins.becomes("hand", "running")
        (self._folder / "work.json").write_text(json.dumps([*work, more]))
        await api.call(RUN, RunRequest(plugin="hand", command="act"))
        return json.loads((self._folder / "done.json").read_text())


Surface: TypeAlias = Http | Asynchronous | Blocking | CommandLine | JavaScript | Hosted


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    """It hosts plugins, where there are any."""
    async with running_server(plugins=True) as running:
        yield running


@pytest.fixture(params=[Http, Asynchronous, Blocking, CommandLine, JavaScript, Hosted])
def surface(request: pytest.FixtureRequest, server: Server) -> Surface:
    made: Surface = request.param(server)
    return made


@pytest.fixture
async def agent(api: Api) -> Agent:
    return await Agent.open(api)


async def test_cancelled_before_it_is_handed_over_it_never_arrives(surface: Surface, agent: Agent) -> None:
    await agent.works()
    stale = await surface.send(agent.pane, "stale")
    fresh = await surface.send(agent.pane, "fresh")

    removed = await surface.cancel(agent.pane, stale["id"])
    await agent.ends()
    await agent.becomes(fresh["id"], "delivered")

    assert removed is None
    prompts = agent.prompts()  # A plugin's words say whose they are.
    assert len(prompts) == 2
    assert "fresh" in prompts[1].splitlines()


async def test_handed_over_first_the_cancellation_is_a_conflict(surface: Surface, agent: Agent) -> None:
    reply = await surface.send(agent.pane, "go")
    await agent.becomes(reply["id"], "delivered")

    conflict = await surface.cancel(agent.pane, reply["id"])

    assert conflict is not None
    assert conflict["id"] == reply["id"]
    assert conflict["receipt"]["evidence"]


async def test_a_second_cancellation_and_an_unknown_id_claim_no_delivery(
    surface: Surface, agent: Agent
) -> None:
    await agent.works()
    reply = await surface.send(agent.pane, "go")
    await surface.cancel(agent.pane, reply["id"])

    conflicts = [await surface.cancel(agent.pane, id) for id in (reply["id"], "unknown")]

    for conflict in conflicts:
        assert conflict is not None
        assert conflict["receipt"] is None


async def test_a_condition_that_failed_is_said_and_starts_nothing_later(
    surface: Surface, agent: Agent
) -> None:
    await agent.works()
    running = await surface.active()

    reply = await surface.send(agent.pane, "conditional", resume={"if_idle": True})
    await agent.ends()
    last = await agent.send("last", wait="receipt")

    assert [one["pane"] for one in running.values()] == [agent.pane]
    assert (reply["woke"], reply["reason"], reply["state"]) == (False, "busy", "pending")
    assert last.receipt is not None
    assert agent.prompts() == ["work", "last"]
