"""The end of the file in which an agent writes its session down, read for what a notice left there. Logs nothing."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

MOST_BYTES = 4 << 20
"""Of one look: what tools printed is in these files whole."""


class Transcript:
    """A file from where it ends now. One that is not there yet is empty; with any other trouble it tells nothing."""

    def __init__(self, path: str | None) -> None:
        self._path = Path(path or "")
        self._offset = 0
        self.readable = self._path.is_absolute()
        """Whether it would show what it has not."""
        if self.readable:
            self._offset = self._read(lambda file: os.fstat(file).st_size) or 0

    @property
    def there(self) -> bool:
        """Whether there is a file by now that would show what it has not."""
        return self.readable and self._read(lambda _: True) is True

    def has(self, shows: Callable[[dict[str, Any]], bool]) -> bool:
        """Whether an entry that was added since satisfies `shows`. A line that is being written is looked at later."""
        added = self._read(lambda file: os.pread(file, MOST_BYTES, self._offset)) if self.readable else None
        for line in (added or b"").split(b"\n"):
            with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                entry = msgspec.json.decode(line)
                if isinstance(entry, dict) and shows(entry):
                    return True
        return False

    def _read(self, read: Callable[[int], Any]) -> Any:
        try:
            with open(self._path, "rb", buffering=0, opener=_plain) as file:
                return read(file.fileno())
        except FileNotFoundError:
            return None
        except OSError:
            self.readable = False
            return None


def _plain(path: str, flags: int) -> int:
    """Open a file that is none of those whose opening or reading may hang."""
    file = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(errno.EINVAL, "no plain file", path)
    return file
