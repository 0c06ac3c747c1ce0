"""Links in one folder that show the entries of another. Never copies, never follows a link, never goes deeper.

Rule 1: a link is made where nothing stands; what stands there otherwise is hidden behind and left alone.
Rule 2: a link is taken back only if it was written down and still leads where ours led.
Rule 3: what is as it should be is not touched.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from status_plugin.generate import PluginFiles
from status_plugin.install import PLUGINS
from status_plugin.manifest import MANIFEST_NAME

PLUGIN_FOLDERS = ("plugin", PLUGINS)
"""OpenCode looks for plugins in both."""

Links = Mapping[str, Mapping[str, str]]
"""Of each folder ("" is the overlay itself) the names and what they lead to."""


def wanted_links(source: Path, overlay: Path, files: PluginFiles) -> Links:
    """What the user's folder has; raises `OSError` where it cannot be listed: nothing of it may be hidden."""
    ours = {file.name.partition("/")[0] for file in files}
    around = {_node(place) for place in (overlay, *overlay.parents)} - {None}
    names = os.listdir(source)
    top = [name for name in names if name not in (*PLUGIN_FOLDERS, MANIFEST_NAME)]
    # An entry that leads to where the overlay is would be a loop for all who walk it.
    shown = sorted(name for name in top if _node(source / name) not in around)
    links = {"": {name: str(source / name) for name in shown}}
    for folder in PLUGIN_FOLDERS:
        if folder in names and (source / folder).is_dir():
            inner = sorted(set(os.listdir(source / folder)) - ours)
            links[folder] = {name: str(source / folder / name) for name in inner}
    return links


def bring(folder: int, wanted: Mapping[str, str], listed: Iterable[str], source: Path) -> list[str]:
    """Makes the links of a folder held open what is wanted; the names that stay hidden. Raises `OSError`."""
    hidden = [name for name, target in wanted.items() if not _link(folder, name, target)]
    for name in listed:
        if name not in wanted and link_target(folder, name) == str(source / name):
            os.unlink(name, dir_fd=folder)
    return hidden


def link_target(folder: int, name: str) -> str | None:
    """Where a link leads; None for anything else, or nothing."""
    try:
        return os.readlink(name, dir_fd=folder)
    except OSError:
        return None


def real_folder(parent: int, name: str) -> None:
    """Makes sure of a folder that is no link: a link in its place mirrored one. Raises `OSError` for a file."""
    try:
        os.mkdir(name, dir_fd=parent)
    except FileExistsError:
        if link_target(parent, name) is not None:
            os.unlink(name, dir_fd=parent)
            os.mkdir(name, dir_fd=parent)


def _link(folder: int, name: str, target: str) -> bool:
    """Whether the link stands there, now or already."""
    if link_target(folder, name) == target:
        return True
    try:
        os.symlink(target, name, dir_fd=folder)
    except FileExistsError:
        return False
    return True


def _node(place: Path) -> tuple[int, int] | None:
    """Which file or folder a path leads to; None where it leads to nothing."""
    try:
        found = place.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
