"""All agents that a server knows. The composer builds one of these and hands it on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from orca_tui.agents.adapter import AgentAdapter, ReportReader
from orca_tui.agents.claude import Claude
from orca_tui.agents.codex import Codex
from orca_tui.agents.gemini import Gemini
from orca_tui.agents.invocation import program_of
from orca_tui.agents.opencode import OpenCode
from orca_tui.agents.shell import COMMANDS
from orca_tui.status.profile import Profile

BUILT_IN: tuple[AgentAdapter, ...] = (OpenCode(), Claude(), Codex(), Gemini())
"""In the order in which they are listed."""


class Agents:
    """The adapters by what they are found by."""

    def __init__(self, adapters: Sequence[AgentAdapter] = BUILT_IN) -> None:
        """Where two adapters have a name or a command in common, the first one is found."""
        self._adapters = tuple(adapters)

    def adapters(self) -> tuple[AgentAdapter, ...]:
        """All of them, in the order in which they are listed."""
        return self._adapters

    def names(self) -> tuple[str, ...]:
        return tuple(adapter.name for adapter in self._adapters)

    def by_name(self, name: str | None) -> AgentAdapter | None:
        """The adapter of an agent's name."""
        return next((adapter for adapter in self._adapters if adapter.name == name), None)

    def reader(self, name: str) -> ReportReader | None:
        """Who reads what is posted to the intake under that name; None for agents that post nothing."""
        adapter = self.by_name(name)
        return adapter if isinstance(adapter, ReportReader) else None

    def recognise(self, argv: Sequence[str]) -> AgentAdapter | None:
        """The agent that a command line runs, seen through wrappers such as `npx`, `node` and `sh -c`."""
        program = program_of(argv)
        if program is None:
            return None
        return next(
            (
                adapter
                for adapter in self._adapters
                if program.name in adapter.commands or program.package in adapter.packages
            ),
            None,
        )

    def is_shell(self, argv: Sequence[str]) -> bool:
        """The command line is an interactive shell, or a shell that runs something that is no agent."""
        if not argv or argv[0].rpartition("/")[2].removeprefix("-") not in COMMANDS:
            return False
        return self.recognise(argv) is None

    def profiles(self) -> Mapping[str, Profile]:
        """What is known beforehand of each agent's evidence, for `Board`."""
        return {adapter.name: adapter.profile for adapter in self._adapters}
