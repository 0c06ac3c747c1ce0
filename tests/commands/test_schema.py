"""The JSON Schema of the API."""

from __future__ import annotations

import json

from orca_tui import __version__
from orca_tui.commands.schema import schema
from orca_tui.commands.table import COMMANDS
from orca_tui.wire import PROTOCOL

WHOLE = schema(COMMANDS)


def of(name: str) -> dict:  # type: ignore[type-arg]
    return next(command for command in WHOLE["commands"] if command["name"] == name)


def test_it_tells_every_public_command_and_no_other() -> None:
    assert [one["name"] for one in WHOLE["commands"]] == [one.name for one in COMMANDS if not one.internal]


def test_it_says_which_version_it_describes() -> None:
    assert (WHOLE["version"], WHOLE["protocol"]) == (__version__, PROTOCOL)


def test_it_is_json_and_every_reference_leads_somewhere() -> None:
    text = json.dumps(WHOLE)

    references = {part.split('"')[0] for part in text.split("#/$defs/")[1:]}
    assert references
    assert references <= set(WHOLE["$defs"])


def test_requests_allow_no_other_properties() -> None:
    for command in WHOLE["commands"]:
        request = WHOLE["$defs"][command["request"]["$ref"].rsplit("/")[-1]]
        assert request["additionalProperties"] is False


def test_events_are_told_apart_by_their_type() -> None:
    events = of("events")

    assert events["stream"] is True
    kinds = events["reply"]["discriminator"]["mapping"]
    assert {"hello", "status", "ring", "opened", "closed", "title"} <= set(kinds)
    assert "from" in WHOLE["$defs"]["StatusEvent"]["properties"]


def test_ranges_are_part_of_it() -> None:
    lines = WHOLE["$defs"]["ReadRequest"]["properties"]["lines"]

    assert {"type": "integer", "minimum": 1} in lines["anyOf"]


def test_the_error_body_is_part_of_it() -> None:
    error = WHOLE["error"]["properties"]["error"]

    assert error["required"] == ["code", "message"]
    assert "not_found" in error["properties"]["code"]["examples"]
