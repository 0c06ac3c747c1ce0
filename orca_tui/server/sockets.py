"""The runtime directory and the sockets in it: private to this user, and never taken from a living server."""

from __future__ import annotations

import errno
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from orca_tui.base.errors import Conflict, Refused

BACKLOG = 128
PRIVATE_DIRECTORY = 0o700
PRIVATE_FILE = 0o600
DEAD = (errno.ECONNREFUSED, errno.ENOENT)


def private_directory(path: Path) -> None:
    """Make the directory, or check that it is ours alone; raises `Refused` when it cannot be."""
    try:
        path.mkdir(mode=PRIVATE_DIRECTORY, parents=True, exist_ok=True)
    except OSError as error:
        raise Refused(f"{path} cannot be made: {error.strerror}", path=str(path)) from error
    facts = path.lstat()
    if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.geteuid():
        raise Refused(f"{path} is not a directory of this user", path=str(path))
    if stat.S_IMODE(facts.st_mode) & 0o077:
        path.chmod(PRIVATE_DIRECTORY)


@contextmanager
def listening(path: Path) -> Iterator[socket.socket]:
    """A listening socket at a path, which is taken away again afterwards.

    A socket that a dead server left is replaced; one that somebody answers on raises `Conflict`.
    """
    _clear(path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        path.chmod(PRIVATE_FILE)
        listener.listen(BACKLOG)
        listener.setblocking(False)
        inode = path.lstat().st_ino
        try:
            yield listener
        finally:
            _remove(path, inode)


def _clear(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise Conflict(f"{path} is in the way and is no socket", path=str(path))
    if _answers(path):
        raise Conflict(f"a server answers on {path}", path=str(path))
    path.unlink(missing_ok=True)


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)
        error = probe.connect_ex(str(path))
    return error not in DEAD


def _remove(path: Path, inode: int) -> None:
    """Only what is still ours: a cleaned runtime directory may hold another server's by now."""
    try:
        if path.lstat().st_ino == inode:
            path.unlink()
    except (FileNotFoundError, NotADirectoryError):
        return
