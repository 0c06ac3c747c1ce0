"""What a pane runs: which agent, which command, where, with which variables. Pure; starts nothing."""

from __future__ import annotations

import msgspec

from orca_tui.agents import registry
from orca_tui.agents.adapter import AgentAdapter
from orca_tui.base.errors import Invalid
from orca_tui.commands.open import AGENT_NAMES, OpenRequest
from orca_tui.config import Environment
from orca_tui.server.environment import login_environment

SHELL = "shell"
LAST_SHELL = "/bin/sh"


class Launch(msgspec.Struct, frozen=True, kw_only=True):
    """A pane's program before its terminal and its token are known."""

    agent: str | None
    argv: tuple[str, ...]
    directory: str
    base: dict[str, str]
    """Of the client that asked."""
    plain_shell: bool
    """Nobody said what to run: the user's shell."""

    @property
    def adapter(self) -> AgentAdapter | None:
        return registry.by_name(self.agent) if self.agent else None


def planned(request: OpenRequest, own: Environment, shell: list[str]) -> Launch:
    """What a request asks for; `own` is the server's environment, `shell` the configured command of shells.

    Raises `Invalid` for an agent that is not known and a directory that is not absolute.
    """
    if request.agent is not None and request.agent not in AGENT_NAMES:
        raise Invalid(f"{request.agent!r} is no agent; there are {', '.join(AGENT_NAMES)}")
    base = login_environment(own.variables) if request.environment is None else request.environment
    directory = request.cwd or base.get("HOME") or "/"
    if not directory.startswith("/"):
        raise Invalid(f"{directory!r} is no absolute directory", cwd=directory)
    is_shell = request.agent in (None, SHELL) and not request.command
    return Launch(
        agent=_agent(request),
        argv=tuple(_shell(shell, base)) if is_shell else request.command or (str(request.agent),),
        directory=directory,
        base=base,
        plain_shell=is_shell,
    )


def _agent(request: OpenRequest) -> str | None:
    if request.agent is not None:
        return None if request.agent == SHELL else request.agent
    adapter = registry.recognise(request.command)
    return adapter.name if adapter else None


def _shell(configured: list[str], base: dict[str, str]) -> list[str]:
    return configured or [base.get("SHELL") or LAST_SHELL]
