"""What an agent needs before it starts: its version, where the command depends on it, and our status plugin.

Nothing here may keep a pane from opening: what fails is noted, and the program starts without it.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from orca_tui.agents.invocation import program_of
from orca_tui.config import Environment
from orca_tui.process.probe import VersionProbe
from orca_tui.server.launch import Launch

OPENCODE = "opencode"


class Preparer:
    """Prepares launches; keeps what it learned of each executable."""

    def __init__(self, probe: VersionProbe) -> None:
        self._probe = probe

    async def prepare(self, launch: Launch, environment: Environment) -> tuple[tuple[str, ...], str]:
        """The command to run, and a note of what went wrong (empty: nothing did)."""
        adapter = launch.adapter
        if adapter is None or adapter.name != OPENCODE:
            return launch.argv, ""
        version = await self._version(launch, environment)
        return adapter.launch(launch.argv, version), ""

    async def _version(self, launch: Launch, environment: Environment) -> str | None:
        program = program_of(launch.argv)
        if program is None or program.index != 0:
            return None  # Behind a wrapper such as npx, whose own version it would be.
        path = shutil.which(launch.argv[0], path=environment.get("PATH"))
        if path is None:
            return None  # The pane will say that there is no such command.
        return await self._probe.version(Path(path), launch.base)
