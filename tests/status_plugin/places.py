"""For the tests of one plugin file: its contents, and its place in a configuration folder."""

from __future__ import annotations

from pathlib import Path

from status_plugin.file import InstallResult, PluginFileStatus, RemoveResult
from status_plugin.generate import PLUGIN_FILE_NAME, PluginFile, plugin_bytes, plugin_revision
from status_plugin.install import install_global, plugin_path, remove_global, status_global

CONTENT = plugin_bytes()
OLDER = b"// orca-tui status plugin, revision 0\nexport default {}\n"
NEWER = f"// orca-tui status plugin, revision {plugin_revision() + 1}\n".encode() + b"export default {}\n"
FOREIGN = b"// my own plugin\nexport default {}\n"
FILE = PluginFile(name=PLUGIN_FILE_NAME, content=CONTENT)


def install(config: Path) -> InstallResult:
    [result] = install_global(config, (FILE,))
    return result


def status(config: Path) -> PluginFileStatus:
    [found] = status_global(config, (FILE,))
    return found


def remove(config: Path) -> RemoveResult:
    [result] = remove_global(config, (FILE,))
    return result


def path_in(config: Path) -> Path:
    return plugin_path(config, FILE)


def place(config: Path, content: bytes) -> Path:
    path = path_in(config)
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    return path


def link_to(config: Path, target: Path) -> Path:
    path = path_in(config)
    path.parent.mkdir(parents=True)
    path.symlink_to(target)
    return path
