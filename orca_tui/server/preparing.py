"""What an agent needs before it starts: its version, its files, its options, and our status plugin.

Nothing here may keep a pane from opening: what fails is noted, and the program starts without it.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import sys
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from orca_tui.agents.adapter import AgentAdapter
from orca_tui.agents.hooks import hook_command
from orca_tui.agents.invocation import program_of
from orca_tui.agents.launching import LaunchContext, unchanged
from orca_tui.agents.registry import Agents
from orca_tui.base.errors import Refused
from orca_tui.config import Environment
from orca_tui.server.agent_files import agent_folder, write_files
from orca_tui.server.consent import Consent
from orca_tui.server.launch import Launch
from orca_tui.server.opencode_files import CONFIG_DIR, Installed, install_for
from orca_tui.server.versions import Versions
from status_plugin.generate import PluginFiles

OPENCODE = "opencode"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Prepared:
    """What is started in a pane."""

    argv: tuple[str, ...]
    session_id: str | None = None
    """The session that the agent was told to begin, if it was."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables to add."""
    note: str = ""
    """What went wrong; empty: nothing did."""
    lacks_consent: bool = False
    """With the user's consent it would be started otherwise."""


def hook_of(adapter: AgentAdapter) -> str:
    """The command that an agent's hooks run."""
    return hook_command(sys.executable, adapter.name)


class Preparer:
    """Prepares launches; keeps what it learned of each executable."""

    def __init__(
        self,
        *,
        versions: Versions,
        consent: Consent,
        plugin: PluginFiles,
        agents: Agents,
        state_dir: Path,
    ) -> None:
        """`plugin` are the files of OpenCode's status plugin."""
        self._consent = consent
        self._versions = versions
        self._plugin = plugin
        self._agents = agents
        self._state_dir = state_dir

    async def prepare(self, launch: Launch, environment: Environment) -> Prepared:
        """What to run in the pane's environment."""
        adapter = launch.adapter
        if adapter is None:
            return Prepared(argv=launch.argv, environment=await self._for_shell(launch, environment))
        (folder, installed), version = await asyncio.gather(
            self._files(adapter, environment), self._version(launch, adapter, environment)
        )
        launched = allowed = unchanged(launch.argv)
        if self._agents.recognise(launch.argv) is adapter:  # Else it is somebody's own way to start it.
            context = self._context(adapter, version, folder)
            launched = adapter.launch(launch.argv, context)
            allowed = adapter.launch(launch.argv, replace(context, allowed=True))
        return Prepared(
            argv=launched.argv,
            session_id=launched.session_id,
            environment={**installed.environment, **launched.environment},
            note=installed.note,
            lacks_consent=launched != allowed,
        )

    def _context(self, adapter: AgentAdapter, version: str | None, folder: str) -> LaunchContext:
        return LaunchContext(
            version=version,
            session_id=str(uuid.uuid4()),
            folder=folder,
            hook=hook_of(adapter),
            allowed=self._consent.allows(adapter.name),
        )

    async def prepare_shell(self, environment: Environment) -> None:
        """In a shell OpenCode may be started by hand, so where there is one, its plugin should be there first."""
        if environment.get(CONFIG_DIR) is None and shutil.which(OPENCODE, path=environment.get("PATH")):
            await self._install_plugin(environment)

    async def _for_shell(self, launch: Launch, environment: Environment) -> Mapping[str, str]:
        """A folder of the user's own is shown to the shell by another, which must be known before it starts."""
        if not launch.plain_shell or environment.get(CONFIG_DIR) is None:
            return {}
        if shutil.which(OPENCODE, path=environment.get("PATH")) is None:
            return {}
        return (await self._install_plugin(environment)).environment

    async def _files(self, adapter: AgentAdapter, environment: Environment) -> tuple[str, Installed]:
        """The folder with the adapter's files, empty without one, and what else came of installing them."""
        if adapter.name == OPENCODE:
            return "", await self._install_plugin(environment)
        files = adapter.files(hook_of(adapter))
        if not files:
            return "", Installed()
        folder = agent_folder(self._state_dir, adapter.name)
        try:
            await asyncio.to_thread(write_files, folder, files)
        except Refused as error:
            logger.warning("files of %s not written: %s", adapter.name, error.message)
            return "", Installed(note=f"{adapter.title} starts without our hooks: {error.message}")
        return str(folder), Installed()

    async def _install_plugin(self, environment: Environment) -> Installed:
        """Where the pane's own OpenCode will look for it, which its client's environment decides."""
        return await install_for(environment, self._state_dir, self._plugin)

    async def _version(self, launch: Launch, adapter: AgentAdapter, environment: Environment) -> str | None:
        program = program_of(launch.argv)
        if program is None or program.index != 0 or self._agents.recognise(launch.argv) is not adapter:
            return None  # A wrapper such as npx, or anything else whose own version it would be.
        return await self._versions.of(launch.argv[0], adapter.packages, environment.variables)
