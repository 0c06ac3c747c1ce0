"""A program as bytes, for the process that becomes it, and what that process says when it cannot."""

from __future__ import annotations

import errno
import os

from orca_tui.base.errors import Invalid, SpawnFailed
from orca_tui.process.spawner import COMMAND_NOT_FOUND, COMMAND_NOT_RUNNABLE, Program

NOT_FOUND = (errno.ENOENT, errno.ENOTDIR)


def encoded(program: Program) -> bytes:
    """NUL-separated: directory, number of arguments, arguments, variables. Raises `Invalid`."""
    variables = [f"{name}={value}" for name, value in program.environment.items()]
    texts = [program.directory, str(len(program.argv)), *program.argv, *variables]
    if not program.argv or any("\0" in text for text in texts):
        raise Invalid("a command needs a program, and no text of it may hold a NUL")
    return b"\0".join(os.fsencode(text) for text in texts)


def failure(program: Program, step: str, number: int) -> SpawnFailed:
    """Why a program could not be run: the step that failed and its error number."""
    reason = os.strerror(number)
    match step:
        case "chdir":
            why = "does not exist" if number == errno.ENOENT else f"cannot be entered: {reason}"
            return SpawnFailed(
                f"the directory {program.directory} {why}",
                directory=program.directory,
                exit_code=COMMAND_NOT_RUNNABLE,
            )
        case "exec" if number in NOT_FOUND:
            return SpawnFailed(
                f"command not found: {program.argv[0]}", command=program.argv[0], exit_code=COMMAND_NOT_FOUND
            )
        case "exec":
            return SpawnFailed(
                f"{program.argv[0]} cannot be run: {reason}",
                command=program.argv[0],
                exit_code=COMMAND_NOT_RUNNABLE,
            )
        case "start":
            return SpawnFailed(f"cannot start a process: {reason}", exit_code=COMMAND_NOT_RUNNABLE)
        case _:
            return SpawnFailed(f"the terminal could not be set up: {reason}", exit_code=COMMAND_NOT_RUNNABLE)
