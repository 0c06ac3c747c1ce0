"""What a new pane takes from whoever asks for it: the environment and the working directory."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress

from orca_tui.base.errors import Invalid
from orca_tui.cli.session import write_line
from orca_tui.config import Environment, is_text


def environment_to_send(environment: Environment) -> dict[str, str]:
    """The whole environment, less what no message can carry, which is told on stderr."""
    sendable = environment.sendable().variables
    left_out = sorted(set(environment.variables) - set(sendable))
    if left_out:
        names = ", ".join(name.encode(errors="replace").decode() for name in left_out)
        write_line(f"orca-tui: not UTF-8, so the pane does not get it: {names}", sys.stderr)
    return sendable


def working_directory(variables: Mapping[str, str], wanted: str | None) -> str | None:
    """`wanted` as an absolute path (it need not exist), else the directory we are in; None when that is gone.

    `$PWD` is preferred where it names that same directory: a person sees the path they came by, not the one
    behind its symbolic links.
    """
    here = _here(variables)
    if wanted is None:
        return here
    path = os.path.expanduser(wanted)
    if not os.path.isabs(path) and here is None:
        raise Invalid("this directory does not exist any more; give --cwd an absolute path")
    path = os.path.normpath(os.path.join(here or "/", path))
    if not is_text(path):
        raise Invalid("the path of --cwd is not UTF-8")
    return path


def _here(variables: Mapping[str, str]) -> str | None:
    try:
        real = os.getcwd()
    except FileNotFoundError:
        return None
    said = variables.get("PWD", "")
    with suppress(OSError):
        if os.path.isabs(said) and is_text(said) and os.path.samefile(said, real):
            return said
    return real if is_text(real) else None
