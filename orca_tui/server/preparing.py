"""What an agent needs before it starts: its version, where the command depends on it, and our status plugin.

Nothing here may keep a pane from opening: what fails is noted, and the program starts without it.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
from pathlib import Path

from orca_tui.agents.invocation import program_of
from orca_tui.agents.registry import Agents
from orca_tui.config import Environment
from orca_tui.process.probe import VersionProbe
from orca_tui.server.launch import Launch
from status_plugin.install import install_global

OPENCODE = "opencode"
INSTALL_TIMEOUT_S = 3.0  # Another process may be in the folder; writing the file itself takes milliseconds.

logger = logging.getLogger(__name__)


class Preparer:
    """Prepares launches; keeps what it learned of each executable."""

    def __init__(self, probe: VersionProbe, plugin: bytes, agents: Agents) -> None:
        """`plugin` is the content of OpenCode's status plugin."""
        self._probe = probe
        self._plugin = plugin
        self._agents = agents

    async def prepare(self, launch: Launch, environment: Environment) -> tuple[tuple[str, ...], str]:
        """The command to run in the pane's environment, and a note of what went wrong (empty: nothing did)."""
        adapter = launch.adapter
        if adapter is None or adapter.name != OPENCODE:
            return launch.argv, ""
        note, version = await asyncio.gather(
            self._install_plugin(environment), self._version(launch, environment)
        )
        return adapter.launch(launch.argv, version), note

    async def prepare_shell(self, environment: Environment) -> None:
        """In a shell OpenCode may be started by hand, so where there is one, its plugin should be there first."""
        if shutil.which(OPENCODE, path=environment.get("PATH")) is not None:
            await self._install_plugin(environment)

    async def _install_plugin(self, environment: Environment) -> str:
        """Where the pane's own OpenCode will look for it, which its client's environment decides."""
        folder = environment.paths().opencode_config_dir
        try:
            async with asyncio.timeout(INSTALL_TIMEOUT_S):
                result = await asyncio.to_thread(install_global, folder, self._plugin)
        except TimeoutError:
            reason = "another process keeps the folder"
        else:
            if result.outcome not in ("refused", "failed"):
                return ""
            reason = result.reason
        logger.warning("status plugin not installed in %s: %s", folder, reason)
        return f"the status plugin is not installed in {folder}: {reason}"

    async def _version(self, launch: Launch, environment: Environment) -> str | None:
        program = program_of(launch.argv)
        if program is None or program.index != 0 or self._agents.recognise(launch.argv) is not launch.adapter:
            return None  # A wrapper such as npx, or anything else whose own version it would be.
        path = shutil.which(launch.argv[0], path=environment.get("PATH"))
        if path is None:
            return None  # The pane will say that there is no such command.
        return await self._probe.version(Path(path), launch.base)
