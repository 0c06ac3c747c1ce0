"""The table of commands: what every spec must keep, so that wire, HTTP, command line and schema can trust it."""

from __future__ import annotations

import re
from typing import Any, get_type_hints

import msgspec
import pytest

from orca_tui.commands import index
from orca_tui.commands.spec import Command
from orca_tui.commands.table import COMMANDS, COMMANDS_BY_NAME

PUBLIC = [command for command in COMMANDS if not command.internal]

every_command = pytest.mark.parametrize("command", COMMANDS, ids=[command.name for command in COMMANDS])
every_public_command = pytest.mark.parametrize("command", PUBLIC, ids=[command.name for command in PUBLIC])


def fields_of(kind: type[msgspec.Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    return {field.name: field for field in msgspec.structs.fields(kind)}


def test_the_index_finds_every_command_under_its_own_name() -> None:
    assert [command.name for command in COMMANDS] == list(index.PLACES)
    assert all(index.load(name) is command for name, command in COMMANDS_BY_NAME.items())


@every_command
def test_requests_refuse_unknown_fields(command: Command[Any, Any]) -> None:
    assert command.request.__struct_config__.forbid_unknown_fields
    assert command.request.__struct_config__.frozen


@every_command
def test_replies_do_not_change(command: Command[Any, Any]) -> None:
    assert command.reply.__struct_config__.frozen


@every_public_command
def test_the_help_begins_with_a_sentence(command: Command[Any, Any]) -> None:
    first = command.help.split("\n")[0]

    assert re.fullmatch(r"[A-Z].*\.", first)
    assert len(first) <= 100


@every_public_command
def test_arguments_options_and_routes_fill_fields_that_exist(command: Command[Any, Any]) -> None:
    fields = fields_of(command.request)

    named = [argument.field for argument in command.arguments] + [option.field for option in command.options]
    assert set(named) <= set(fields)
    shared = {name for name in named if named.count(name) > 1}
    assert all(is_a_choice(command, name) for name in shared)
    for route in command.routes:
        assert set(re.findall(r"\{(\w+)\}", route.path)) <= set(fields)
        assert route.path.startswith("/v1/")


def is_a_choice(command: Command[Any, Any], field: str) -> bool:
    """All options of the field exclude each other: flags, or ways to say one value."""
    options = [option for option in command.options if option.field == field]
    return not any(argument.field == field for argument in command.arguments) and all(
        option.flag or option.parse is not None for option in options
    )


@every_public_command
def test_the_command_line_can_fill_every_required_field(command: Command[Any, Any]) -> None:
    if not command.typed:
        return
    given = {argument.field for argument in command.arguments} | {
        option.field for option in command.options if option.required
    }

    required = {name for name, field in fields_of(command.request).items() if field.required}
    assert required <= given


@every_public_command
def test_flags_are_used_once(command: Command[Any, Any]) -> None:
    flags = [flag for option in command.options for flag in option.flags]

    assert len(flags) == len(set(flags))
    assert not {"--json", "--server", "--help"} & set(flags)


@every_command
def test_what_stands_for_the_whole_is_a_field_of_the_reply(command: Command[Any, Any]) -> None:
    if command.prints is not None:
        assert command.prints in get_type_hints(command.reply)


def test_internal_commands_have_no_route_and_no_words() -> None:
    for command in COMMANDS:
        if command.internal:
            assert command.name.startswith(("ui.", "host."))
            assert (command.routes, command.arguments, command.options) == ((), (), ())


def test_commands_that_are_not_typed_have_a_route() -> None:
    assert all(command.routes for command in PUBLIC if not command.typed)
