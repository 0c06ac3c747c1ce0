"""What a pane runs, from what was asked for."""

from __future__ import annotations

import pytest

from orca_tui.agents.registry import Agents
from orca_tui.base.errors import Invalid
from orca_tui.commands.open import OpenRequest
from orca_tui.config import Environment
from orca_tui.server.launch import Launch, planned

OWN = Environment({"HOME": "/home/server", "SHELL": "/bin/server-shell", "SECRET": "x"})
CLIENT = {"HOME": "/home/me", "SHELL": "/bin/zsh", "PATH": "/bin"}


def launch(shell: list[str] | None = None, **fields: object) -> Launch:
    request = OpenRequest(**{"environment": CLIENT, **fields})  # type: ignore[arg-type]
    return planned(request, OWN, shell or [], Agents())


def test_nothing_asked_for_is_the_users_shell_at_home() -> None:
    found = launch()

    assert (found.argv, found.directory, found.agent) == (("/bin/zsh",), "/home/me", None)
    assert found.plain_shell


def test_the_configured_shell_beats_the_users() -> None:
    assert launch(shell=["fish", "-l"]).argv == ("fish", "-l")


def test_without_any_shell_it_is_bin_sh() -> None:
    assert launch(environment={}).argv == ("/bin/sh",)


def test_agent_shell_is_a_shell_and_no_agent() -> None:
    found = launch(agent="shell")

    assert (found.agent, found.argv, found.plain_shell) == (None, ("/bin/zsh",), True)


def test_agent_shell_with_a_command_runs_that_and_stays_when_it_ends() -> None:
    found = launch(agent="shell", command=("claude",))

    assert (found.agent, found.argv, found.plain_shell) == (None, ("claude",), False)


@pytest.mark.parametrize("agent", Agents().names())
def test_an_agent_without_a_command_is_its_own_program(agent: str) -> None:
    found = launch(agent=agent)

    assert (found.agent, found.argv, found.plain_shell) == (agent, Agents().command(agent), False)


def test_a_named_agent_is_believed_whatever_the_command() -> None:
    assert launch(agent="codex", command=("./mine", "--fast")).agent == "codex"


@pytest.mark.parametrize(
    ("command", "agent"),
    [
        (("claude", "--continue"), "claude"),
        (("npx", "opencode-ai"), "opencode"),
        (("vim", "claude"), None),
        (("/bin/sh", "-c", "ls"), None),
    ],
)
def test_an_agent_is_recognised_from_the_command(command: tuple[str, ...], agent: str | None) -> None:
    assert launch(command=command).agent == agent


def test_an_agent_that_nobody_knows_is_invalid() -> None:
    with pytest.raises(Invalid, match="opencode, claude"):
        launch(agent="skynet")


@pytest.mark.parametrize(
    "fields",
    [
        {"command": ("a\0b",)},
        {"command": ("",)},
        {"cwd": "/a\0b"},
        {"set_environment": (("A=B", "c"),)},
        {"set_environment": (("", "c"),)},
        {"environment": {"A": "\0"}},
    ],
    ids=[
        "nul in the command",
        "empty program",
        "nul in the directory",
        "=",
        "empty name",
        "nul in a variable",
    ],
)
def test_text_that_no_program_can_be_given_is_invalid(fields: dict[str, object]) -> None:
    with pytest.raises(Invalid):
        launch(**fields)


def test_a_relative_directory_is_invalid() -> None:
    with pytest.raises(Invalid):
        launch(cwd="src")


def test_a_client_without_an_environment_gets_a_login_environment() -> None:
    found = launch(environment=None)

    assert found.base == {"HOME": "/home/server", "SHELL": "/bin/server-shell"}
