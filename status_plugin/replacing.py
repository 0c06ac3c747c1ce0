"""Files replaced as a whole, within a folder that is held open: no name on the way there can be swapped."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

NEW_FILE_MODE: Final = 0o644
_RANDOM_BYTES: Final = 8

Identity: TypeAlias = tuple[int, int, int, int]
"""Device, inode, size and mtime of what stands under a name: another one means that it was changed."""


class ChangedMeanwhileError(OSError):
    """What was looked at is not there any more."""

    def __init__(self, name: str) -> None:
        super().__init__(None, "it was changed while it was being replaced", name)


def identity_of(place: Path | str, folder: int | None = None) -> Identity | None:
    """Of a name itself, be it a link; None where nothing stands."""
    try:
        found = os.stat(place, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


@contextlib.contextmanager
def held(folder: Path | str, parent: int | None = None) -> Iterator[int]:
    """A descriptor of a real folder; raises `OSError` for a link to one, or for anything else."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(folder, flags, dir_fd=parent)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def replace(folder: int, name: str, content: bytes, seen: Identity | None, mode: int | None = None) -> None:
    """Puts `content` under `name`, where `seen` was seen; raises `ChangedMeanwhileError` if that is gone.

    The temporary name ends in neither .js nor .ts: OpenCode loads every such file of its plugin folders.
    """
    temporary = f".{name}.{secrets.token_hex(_RANDOM_BYTES)}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    descriptor = os.open(temporary, flags, NEW_FILE_MODE, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None:
                os.fchmod(descriptor, mode)
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        if identity_of(name, folder) != seen:
            raise ChangedMeanwhileError(name)
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=folder)
        raise
    # Makes the rename last; where folders cannot be synced, it lasts when the system gets to it.
    with contextlib.suppress(OSError):
        os.fsync(folder)


def sweep(folder: int, name: str) -> None:
    """Takes away what writers of `name` left behind when they were killed; no writer may be at work."""
    leftover = re.compile(rf"\.{re.escape(name)}\.[0-9a-f]{{{2 * _RANDOM_BYTES}}}\.tmp")
    for entry in os.listdir(folder):
        if leftover.fullmatch(entry):
            with contextlib.suppress(OSError):
                os.unlink(entry, dir_fd=folder)


def mode_to_keep(folder: int, name: str) -> int | None:
    """A file's mode, unless it hides the file from its owner: that would be found stale again and again."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return None
    return stat.S_IMODE(found) if stat.S_ISREG(found) and found & stat.S_IRUSR else None


def reason_of(error: OSError) -> str:
    """The error in the system's words, with the place where there is one."""
    place = f": {error.filename}" if error.filename else ""
    return f"{error.strerror or error}{place}"
