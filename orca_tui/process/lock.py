"""A lock file that one process at a time holds, and that the kernel lets go of when that process dies."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path  # The keeper does without it: half a megabyte.


class LockFile:
    """A held lock; made by `acquire`."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    @classmethod
    def acquire(cls, path: Path | str) -> LockFile | None:
        """The lock, or None while another process has it. The file itself stays behind: taking it away would
        let two processes hold locks on two files of one name."""
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        except BaseException:
            os.close(descriptor)
            raise
        return cls(descriptor)

    def release(self) -> None:
        """Let go; again changes nothing."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
