"""Completion: scripts that shells accept, and what they offer."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable

import pytest

from tests.cli.conftest import Home, Orca

CHECKS = {"bash": ["bash", "-n"], "zsh": ["zsh", "-n"], "fish": ["fish", "--no-execute"]}


@pytest.mark.parametrize("shell", CHECKS)
def test_a_script_calls_us_back(orca: Orca, shell: str) -> None:
    script = orca("completions", shell).out

    assert f"_ORCA_TUI_COMPLETE={shell}_complete" in script
    assert "orca-tui" in script
    assert orca("completions", shell, "--json").json() == {
        "shell": shell,
        "script": script.removesuffix("\n"),
    }


@pytest.mark.parametrize("shell", [shell for shell in CHECKS if shutil.which(shell)])
def test_a_script_is_valid_for_its_shell(orca: Orca, shell: str) -> None:
    script = orca("completions", shell).out

    checked = subprocess.run(CHECKS[shell], input=script, capture_output=True, text=True, check=False)

    assert (checked.returncode, checked.stderr) == (0, "")


Complete = Callable[..., list[str]]


@pytest.fixture
def complete(home: Home) -> Complete:
    """Completes in a process of its own, since click reads the real environment."""

    def ask(*words: str, shell: str = "bash") -> list[str]:
        result = home.run(
            more={
                "_ORCA_TUI_COMPLETE": f"{shell}_complete",
                "COMP_WORDS": " ".join(["orca-tui", *words]),
                "COMP_CWORD": str(len(words)),
            }
        )
        assert (result.code, result.err) == (0, "")
        return [line.partition(",")[2] for line in result.out.splitlines() if line]

    return ask


def test_words_are_offered(complete: Complete) -> None:
    assert set(complete("co")) == {"completions", "config"}
    assert complete("server", "st") == ["start", "status", "stop"]
    assert "run" not in complete("server", "")


def test_options_and_their_values_are_offered(complete: Complete) -> None:
    assert {"--json", "--status", "--timeout"} <= set(complete("wait", "--"))
    assert complete("open", "--agent", "cl") == ["claude"]
    assert complete("move", "p1", "l") == ["left"]
    assert complete("keys", "p1", "ctrl+") == ["ctrl+c", "ctrl+d", "ctrl+z"]
    assert complete("wait", "p1", "--status", "done,w") == ["done,working", "done,waiting"]


def test_agents_of_the_settings_are_offered(complete: Complete, home: Home) -> None:
    path = home.root / "config" / "orca-tui" / "config.toml"
    path.parent.mkdir(exist_ok=True)

    path.write_text('[agents.my-bot]\ncommand = ["bot"]\n')
    assert complete("open", "--agent", "my") == ["my-bot"]
    path.write_text("[agents\n")
    assert complete("open", "--agent", "sh") == ["shell"]
    path.unlink()


def test_without_a_server_no_pane_is_offered_and_nothing_is_said(complete: Complete) -> None:
    assert complete("--server", "none", "close", "") == []


def test_panes_and_targets_of_the_running_server_are_offered(
    served: Home, orca: Orca, complete: Complete
) -> None:
    opened = orca("open", "--json", "--", "cat").json()

    assert opened["pane"] in complete("read", "p")
    assert opened["tab"] not in complete("read", "")
    assert {opened["pane"], opened["tab"], opened["workspace"]} <= set(complete("close", ""))
