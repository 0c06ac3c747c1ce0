"""The control API as JSON Schema, made from the specs. Reads types only; calls nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_type_hints

import msgspec

from orca_tui import __version__
from orca_tui.base.errors import ERRORS_BY_CODE
from orca_tui.commands.spec import Command
from orca_tui.wire import PROTOCOL

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(commands: Iterable[Command[Any, Any]]) -> dict[str, Any]:
    """Requests, replies and stream items of the commands that are not internal, and the error body.

    `$defs` holds the types; every command refers to them. Of a stream, `reply` is one item as HTTP sends it.
    """
    public = [command for command in commands if not command.internal]
    types = [kind for command in public for kind in (command.request, _sent(command))]
    refs, definitions = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    pairs = zip(refs[::2], refs[1::2], strict=True)
    return {
        "$schema": DIALECT,
        "title": "orca-tui control API",
        "version": __version__,
        "protocol": PROTOCOL,
        "commands": [
            _described(command, request, reply)
            for command, (request, reply) in zip(public, pairs, strict=True)
        ],
        "error": _error(),
        "$defs": definitions,
    }


def _described(command: Command[Any, Any], request: dict[str, Any], reply: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": command.name,
        "help": command.help,
        "stream": command.stream,
        "routes": [{"method": route.method, "path": route.path} for route in command.routes],
        "request": request,
        "reply": reply,
    }


def _sent(command: Command[Any, Any]) -> Any:
    """The type of a reply, or of a stream's item without its wrapper."""
    if command.stream and command.prints:
        return get_type_hints(command.reply, include_extras=True)[command.prints]
    return command.reply


def _error() -> dict[str, Any]:
    """What HTTP answers and `--json` writes to stderr; newer servers may know more codes."""
    body = {
        "type": "object",
        "properties": {
            "code": {"type": "string", "examples": list(ERRORS_BY_CODE)},
            "message": {"type": "string"},
        },
        "required": ["code", "message"],
    }
    return {"type": "object", "properties": {"error": body}, "required": ["error"]}
