"""The MCP server: five commands as tools, with their own requests, replies and errors. Knows no rules of them.

Rule 1: what a tool takes and gives is the command's request and reply, as JSON.
Rule 2: a command's error is the tool's error, with code, message and facts, so that a model can act on it.
Rule 3: every call has a connection of its own: the server may be another one by then. A call that the client
cancels is cancelled there too.
"""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from orca_tui import __version__
from orca_tui.base.errors import Invalid, OrcaError
from orca_tui.client.asynchronous import AsyncClient
from orca_tui.commands.inbox import INBOX_CANCEL
from orca_tui.commands.list import LIST
from orca_tui.commands.read import READ
from orca_tui.commands.send import SEND
from orca_tui.commands.spec import Command
from orca_tui.commands.wait import WAIT

INSTRUCTIONS = (
    "orca-tui holds terminal panes with agents and shells. `list` shows the panes and what their agents do. Work "
    "with your own pane and with panes that you opened; the error `refused` names what your user must grant for "
    "others. `send` leaves a notice, which `cancel` takes back until it is handed over; only `receipt` proves that "
    "it arrived."
)


class ToolSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A command as a tool. The texts are for models, which see nothing else of it."""

    command: Command[Any, Any]
    description: str
    fields: dict[str, str]
    """What each field of the request means."""
    reads: bool = False
    """It changes nothing."""


TARGET = "Id of a pane such as p3, or of a session."
TIMEOUT = "Seconds after which waiting ends with the error `timeout`; without it, it may take for ever."

TOOLS: dict[str, ToolSpec] = {
    "list": ToolSpec(
        command=LIST,
        description="All panes with their agents and statuses. Of panes that are not yours, names and statuses only. "
        "Where `agent` is null a shell or another program runs, and `status` says nothing.",
        fields={},
        reads=True,
    ),
    "read": ToolSpec(
        command=READ,
        description="The text that a pane shows.",
        fields={
            "pane": "Id of the pane.",
            "source": "The screen, what has scrolled out of it, or all.",
            "lines": "Only the last so many lines.",
            "ansi": "With colours, as escape sequences.",
            "unwrap": "Join lines that the terminal wrapped.",
        },
        reads=True,
    ),
    "send": ToolSpec(
        command=SEND,
        description="Leave a notice for the agent in a pane. An idle agent starts a turn with it, a busy one when "
        "its turn is over. The reply says whether it `woke` the agent, and the `reason` if not. `state` is "
        "`delivered` only with a `receipt`.",
        fields={
            "pane": TARGET,
            "text": "What to say.",
            "resume": "true: may start a turn, now or later. false: comes in with the user's next prompt. "
            '{"if_idle": true}: may start one only now, if the agent is idle and nobody types; never later. '
            'With "agent": only in the mode of that name.',
            "delivery": "steer: at the next tool call of the running turn, where the agent can; else as queue.",
            "id": "An id of your own; the same again with the same text is one notice.",
            "allow_race": "With if_idle: although somebody has just typed.",
            "wait": "receipt: answer when it is delivered. done: when the turn that took it is over.",
            "timeout": TIMEOUT,
        },
    ),
    "wait": ToolSpec(
        command=WAIT,
        description="Wait until a pane's agent has one of the statuses; at once when it has.",
        fields={
            "pane": "Id of the pane.",
            "status": "Which: usually done, waiting and error together, so that nothing is waited for in vain.",
            "next": "Count only a change that comes after this call.",
            "timeout": TIMEOUT,
        },
        reads=True,
    ),
    "cancel": ToolSpec(
        command=INBOX_CANCEL,
        description="Take a pending notice back. The error `inbox_conflict` means that nothing was removed: it was "
        "handed over, cancelled before, or never known; it arrived only if there is a `receipt`.",
        fields={"pane": TARGET, "id": "The notice's id, as `send` replied it."},
    ),
}


def serve(socket: Path, token: str | None) -> None:
    """Serve on standard input and output until the client hangs up."""
    asyncio.run(_serve(Tools(socket, token)))


def speaking(tools: Tools) -> Server[dict[str, Any]]:
    """A server that offers the tools."""
    return Server(
        "orca-tui",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=tools.listed,
        on_call_tool=tools.called,
    )


async def _serve(tools: Tools) -> None:
    server = speaking(tools)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


class Tools:
    """Answers for the tools of one server."""

    def __init__(self, socket: Path, token: str | None) -> None:
        self._socket = socket
        self._token = token

    async def listed(self, _: object, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[described(name, spec) for name, spec in TOOLS.items()])

    async def called(self, _: object, params: CallToolRequestParams) -> CallToolResult:
        spec = TOOLS.get(params.name)
        if spec is None:
            raise MCPError(INVALID_PARAMS, f"no tool {params.name!r}; there are {', '.join(TOOLS)}")
        try:
            return result(await self._call(spec.command, params.arguments or {}))
        except OrcaError as error:
            return failure(error)

    async def _call(self, command: Command[Any, Any], arguments: dict[str, Any]) -> msgspec.Struct:
        try:
            request = msgspec.convert(arguments, command.request)
        except msgspec.ValidationError as error:
            raise Invalid(str(error)) from error
        client = await AsyncClient.connect(self._socket, token=self._token)
        with closing(client):
            reply: msgspec.Struct = await client.call(command, request)
            return reply


def described(name: str, spec: ToolSpec) -> Tool:
    """A tool with the schema of the command's request."""
    return Tool(
        name=name,
        description=spec.description,
        input_schema=schema_of(spec),
        annotations=ToolAnnotations(read_only_hint=spec.reads, destructive_hint=False),
    )


def schema_of(spec: ToolSpec) -> dict[str, Any]:
    """JSON Schema of the request, with an object at its root as MCP wants it."""
    kind = spec.command.request
    _, definitions = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    schema: dict[str, Any] = definitions.pop(kind.__name__)
    for field, meaning in spec.fields.items():
        schema["properties"][field] = {**schema["properties"][field], "description": meaning}
    return {**schema, "$defs": definitions} if definitions else schema


def result(reply: msgspec.Struct) -> CallToolResult:
    """A reply as JSON and as text; the text of a pane is text."""
    told = msgspec.to_builtins(reply)
    text = told["text"] if list(told) == ["text"] else msgspec.json.encode(told).decode()
    return CallToolResult(content=[TextContent(text=text)], structured_content=told)


def failure(error: OrcaError) -> CallToolResult:
    """An error with its code and facts."""
    told = error.described()
    text = msgspec.json.encode(told).decode()
    return CallToolResult(content=[TextContent(text=text)], structured_content=told, is_error=True)
