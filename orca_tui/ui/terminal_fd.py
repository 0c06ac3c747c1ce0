"""A descriptor of our own for a terminal that another program opened."""

from __future__ import annotations

import os
from typing import Protocol


class Stream(Protocol):
    """An open file, such as `sys.__stdin__`."""

    def fileno(self) -> int: ...


def open_terminal(stream: Stream | None, flags: int) -> int:
    """Open the stream's terminal once more, not blocking; the shell shares the stream's own descriptor with us.

    Where the terminal may not be opened again (after `su`) the descriptor is shared after all, and blocks.
    """
    if stream is None:
        raise OSError("this program was started without a terminal")
    fd = stream.fileno()
    try:
        return os.open(os.ttyname(fd), flags | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return os.dup(fd)
