"""Codex: how it is launched."""

from __future__ import annotations

from dataclasses import replace

import pytest

from orca_tui.agents import codex_hooks
from orca_tui.agents.codex import Codex
from orca_tui.agents.launching import LaunchContext

CONTEXT = LaunchContext(version="0.171.0", session_id="NEW", folder="", hook="post")
ALLOWED = replace(CONTEXT, allowed=True)


@pytest.mark.parametrize(
    ("command", "launched"),
    [
        ("codex", "codex --no-daemon"),
        ("codex fix", "codex --no-daemon fix"),
        ("codex resume X", "codex --no-daemon resume X"),
        ("codex fork --last", "codex --no-daemon fork --last"),
        ("codex --no-daemon", "codex --no-daemon"),
        ("npx @openai/codex -m gpt-5", "npx @openai/codex --no-daemon -m gpt-5"),
        ("codex exec fix", "codex exec fix"),
        ("codex e fix", "codex e fix"),
        ("codex mcp list", "codex mcp list"),
        ("codex --version", "codex --version"),
        ("codex --remote unix:///s", "codex --remote unix:///s"),
        ("sh -c codex", "sh -c codex"),
    ],
)
def test_an_interactive_start_has_a_server_of_its_own(command: str, launched: str) -> None:
    found = Codex().launch(command.split(), CONTEXT)

    assert (found.argv, found.session_id) == (tuple(launched.split()), None)


def test_hooks_are_added_once_they_are_allowed() -> None:
    assert Codex().launch(["codex", "fix"], ALLOWED).argv == (
        "codex",
        "--no-daemon",
        *codex_hooks.options("post || true"),
        "fix",
    )


@pytest.mark.parametrize(
    "own",
    [["-c", "hooks.Stop=[]"], ["--config", "hooks.state={}"], ["--config=hooks={}"]],
)
def test_hooks_that_the_command_sets_itself_are_left_alone(own: list[str]) -> None:
    assert Codex().launch(["codex", *own], ALLOWED).argv == ("codex", "--no-daemon", *own)


def test_a_prompt_about_hooks_is_no_setting_of_them() -> None:
    assert "hooks.state" in " ".join(Codex().launch(["codex", "hooks are what?"], ALLOWED).argv)


def test_a_version_that_may_not_know_the_options_gets_none() -> None:
    assert Codex().launch(["codex"], replace(ALLOWED, version="0.98.0")).argv == ("codex",)


def test_a_session_is_resumed_by_its_id() -> None:
    assert Codex().resume("s1") == ("codex", "resume", "s1")


def test_nothing_is_proven_by_its_first_rest() -> None:
    assert Codex().profile.first_rest_proves_nothing
