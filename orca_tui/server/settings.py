"""The settings as their file has them now, for a server that runs for weeks.

Rule 1: the file is looked at when something asks, so that nothing has to wake for it.
Rule 2: a file that cannot be used changes nothing; the log says so once for each such file.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TypeAlias

from orca_tui.base.errors import ConfigError
from orca_tui.config import Config, load

logger = logging.getLogger(__name__)

Stamp: TypeAlias = tuple[int, int, int]
"""What differs once a file was written or replaced: inode, size, time of change in nanoseconds."""


class SettingsFile:
    """The file of the settings, and what held last; `held` is what it said when the server was built."""

    def __init__(self, path: Path, held: Config) -> None:
        self._path = path
        self._held = held
        self._read: Stamp | str | None = "never"

    def now(self) -> Config:
        """The settings that hold; a missing file means the defaults."""
        stamp = _stamp(self._path)
        if stamp == self._read:
            return self._held
        self._read = stamp
        try:
            self._held = load(self._path)
        except ConfigError as error:
            logger.warning("%s; the settings stay as they were", error.message)
        return self._held


def _stamp(path: Path) -> Stamp | None:
    """None where nothing can be looked at, which `load` tells apart."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
