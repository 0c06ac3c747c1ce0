"""Whether a pane's program can be run at all, asked before there is a pane. Looks at files; starts nothing.

Rule 1: the directory must be one that can be entered.
Rule 2: the program is looked for as `execvpe` will, in the pane's own PATH and from its own directory.
Rule 3: what shows only when it is run, such as a missing interpreter, is for the pane to show.
"""

from __future__ import annotations

import os
import stat

from orca_tui.base.errors import Invalid, NotFound, OrcaError
from orca_tui.server.launch import Launch


def check_runnable(launch: Launch, variables: dict[str, str]) -> None:
    """Raises `NotFound` for a directory or program that is not there, `Invalid` for one that cannot be used.

    `variables` are those of the pane's program. Blocks as long as the file system does.
    """
    _check_directory(launch.directory)
    program = launch.argv[0]
    found = [path for path in _candidates(program, launch.directory, variables) if os.path.exists(path)]
    if any(_is_executable(path) for path in found):
        return
    if found:
        raise Invalid(f"{program} cannot be run: {found[0]} is not an executable file", command=program)
    raise _missing(launch, program)


def _check_directory(directory: str) -> None:
    try:
        is_directory = stat.S_ISDIR(os.stat(directory).st_mode)
    except FileNotFoundError as error:
        raise NotFound(f"the directory {directory} does not exist", cwd=directory) from error
    except OSError as error:
        raise Invalid(
            f"the directory {directory} cannot be entered: {error.strerror}", cwd=directory
        ) from error
    if not is_directory:
        raise Invalid(f"{directory} is not a directory", cwd=directory)
    if not os.access(directory, os.X_OK):
        raise Invalid(f"the directory {directory} cannot be entered: Permission denied", cwd=directory)


def _candidates(program: str, directory: str, variables: dict[str, str]) -> list[str]:
    """Rule 2."""
    if "/" in program:
        return [os.path.join(directory, program)]
    folders = variables.get("PATH", os.defpath).split(os.pathsep)
    return [os.path.join(directory, folder, program) for folder in folders]


def _is_executable(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _missing(launch: Launch, program: str) -> OrcaError:
    """An agent that is not installed is told with the way to install it."""
    adapter = launch.adapter
    if adapter is None or program not in adapter.commands:
        return NotFound(f"command not found: {program}", command=program)
    how = f"; to install it: {adapter.install}" if adapter.install else ""
    return NotFound(
        f"{adapter.title} is not installed: there is no {program} on the PATH{how}",
        command=program,
        agent=adapter.name,
    )
