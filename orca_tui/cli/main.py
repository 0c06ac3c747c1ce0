"""Runs one command line: arguments in, exit code out. The edge where errors become words and codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper

import click

from orca_tui.base.errors import Invalid, OrcaError
from orca_tui.cli.outside import Outside
from orca_tui.cli.root import Root, build
from orca_tui.cli.session import Session, write_error

PROGRAM = "orca-tui"
COMPLETE_VARIABLE = "_ORCA_TUI_COMPLETE"
INTERRUPTED = 130
"""128 + SIGINT, as shells say it."""
PIPE_CLOSED = 141
"""128 + SIGPIPE: what a program that nobody reads any more ends with."""


def run(arguments: Sequence[str], outside: Outside) -> int:
    """Run a command line (without the program's name) and return its exit code."""
    _fill_closed_streams()
    _print_what_can_be()
    session = Session(outside)
    root = build()
    if instruction := outside.environment.get(COMPLETE_VARIABLE):
        from click.shell_completion import shell_complete

        return shell_complete(root, {"obj": session}, PROGRAM, COMPLETE_VARIABLE, instruction)
    try:
        return _run(root, list(arguments), session)
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _forget_stdout()
        return PIPE_CLOSED
    except OSError as error:
        _forget_stdout()  # What is left in its buffer would fail again.
        return _failed(OrcaError(f"the output cannot be written: {error.strerror}"), session, list(arguments))


def _run(root: Root, arguments: list[str], session: Session) -> int:
    try:
        with root.make_context(PROGRAM, arguments, obj=session) as context:
            root.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        sys.stdout.flush()
        return done.exit_code
    except click.ClickException as error:
        return _failed(_usage(error), session, arguments)
    except OrcaError as error:
        return _failed(error, session, arguments)
    return 0


def _failed(error: OrcaError, session: Session, arguments: list[str]) -> int:
    before = arguments[: arguments.index("--")] if "--" in arguments else arguments
    write_error(error, as_json=session.json or "--json" in before)
    return error.exit_code


def _usage(error: click.ClickException) -> Invalid:
    """A usage error with the command whose help explains it."""
    reason = " ".join(error.format_message().split())
    context = error.ctx if isinstance(error, click.UsageError) else None
    hint = f"; see `{context.command_path} --help`" if context else ""
    if isinstance(error, click.NoSuchOption) and context and _runs_a_program(context.command):
        hint = f"; a program's own options go behind `--`: {context.command_path} -- PROGRAM ..."
    elif "--help" in reason or "id you mean" in reason:
        hint = ""
    return Invalid(_lower_first(reason).rstrip(".") + hint)


def _runs_a_program(command: click.Command) -> bool:
    return any(parameter.nargs == -1 and parameter.name == "command" for parameter in command.params)


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


def _fill_closed_streams() -> None:
    """A stream that was closed before we started (`>&-`) is None; nothing is what it gives and takes."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115 - for the rest of the process
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115


def _print_what_can_be() -> None:
    """A stream whose encoding lacks a character of a title shows a `?` there, rather than no list at all."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")


def _forget_stdout() -> None:
    """Point stdout at nothing, so that the interpreter's last flush does not complain either."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
