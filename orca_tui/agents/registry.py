"""Every agent we know, in one explicit tuple."""

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

_ADAPTERS: tuple[AgentAdapter, ...] = (OpenCode(), Claude(), Codex(), Gemini())
_READERS: Mapping[str, ReportReader] = {"opencode": OpenCode()}


def adapters() -> tuple[AgentAdapter, ...]:
    """All adapters, in the order in which they are listed."""
    return _ADAPTERS


def by_name(name: str) -> AgentAdapter | None:
    """The adapter of an agent's name."""
    return next((adapter for adapter in _ADAPTERS if adapter.name == name), None)


def reader(name: str) -> ReportReader | None:
    """Who reads what is posted to the intake under that name; None for agents that post nothing."""
    return _READERS.get(name)


def recognise(argv: Sequence[str]) -> AgentAdapter | None:
    """The agent that a command line runs, seen through wrappers such as `npx`, `node` and `sh -c`."""
    program = program_of(argv)
    if program is None:
        return None
    return next(
        (
            adapter
            for adapter in _ADAPTERS
            if program.name in adapter.commands or program.package in adapter.packages
        ),
        None,
    )


def is_shell(argv: Sequence[str]) -> bool:
    """The command line is an interactive shell, or a shell that runs something that is no agent."""
    return bool(argv) and argv[0].rpartition("/")[2].removeprefix("-") in COMMANDS and recognise(argv) is None


def profiles() -> Mapping[str, Profile]:
    """What is known beforehand of each agent's evidence, for `Board`."""
    return {adapter.name: adapter.profile for adapter in _ADAPTERS}
