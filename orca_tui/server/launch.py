"""What a pane runs: which agent, which command, where, with which variables. Pure; starts nothing."""

from __future__ import annotations

from dataclasses import dataclass

from orca_tui.agents.adapter import AgentAdapter
from orca_tui.agents.registry import Agents
from orca_tui.base.errors import Invalid
from orca_tui.commands.open import OpenRequest
from orca_tui.config import SHELL, Environment
from orca_tui.server.environment import login_environment

LAST_SHELL = "/bin/sh"


@dataclass(frozen=True, kw_only=True, slots=True)
class Launch:
    """A pane's program before its terminal and its token are known."""

    adapter: AgentAdapter | None
    argv: tuple[str, ...]
    directory: str
    base: dict[str, str]
    """Of the client that asked."""
    plain_shell: bool
    """Nobody said what to run: the user's shell."""

    @property
    def agent(self) -> str | None:
        return self.adapter.name if self.adapter else None


def planned(request: OpenRequest, own: Environment, shell: list[str], agents: Agents) -> Launch:
    """What a request asks for; `own` is the server's environment, `shell` the configured command of shells.

    Raises `Invalid` for an agent that is not known, a directory that is not absolute, and for text that no
    program can be given.
    """
    _check_text(request)
    base = login_environment(own.variables) if request.environment is None else request.environment
    directory = request.cwd or base.get("HOME") or "/"
    if not directory.startswith("/"):
        raise Invalid(f"{directory!r} is no absolute directory", cwd=directory)
    is_shell = request.agent in (None, SHELL) and not request.command
    return Launch(
        adapter=_adapter(request, agents),
        argv=tuple(_shell(shell, base))
        if is_shell
        else request.command or agents.command(str(request.agent)),
        directory=directory,
        base=base,
        plain_shell=is_shell,
    )


def _check_text(request: OpenRequest) -> None:
    variables = [*(request.environment or {}).items(), *request.set_environment]
    texts = [*request.command, request.cwd or "", *(text for pair in variables for text in pair)]
    if any("\0" in text for text in texts):
        raise Invalid("no text of a command, its directory or its variables may hold a NUL")
    if request.command and not request.command[0]:
        raise Invalid("the command's program is empty")
    for name, _ in request.set_environment:
        if not name or "=" in name:
            raise Invalid(f"{name!r} is no name of a variable")


def _adapter(request: OpenRequest, agents: Agents) -> AgentAdapter | None:
    if request.agent is None:
        return agents.recognise(request.command)
    adapter = agents.by_name(request.agent)
    if adapter is None and request.agent != SHELL:
        names = ", ".join((*agents.names(), SHELL))
        raise Invalid(f"{request.agent!r} is no agent that this server knew at its start; there are {names}")
    return adapter


def _shell(configured: list[str], base: dict[str, str]) -> list[str]:
    return configured or [base.get("SHELL") or LAST_SHELL]
