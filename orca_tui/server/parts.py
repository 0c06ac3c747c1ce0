"""Everything that the server is handed when it is built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from orca_tui.agents.registry import Agents
from orca_tui.base.clock import Clock
from orca_tui.config import Config, Environment, Paths
from orca_tui.process.helper import HelperProgram
from orca_tui.process.spawner import Spawner
from orca_tui.process.table import ProcessTable
from orca_tui.term.engine import EngineFactory


@dataclass(frozen=True, kw_only=True, slots=True)
class Sockets:
    """Where the server listens."""

    wire: Path
    http: Path
    intake: Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """The outside of the server: settings, time, engines, processes. Tests hand over their own."""

    name: str
    settings: Callable[[], Config]
    """The settings that hold now."""
    paths: Paths
    environment: Environment
    """The server's own; panes get their clients'."""
    clock: Clock
    agents: Agents
    engines: EngineFactory
    spawner: Spawner
    processes: ProcessTable
    plugin_host: HelperProgram | None = None
    """What runs the user's own plugins; None: nothing does."""

    @property
    def config(self) -> Config:
        return self.settings()

    def sockets(self) -> Sockets:
        """Raises `Invalid` when the kernel could not bind such a path."""
        return Sockets(
            wire=self.paths.socket(self.name, "wire"),
            http=self.paths.socket(self.name, "http"),
            intake=self.paths.socket(self.name, "intake"),
        )
