"""Command specs as click commands: arguments, options and help come from the spec and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import click

from orca_tui.cli.session import Session
from orca_tui.cli.values import completer, reader
from orca_tui.commands.spec import Argument, Command, Option

Action: TypeAlias = Callable[[Session, Command[Any, Any], dict[str, Any]], int]
"""Runs a command with the request's fields as given on the command line; the exit code."""


def common_options() -> list[click.Parameter]:
    """`--json` and `--server`, which every command takes wherever they stand before `--`."""
    return [
        click.Option(
            ["--json", "as_json"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_note_json,
            help="Print JSON: one object, or one a line.",
        ),
        click.Option(
            ["--server"],
            metavar="NAME",
            is_eager=True,
            expose_value=False,
            callback=_note_server,
            help="The server to talk to (default: $ORCA_TUI_SERVER, else 'default').",
        ),
    ]


class Described(click.Command):
    """A click command that also tells its arguments and examples."""

    def __init__(
        self,
        *,
        arguments_help: tuple[tuple[str, str], ...] = (),
        examples: tuple[str, ...] = (),
        **settings: Any,
    ) -> None:
        settings["params"] = [*settings.get("params", ()), *common_options()]
        super().__init__(**settings)
        self._arguments_help = arguments_help
        self._examples = examples

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self._arguments_help:
            with formatter.section("Arguments"):
                formatter.write_dl(list(self._arguments_help))
        super().format_options(ctx, formatter)
        if self._examples:
            with formatter.section("Examples"):
                for example in self._examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{example}\n")


def generated(spec: Command[Any, Any], word: str, action: Action) -> click.Command:
    """The click command of a spec; `action` is run with the fields that were given."""

    @click.pass_context
    def run(context: click.Context, /, **values: Any) -> None:
        given = {name: value for name, value in values.items() if value not in (None, ())}
        context.exit(action(context.ensure_object(Session), spec, _fields(spec, given)))

    return Described(
        name=word,
        callback=run,
        help=spec.help,
        short_help=spec.help.partition("\n")[0],
        params=[*map(_argument, spec.arguments), *map(_option, spec.options)],
        arguments_help=tuple((_metavar(argument), _help(argument)) for argument in spec.arguments),
        examples=spec.examples,
    )


def _fields(spec: Command[Any, Any], given: dict[str, Any]) -> dict[str, Any]:
    """The request's fields: options that share one exclude each other, unless all say objects."""
    fields: dict[str, Any] = {}
    flags: dict[str, str] = {}
    parameters = [(argument.field, argument.field, "") for argument in spec.arguments]
    parameters += [(_parameter(option), option.field, option.flags[0]) for option in spec.options]
    for parameter, field, flag in parameters:
        value = given.get(parameter)
        if parameter not in given:
            continue
        if field in fields and not (isinstance(value, dict) and isinstance(fields[field], dict)):
            raise click.UsageError(f"{flags[field]} and {flag} exclude each other")
        fields[field] = fields[field] | value if field in fields else value
        flags[field] = flag
    missing = [option for option in spec.options if option.required and option.field not in fields]
    if missing:
        raise click.UsageError(f"missing option {' or '.join(option.flags[0] for option in missing)}")
    return fields


def _parameter(option: Option) -> str:
    """The name under which click keeps an option's value; several options may fill one field."""
    return option.flags[0].lstrip("-").replace("-", "_")


def _argument(argument: Argument) -> click.Argument:
    settings: dict[str, Any] = {}
    if argument.completes:
        settings["shell_complete"] = completer(argument.completes)
    return click.Argument(
        [argument.field],
        required=argument.required,
        nargs=-1 if argument.variadic else 1,
        type=_choice(argument.choices) if argument.choices else click.UNPROCESSED,
        metavar=_metavar(argument),
        **settings,
    )


def _metavar(argument: Argument) -> str:
    name = argument.field.upper()
    return argument.metavar or (name if argument.required else f"[{name}]")


def _help(argument: Argument) -> str:
    return f"{', '.join(argument.choices)}: {argument.help}" if argument.choices else argument.help


def _option(option: Option) -> click.Option:
    settings: dict[str, Any] = {} if option.default is None else {"default": option.default}
    if option.completes:
        settings["shell_complete"] = completer(option.completes)
    if option.flag:
        return click.Option(
            [*option.flags, _parameter(option)],
            is_flag=True,
            flag_value=option.sets,
            type=click.UNPROCESSED,
            default=None,
            help=option.help,
        )
    return click.Option(
        [*option.flags, _parameter(option)],
        type=_type(option),
        multiple=option.repeatable,
        required=option.required,
        metavar=option.metavar or ("|".join(map(str, option.choices)) if option.choices else None),
        help=option.help,
        **settings,
    )


def _type(option: Option) -> Any:
    if option.parse is not None:
        return reader(option.parse)
    return _choice(option.choices) if option.choices else click.UNPROCESSED


def _choice(choices: tuple[str, ...]) -> click.Choice[str]:
    return click.Choice([str(choice) for choice in choices])


def _note_json(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        context.ensure_object(Session).json = True


def _note_server(context: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.ensure_object(Session).server = value
