"""The plugin files as they are on the disk. Reads bytes; runs none of them.

Rule 1: a plugin is a regular file `NAME.py`, or a link to one; names that begin with `.` or `_` are none.
Rule 2: a file that is gone by the time it is read is not there.
Rule 3: a file that cannot be read, or is too large, is there with a fault.
"""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from pathlib import Path

import msgspec

from orca_tui.commands.plugins import Fault

LARGEST_BYTES = 1 << 20  # A plugin is a page; what is larger is something else with the wrong name.


class PluginFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file and what was in it."""

    path: Path
    """In the plugins folder, as the user knows it; a link is not resolved."""
    digest: str
    source: bytes = b""
    fault: Fault | None = None
    """Why there is no source (Rule 3)."""

    @property
    def name(self) -> str:
        return self.path.name


def is_plugin_name(name: str) -> bool:
    """Rule 1, as far as the name tells."""
    return name.endswith(".py") and not name.startswith((".", "_")) and name != ".py"


def plugin_paths(folder: Path) -> list[Path]:
    """The files that are plugins, by name; none in a folder that is not there."""
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if is_plugin_name(entry.name))
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [folder / name for name in names if _is_regular(folder / name)]


def read_folder(folder: Path) -> dict[str, PluginFile]:
    """Every plugin file by its name."""
    found = (read_file(path) for path in plugin_paths(folder))
    return {file.name: file for file in found if file is not None}


def read_file(path: Path) -> PluginFile | None:
    """One file; None when it is gone (Rule 2)."""
    try:
        with path.open("rb") as opened:
            source = opened.read(LARGEST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return PluginFile(path=path, digest=f"unreadable: {reason}", fault=_unusable(reason))
    if len(source) > LARGEST_BYTES:
        return PluginFile(
            path=path, digest="too large", fault=_unusable(f"it has more than {LARGEST_BYTES} bytes")
        )
    return PluginFile(path=path, digest=sha256(source).hexdigest(), source=source)


def watched_places(folder: Path) -> tuple[Path, ...]:
    """The folders in which a plugin's bytes can change: the plugins folder, and those where its links lead."""
    targets = (path.resolve().parent for path in plugin_paths(folder))
    places = dict.fromkeys((folder.resolve(), *targets))
    return tuple(place for place in places if place.is_dir())


def _is_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False


def _unusable(reason: str) -> Fault:
    return Fault(doing="load", kind="unreadable", message=reason)
