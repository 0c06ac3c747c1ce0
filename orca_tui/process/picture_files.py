"""Reads files and shared memory that programs in panes name as pictures. Nothing else of them is looked at.

Rule 1: only what is an ordinary file is read, at most `limit` bytes, and nothing below `FORBIDDEN`.
Rule 2: a file is removed only when it lies in a folder for temporary files and has the protocol's mark in its name.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from orca_tui.base.errors import NotFound

MARK = "tty-graphics-protocol"
FORBIDDEN = (Path("/dev"), Path("/proc"), Path("/sys"))
SHARED_MEMORY = Path("/dev/shm")
"""Where Linux has it; elsewhere there is none that could be read by its name alone."""


def read_file(path: Path, *, offset: int, size: int, limit: int) -> bytes:
    """`size` bytes from `offset` on, 0 for all; raises `NotFound` for what is not read."""
    return _read(_resolved(path), offset, size, limit)


def take_file(path: Path, *, offset: int, size: int, limit: int) -> bytes:
    """The same of a temporary file, which is gone afterwards (rule 2)."""
    resolved = _resolved(path)
    data = _read(resolved, offset, size, limit)
    if is_temporary(resolved, _temporary_folders()):
        with suppress(OSError):
            resolved.unlink()
    return data


def is_temporary(path: Path, folders: Iterable[Path]) -> bool:
    """Rule 2, for a path without links in it and the folders for temporary files."""
    return MARK in path.name and any(path.is_relative_to(folder) for folder in folders)


def take_memory(name: str, *, offset: int, size: int, limit: int) -> bytes:
    """The same of shared memory, which is gone afterwards."""
    name = name.removeprefix("/")
    if not name or "/" in name or name == "..":
        raise _no_file()
    path = SHARED_MEMORY / name
    data = _read(path, offset, size, limit)
    with suppress(OSError):
        path.unlink()
    return data


def _resolved(path: Path) -> Path:
    try:
        resolved = path.resolve(strict=True)
    except (OSError, ValueError, RuntimeError) as error:  # The last is a loop of links in Python 3.12.
        raise _no_file() from error
    if any(resolved.is_relative_to(folder) for folder in FORBIDDEN):
        raise _no_file()
    return resolved


def _temporary_folders() -> tuple[Path, ...]:
    return tuple(Path(folder).resolve() for folder in ("/tmp", "/var/tmp", tempfile.gettempdir()))


def _read(path: Path, offset: int, size: int, limit: int) -> bytes:
    try:
        # A pipe or a device would not come back from being opened otherwise.
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise _no_file() from error
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise _no_file()
        with open(fd, "rb", closefd=False) as file:
            file.seek(offset)
            return file.read(min(size or limit, limit))
    except OSError as error:  # Of the disk, or of the network that it is on.
        raise _no_file() from error
    finally:
        os.close(fd)


def _no_file() -> NotFound:
    return NotFound("there is no file that is read as a picture")
