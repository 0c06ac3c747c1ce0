"""Which installation of the status plugin a pane's environment needs, and bringing it about.

OpenCode looks for plugins in its global configuration folder. A folder named by OPENCODE_CONFIG_DIR is read beside it
by OpenCode 1 and instead of it by OpenCode 2, so such a pane gets an overlay that shows the user's folder and holds
our files. Nothing here may keep a pane from opening: what fails is a note.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from orca_tui.config import Environment
from status_plugin.file import InstallResult
from status_plugin.generate import PluginFiles
from status_plugin.install import install_global
from status_plugin.overlay import OverlayResult, install_overlay
from status_plugin.removal import is_removed

CONFIG_DIR = "OPENCODE_CONFIG_DIR"
INSTALL_TIMEOUT_S = 3.0  # Another process may be in the folder; writing the files itself takes milliseconds.

REMOVED = "the status plugin was removed; `orca-tui plugin install` brings it back"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Installed:
    """What came of it."""

    note: str = ""
    """Why the status of the pane's OpenCode may stay unknown; empty when all is well."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables to set for the pane's program."""


async def install_for(environment: Environment, state_dir: Path, plugin: PluginFiles) -> Installed:
    """Installs the plugin where an OpenCode with that environment looks for it, unless the user removed it."""
    if is_removed(state_dir):
        return Installed(note=REMOVED)
    try:
        async with asyncio.timeout(INSTALL_TIMEOUT_S):
            installed = await asyncio.to_thread(_install, environment, state_dir, plugin)
    except TimeoutError:
        installed = Installed(note="the status plugin is not installed: another process keeps its folder")
    if installed.note:
        logger.warning("status plugin: %s", installed.note)
    return installed


def _install(environment: Environment, state_dir: Path, plugin: PluginFiles) -> Installed:
    own = environment.paths().opencode_config_dir
    chosen = environment.get(CONFIG_DIR)
    if chosen is None or _are_same(Path(chosen), own):
        return _installed(own, install_global(own, plugin))
    overlay = install_overlay(state_dir, Path(chosen), plugin)
    if overlay.outcome == "ready":
        return _overlaid(overlay)
    # OpenCode 1 reads its global folder all the same.
    install_global(own, plugin)
    return Installed(
        note=f"{CONFIG_DIR}={chosen} is used as it is, without the status plugin: {overlay.reason}"
    )


def _overlaid(overlay: OverlayResult) -> Installed:
    note = _installed(overlay.path, overlay.files).note
    return Installed(note=note, environment={CONFIG_DIR: str(overlay.path)})


def _installed(folder: Path, results: tuple[InstallResult, ...]) -> Installed:
    reasons = [result.reason for result in results if result.outcome in ("refused", "failed")]
    if not reasons:
        return Installed()
    return Installed(
        note=f"the status plugin is not installed in {folder}: {'; '.join(dict.fromkeys(reasons))}"
    )


def _are_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return one == other
