"""The files that agents are started with, such as the plugin of our hooks: one folder of ours per agent.

Rule 1: a file that is as it should be is not touched: running agents may watch it.
Rule 2: a file is replaced as a whole, so that an agent which starts meanwhile reads the old one or the new one.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from orca_tui.base.errors import Refused
from orca_tui.server.sockets import PRIVATE_FILE, private_directory

FOLDER = "agents"
"""In the state directory."""


def agent_folder(state_dir: Path, agent: str) -> Path:
    """Where an agent's files are."""
    return state_dir / FOLDER / agent


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Bring the folder's files to what they should be; raises `Refused` where that cannot be done."""
    for place, content in files.items():
        path = folder / place
        for directory in (folder.parent, folder, *_between(folder, path)):
            private_directory(directory)
        try:
            if not _holds(path, content):
                replace_file(path, content)
        except OSError as error:
            raise Refused(f"{path} cannot be written: {error.strerror}", path=str(path)) from error


def replace_file(path: Path, content: bytes) -> None:
    """Write a file of this user alone, by a rename; raises `OSError`."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_FILE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _between(folder: Path, path: Path) -> list[Path]:
    """The directories below `folder` that lead to `path`, outermost first."""
    steps = path.relative_to(folder).parts[:-1]
    return [folder.joinpath(*steps[: count + 1]) for count in range(len(steps))]


def _holds(path: Path, content: bytes) -> bool:
    """A link is none of ours, whatever it leads to."""
    if not path.is_file() or path.is_symlink() or path.stat().st_size != len(content):
        return False
    return path.read_bytes() == content
