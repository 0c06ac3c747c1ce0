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
        for directory in (folder, *_between(folder, path)):
            private_directory(directory)
        try:
            if not _holds(path, content):
                replace_file(path, content)
        except OSError as error:
            raise Refused(f"{path} cannot be written: {error.strerror}", path=str(path)) from error


def remove_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Remove the folder with these files, whatever they hold; raises `Refused`, and removes nothing, when there is
    anything else in it."""
    refuse_foreign(folder, files)
    if not folder.exists():
        return
    ours = {folder / place for place in files}
    directories = {directory for path in ours for directory in _between(folder, path)}
    try:
        for path in ours:
            path.unlink(missing_ok=True)
        for directory in sorted(directories, reverse=True):
            if directory.exists():
                directory.rmdir()
        folder.rmdir()
    except OSError as error:
        raise Refused(f"{folder} cannot be removed: {error.strerror}", path=str(folder)) from error


def refuse_foreign(folder: Path, files: Mapping[str, bytes]) -> None:
    """Raises `Refused` when there is anything but these files in the folder, or when it is none."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise Refused(f"{folder} is no directory of ours", path=str(folder))
    ours = {folder / place for place in files}
    ours |= {directory for path in ours for directory in _between(folder, path)}
    foreign = sorted(path for path in folder.rglob("*") if path not in ours)
    if foreign:
        raise Refused(f"{folder} is left as it is: {foreign[0].name} in it is not ours", path=str(folder))


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
