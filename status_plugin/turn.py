"""Writers of one folder, one after the other: a lock on the folder itself, which leaves no file behind."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_TURN_S: Final = 5.0
"""A writer needs milliseconds; who holds the folder for longer is stopped or stuck, and no pane waits for it."""
_TURN_STEP_S: Final = 0.01
_NO_LOCKS_HERE: Final = frozenset({errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS})
"""Some network file systems lock no folders; the rename still keeps the file whole there."""


@contextlib.contextmanager
def turn(folder: Path) -> Iterator[None]:
    """Holds the folder. A lock file in it would be seen by OpenCode, which watches the folder.

    Raises `OSError` when another process keeps it for too long.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _wait_for_lock(descriptor, folder)
        yield
    finally:
        os.close(descriptor)


def _wait_for_lock(descriptor: int, folder: Path) -> None:
    for _ in range(int(_TURN_S / _TURN_STEP_S)):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            threading.Event().wait(_TURN_STEP_S)
        except OSError as error:
            if error.errno not in _NO_LOCKS_HERE:
                raise
            return
        else:
            return
    raise OSError(errno.EAGAIN, "another process holds the folder", str(folder))
