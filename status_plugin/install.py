"""The plugin's files in OpenCode's own configuration folder, for all agents that use it.

OpenCode 2 reloads every plugin whose mtime changes, whatever its bytes are, so a file that is up to date keeps its
mtime and inode. `file.py` has the rules for each file.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Final

from status_plugin.file import (
    InstallResult,
    PluginFileStatus,
    RemoveResult,
    inspect,
    remove_if_ours,
    write_if_changed,
)
from status_plugin.generate import PluginFile, PluginFiles
from status_plugin.replacing import reason_of

PLUGINS: Final = "plugins"
"""The folder below a configuration folder in which OpenCode looks for plugins."""


def install_global(config_dir: Path, files: PluginFiles) -> tuple[InstallResult, ...]:
    """Installs the files below a folder such as `~/.config/opencode`; makes the folders if need be."""
    return tuple(_install(config_dir, file) for file in files)


def status_global(config_dir: Path, files: PluginFiles) -> tuple[PluginFileStatus, ...]:
    """Looks only."""
    return tuple(inspect(plugin_path(config_dir, file), file.content) for file in files)


def remove_global(config_dir: Path, files: PluginFiles) -> tuple[RemoveResult, ...]:
    """Removes what is ours, and our folder once it is empty."""
    return tuple(_remove(config_dir, file) for file in files)


def plugin_path(config_dir: Path, file: PluginFile) -> Path:
    """Where a file stands below a configuration folder."""
    return config_dir / PLUGINS / file.name


def _install(config_dir: Path, file: PluginFile) -> InstallResult:
    path = plugin_path(config_dir, file)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return InstallResult(path=path, target=path, outcome="failed", reason=reason_of(error))
    return write_if_changed(path, file.content)


def _remove(config_dir: Path, file: PluginFile) -> RemoveResult:
    path = plugin_path(config_dir, file)
    result = remove_if_ours(path)
    if result.outcome == "removed" and path.parent != config_dir / PLUGINS:
        with contextlib.suppress(OSError):
            path.parent.rmdir()
    return result
